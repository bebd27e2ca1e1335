/** Charges the request, all limits at once or none, then answers earlier refusals; requests that go on are paid. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { offerLimitsOf } from '../kit/limits-in-force.ts';
import { offerPublicLimitOf } from '../kit/public-limit-of.ts';
import type {
  GatewayRequest,
  GatewayResponse,
  Next,
  PolicyHandler,
  RequestContext,
} from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { offerJudgeUnread } from '../kit/unread-body.ts';
import { createAnswer } from './answer.ts';
import { organizationPrincipal } from './binding-limits.ts';
import { createChargeOf } from './charge-of.ts';
import { createDecide } from './decide.ts';
import { createEndpointLimits } from './endpoint-limits.ts';
import { type Charge, createLimitUses } from './limit-uses.ts';
import { createLimitsInForce } from './limits-in-force.ts';
import { createJudgeUnread, createSurelyRefused } from './surely-refused.ts';
import { createWebsiteLimits, type WebsiteLimit } from './website-limits.ts';

/** Who asks, which limits apply, what it costs; decide, and answer. Only what needs a store or a large body waits. */
function createRateLimit({ websiteOf, limitsOf, chargeOf, decide, answer }: Steps): PolicyHandler {
  function rateLimit(req: GatewayRequest, _res: GatewayResponse, next: Next): void | Promise<void> {
    const website = websiteOf(req);
    if (!(website instanceof Promise)) return count(req.context, website, next);
    return website.then((found) => count(req.context, found, next));
  }
  function count(context: RequestContext, website: WebsiteLimit | null, next: Next): void | Promise<void> {
    const charge = chargeOf(context, limitsOf(context.endpoint), website);
    if (!(charge instanceof Promise)) return conclude(context, charge, next);
    return charge.then((found) => (found instanceof ApiError ? next(found) : conclude(context, found, next)));
  }
  function conclude(context: RequestContext, charge: Charge, next: Next): void | Promise<void> {
    const decision = decide(context, charge);
    if (!(decision instanceof Promise)) return next(answer(context, charge, decision));
    return decision.then((made) => next(answer(context, charge, made)), next);
  }
  return rateLimit;
}

type Steps = ReturnType<typeof createSteps>;

/** The steps of one gateway, and what other policies may ask it. */
function createSteps(runtime: GatewayRuntime) {
  const { counters, plans } = runtime;
  const limitsOf = createEndpointLimits(plans);
  const limitUses = createLimitUses(plans);
  const websiteOf = createWebsiteLimits(runtime);
  const surelyRefused = createSurelyRefused(counters, limitsOf);
  offerJudgeUnread(runtime, createJudgeUnread(surelyRefused, limitsOf, limitUses, websiteOf));
  const limitsInForce = createLimitsInForce(runtime);
  offerLimitsOf(runtime, async (organizationId) => {
    const organization = await runtime.documents.organizations.get(organizationId, organizationId);
    return organization && limitsInForce(organizationPrincipal(organization));
  });
  offerPublicLimitOf(runtime, async (req) => {
    if (limitsOf(req.context.endpoint).replacesPublic) return null;
    return (await websiteOf(req))?.limit ?? plans.limits.public.limit;
  });
  return {
    websiteOf,
    limitsOf,
    chargeOf: createChargeOf(surelyRefused, limitUses),
    decide: createDecide(surelyRefused, counters),
    answer: createAnswer(runtime, limitsOf),
  };
}

export const rateLimitPolicy = defineGatewayPolicy({
  name: 'rate-limit',
  schema: z
    .strictObject({})
    .describe('No parameters: plans.yml has plans and limits, and each endpoint names its limits.'),
  create: (_params, runtime) => createRateLimit(createSteps(runtime)),
});
