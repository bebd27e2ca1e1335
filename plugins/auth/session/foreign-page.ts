/** The refusal of a page of another site where only own ones may ask. */
import { ApiError } from '../../../services/shared/errors/api-error.ts';

/** ACCESS_DENIED: whoever begins a session in somebody's browser chooses whose it is, and a visitor's address is not for others to use up. */
export function foreignPage(): ApiError {
  return new ApiError('ACCESS_DENIED', {
    text: "Only pages of the service's own domains may ask this (https, except on localhost); this request comes from another page.",
  });
}
