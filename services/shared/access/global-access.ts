/** Requires global access for what belongs to the organization as a whole (spec.md, Access levels). */
import { ApiError } from '../errors/api-error.ts';
import type { Caller } from './caller.ts';
import { organizationOf } from './organization-of.ts';

/** The caller's organization. @throws ApiError ACCESS_DENIED for a website-specific key and for a caller without organization */
export function requireGlobalAccess(caller: Caller): string {
  if (caller.access.level === 'global') return organizationOf(caller);
  throw new ApiError('ACCESS_DENIED', {
    text: 'This belongs to the whole organization: a website-specific key cannot reach it.',
  });
}
