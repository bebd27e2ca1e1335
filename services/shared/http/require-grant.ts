/** Judges a request by what its endpoint grants: whether it opens this route, and whether its rule admits the caller. */
import type { GrantedCaller } from '../access/grant.ts';
import { missingScope, missingUnderAll } from '../access/scope-rule.ts';
import { ApiError } from '../errors/api-error.ts';
import { insufficientScope } from '../errors/insufficient-scope.ts';
import { IDENTITY_HEADER } from '../identity/identity-token.ts';
import type { Route } from './route.ts';

/** Tells a gateway that it was refused itself, not its client. */
export function notTheGateway(): ApiError {
  return new ApiError('AUTH_REQUIRED', {
    text: 'This service answers the gateway only.',
    headers: { [IDENTITY_HEADER]: 'refused' },
  });
}

/**
 * Refuses what came through no endpoint of the route's path, and a caller whom the endpoint does not admit. The gateway
 * decided that already; a service that is reached past its policies still refuses.
 */
export function requireGrant({ rule, needs }: Route<never>, name: string, caller: GrantedCaller): void {
  const { grant } = caller;
  if (!grant.routes.includes(name)) throw notTheGateway();
  if (needs === 'session' && caller.kind !== 'session') {
    if (caller.kind === 'public') throw new ApiError('AUTH_REQUIRED');
    throw new ApiError('ACCESS_DENIED', { text: 'This needs a session; a key cannot do it.' });
  }
  if (grant.access === 'public' || grant.access === 'optional') return;
  if (caller.kind === 'public') {
    if (grant.access === 'keyless') return;
    throw new ApiError('AUTH_REQUIRED');
  }
  if (grant.access === 'session') {
    if (caller.kind === 'session' && caller.role !== null && grant.roles.includes(caller.role)) return;
    throw new ApiError('ACCESS_DENIED', {
      text: `This needs a session with role ${grant.roles.join(' or ')}.`,
    });
  }
  const decides = rule !== 'public' && 'decidedBy' in rule && rule.decidedBy === 'handler';
  const missing = decides ? missingUnderAll(grant, caller.scopes) : missingScope(grant.scopes, caller.scopes);
  if (missing !== null) throw insufficientScope(missing);
}
