/** Holds a session to the organization that its page shows: another tab may have switched it, and what was meant for the one must not meet the other. */
import type { Principal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

const HEADER = 'X-Organization-Id';

/** The refusal of a request that names another organization than its session acts for; null for one that names the same, or none. */
export function otherOrganization({ headers }: GatewayRequest, { caller }: Principal): ApiError | null {
  const meant = headers[HEADER.toLowerCase()];
  if (meant === undefined || meant === caller.organizationId) return null;
  return new ApiError('PRECONDITION_FAILED', {
    text: 'The session acts for another organization than the request is meant for: ask GET /v1/auth/session for which.',
    details: [{ field: HEADER, message: 'It is not the organization of the session.' }],
  });
}
