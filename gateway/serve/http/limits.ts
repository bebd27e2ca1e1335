/** Sizes of HTTP requests that the gateway accepts (contract.md section 8). */

/** Longest request target, in bytes; a longer one is 414. */
export const MAX_TARGET_BYTES = 8_192;

/** Largest header section, in bytes; a larger one is 431. */
export const MAX_HEADER_BYTES = 16_384;
