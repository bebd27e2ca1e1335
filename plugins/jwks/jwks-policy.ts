/**
 * Answers with the public halves of all identity keys (RFC 7517), so that separate services can verify what the gateway
 * signs.
 */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { sendJson } from '../kit/reply.ts';

export const jwksPolicy = defineGatewayPolicy({
  name: 'jwks',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, runtime) {
    return function jwks(req, res) {
      sendJson(req, res, 200, runtime.jwksText);
    };
  },
});
