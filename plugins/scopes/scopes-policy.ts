/** Refuses a caller that lacks a scope, or the session role, of the apiEndpoint; the YAML says which, this says whether. */
import { z } from 'zod';
import type { Caller } from '../../services/shared/access/caller.ts';
import { missingScope } from '../../services/shared/access/scope-rule.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Role } from '../../services/shared/model/user.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';
import type { RequestContext } from '../../services/shared/plugin/request-context.ts';

export const scopesPolicy = definePolicy({
  name: 'scopes',
  schema: z.strictObject({}).describe('No parameters: the scopes stand on the apiEndpoint.'),
  create() {
    return function scopes(req, _res, next) {
      const { context } = req;
      const { principal, endpoint } = context;
      if (principal !== null && endpoint.access === 'session' && !isEndedSession(principal.caller, endpoint))
        requireRole(context, principal.caller, endpoint.roles);
      if (principal !== null && needsScopes(principal.caller, endpoint)) {
        const missing = missingScope(endpoint, principal.caller.scopes, req.url);
        if (missing !== null)
          context.refuse(new ApiError('INSUFFICIENT_SCOPE', { text: `The scope ${missing} is required.` }));
      }
      next();
    };
  },
});

/** The auth policy lets nobody in here, save in place of a session that has ended where that is accepted. */
function isEndedSession(caller: Caller, endpoint: Endpoint): boolean {
  return caller.kind === 'public' && endpoint.endedSession === 'accepted';
}

/** Nobody in particular has no scopes to hold against a keyless endpoint: its service judges what may be done without a key. */
function needsScopes(caller: Caller, { access }: Endpoint): boolean {
  return access === 'scoped' || (access === 'keyless' && caller.kind !== 'public');
}

/** A session-only route refuses every key, whatever its scopes, and sessions of too low a role. */
function requireRole(context: RequestContext, caller: Caller, roles: readonly Role[]): void {
  if (caller.kind === 'session' && caller.role !== null && roles.includes(caller.role)) return;
  context.refuse(
    new ApiError('ACCESS_DENIED', {
      text: `This needs a session with role ${roles.join(' or ')}; a key cannot do it.`,
    }),
  );
}
