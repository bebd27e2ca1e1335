/** Stands in for the auth plugin in the auth bench: everybody is one fixed caller, and nothing is judged. */
import { z } from 'zod';
import { sessionPolicy } from '../../../plugins/auth/session-policy.ts';
import { definePlugin } from '../../../plugins/kit/define-plugin.ts';
import { defineGatewayPolicy } from '../../../plugins/kit/gateway-policy.ts';
import { Principal } from '../../../services/shared/access/principal.ts';
import { SCOPES } from '../../../services/shared/access/scopes.ts';

const noAuthPolicy = defineGatewayPolicy({
  name: 'auth',
  schema: z.strictObject({}).describe('No parameters.'),
  create() {
    const principal = new Principal(
      {
        id: 'key_bench',
        kind: 'key',
        organizationId: 'org_t',
        userId: null,
        role: null,
        plan: 'free',
        scopes: [...SCOPES],
        access: { level: 'global' },
      },
      { per10Seconds: 1_000_000_000, perMinute: 1_000_000_000 },
    );
    return function noAuth(req, _res, next) {
      req.context.principal = principal;
      next();
    };
  },
});

export const { version, schema, policies, init } = definePlugin('auth', [noAuthPolicy, sessionPolicy]);
