/**
 * Refuses a caller that lacks a scope, or the session role, of the apiEndpoint: the YAML says which, this policy checks
 * it.
 */
import { z } from 'zod';
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import type { Principal } from '../../services/shared/access/principal.ts';
import { missingUnderAll } from '../../services/shared/access/scope-rule.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { insufficientScope } from '../../services/shared/errors/insufficient-scope.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { RequestContext } from '../kit/request-context.ts';

export const scopesPolicy = defineGatewayPolicy({
  name: 'scopes',
  schema: z.strictObject({}).describe('No parameters: the apiEndpoint has the scopes.'),
  create() {
    return function scopes(req, _res, next) {
      const { context } = req;
      const { principal, endpoint } = context;
      if (principal !== null && endpoint.access === 'session' && !isEndedSession(principal.caller, endpoint))
        requireRole(context, principal, endpoint);
      if (principal !== null && needsScopes(principal.caller, endpoint)) {
        // The service finds out which selector applies, and decides the rule that the identity carries to it.
        const missing = missingUnderAll(endpoint, principal.caller.scopes);
        if (missing !== null) context.refuse(insufficientScope(missing));
      }
      next();
    };
  },
});

/** The auth policy admits no anonymous caller here, except in place of an ended session where that is accepted. */
function isEndedSession(caller: GatewayCaller, endpoint: Endpoint): boolean {
  return caller.kind === 'public' && endpoint.endedSession === 'accepted';
}

/** Anonymous callers have no scopes to check on a keyless endpoint: its service judges what is allowed without a key. */
function needsScopes(caller: GatewayCaller, { access }: Endpoint): boolean {
  return access === 'scoped' || (access === 'keyless' && caller.kind !== 'public');
}

/** A session-only route refuses every key, whatever its scopes, and sessions with too low a role. */
function requireRole(
  context: RequestContext,
  { caller, isOperator }: Principal,
  { roles, operators }: Endpoint,
): void {
  const isMember = caller.kind === 'session' && caller.role !== null && roles.includes(caller.role);
  if (isMember && (operators !== true || isOperator)) return;
  const who =
    operators === true
      ? 'a session of one of the people who run the service'
      : `a session with role ${roles.join(' or ')}`;
  context.refuse(new ApiError('ACCESS_DENIED', { text: `This needs ${who}; a key cannot do it.` }));
}
