/** The tenant that a caller acts for. */
import { ApiError } from '../errors/api-error.ts';
import type { Caller } from './caller.ts';

/** The identifier of the caller's organization. @throws ApiError ACCESS_DENIED for a caller without one, such as a user who lost the last membership */
export function organizationOf(caller: Caller): string {
  if (caller.organizationId !== null) return caller.organizationId;
  throw new ApiError('ACCESS_DENIED', { text: 'These credentials belong to no organization.' });
}
