/** Answers with every limit that binds the caller's organization now; asking counts in none of them. */
import { z } from 'zod';
import type { Principal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { sendError, sendJson } from '../kit/reply.ts';
import type { GatewayRequest, GatewayResponse } from '../kit/request-context.ts';
import { storeFault } from '../kit/store-fault.ts';
import { createLimitsInForce } from './limits-in-force.ts';

export const usageLimitsPolicy = defineGatewayPolicy({
  name: 'usage-limits',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, runtime) {
    const limitsInForce = createLimitsInForce(runtime);

    async function answer(principal: Principal | null): Promise<string> {
      if (principal === null) throw new ApiError('AUTH_REQUIRED');
      const { limits, moreKeys } = await limitsInForce(principal);
      return JSON.stringify({ success: true, data: limits, moreKeys });
    }

    return function usageLimits(req: GatewayRequest, res: GatewayResponse) {
      answer(req.context.principal).then(
        (text) => sendJson(req, res, 200, text),
        (fault: unknown) => sendError(req, res, storeFault(fault)),
      );
    };
  },
});
