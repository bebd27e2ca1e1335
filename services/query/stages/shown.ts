/** Repeats in an error what came, so that the client recognizes it. */

const LONGEST = 64;

/** Texts, cut to a length that is safe to repeat, and other scalars as JSON; lists and objects only in words. */
export function shown(input: unknown): string {
  if (input === undefined) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object' && input !== null) return 'an object';
  if (typeof input === 'string' && input.length > LONGEST)
    return JSON.stringify(`${input.slice(0, LONGEST)}…`);
  return JSON.stringify(input);
}
