/** The one wording of 413, for bodies that announce their length and bodies that do not. */
import { ApiError } from './api-error.ts';

/** A body above `maxBytes`. */
export function payloadTooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', {
    text: `The body is larger than the ${maxBytes} bytes allowed here.`,
  });
}
