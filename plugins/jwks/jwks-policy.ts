/** Answers with the public halves of all identity keys (RFC 7517), so that services apart can verify what the gateway signs. */
import { z } from 'zod';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import { sendJson } from '../../services/shared/plugin/reply.ts';

export const jwksPolicy = definePolicy({
  name: 'jwks',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, runtime) {
    return function jwks(req, res) {
      sendJson(req, res, 200, runtime.jwksText);
    };
  },
});
