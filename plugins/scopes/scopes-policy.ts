/** Refuses a caller that lacks a scope of the apiEndpoint; the YAML says which, this says whether. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';

export const scopesPolicy = definePolicy({
  name: 'scopes',
  schema: z.strictObject({}).describe('No parameters: the scopes stand on the apiEndpoint.'),
  create() {
    return function scopes(req, _res, next) {
      const { context } = req;
      const { principal, endpoint } = context;
      if (principal !== null && endpoint.access === 'scoped') {
        for (const scope of endpoint.scopes) {
          if (principal.caller.scopes.includes(scope)) continue;
          context.refuse(new ApiError('INSUFFICIENT_SCOPE', { text: `The scope ${scope} is required.` }));
          break;
        }
      }
      next();
    };
  },
});
