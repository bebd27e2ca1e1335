/** Charges the request, all limits at once or none, then answers what was refused before; past here a request is paid. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import type { Next, RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { LimitDecision, LimitState, LimitUse } from '../../services/shared/ports/counter-store.ts';
import { shownIndex, showState } from '../../services/shared/rate-limit/shown-limit.ts';
import { readBodyCost } from './body-cost.ts';
import { createEndpointLimits } from './endpoint-limits.ts';
import { type Charge, createLimitUses } from './limit-uses.ts';
import { createSiteLimits, type SiteLimit } from './site-limits.ts';

/** A body up to this size, in bytes, costs less to parse than to ask about. */
const SMALL_BODY_BYTES = 65_536;

export const rateLimitPolicy = definePolicy({
  name: 'rate-limit',
  schema: z
    .strictObject({})
    .describe('No parameters: plans and limits stand in plans.yml, and each endpoint names its limits.'),
  create(_params, runtime) {
    const { counters, plans } = runtime;
    const endpointLimits = createEndpointLimits(plans);
    const limitUses = createLimitUses(plans);
    const siteLimit = createSiteLimits(runtime);

    function decide(context: RequestContext, { subject, uses }: Charge, next: Next): void {
      const decision = counters.decide(subject, uses);
      if (!(decision instanceof Promise)) {
        next(conclude(context, decision, uses));
        return;
      }
      decision.then((made) => next(conclude(context, made, uses)), next);
    }

    /** A large body is not parsed for a caller who is refused anyway, as far as this process knows. */
    function isRefusedAnyway({ body }: RequestContext, { subject, uses }: Charge): boolean {
      if (body === null || body.length <= SMALL_BODY_BYTES) return false;
      return uses.some((use) => counters.peek(subject, use).remaining < 1);
    }

    function charge(context: RequestContext, site: SiteLimit | null): Charge {
      const limits = endpointLimits(context.endpoint);
      const single = limitUses(context, limits, 1, site);
      if (context.endpoint.cost === 'request' || isRefusedAnyway(context, single)) return single;
      const cost = readBodyCost(context, limits.kind);
      // A body that turned out to be bad is charged elsewhere than one that is one request.
      return cost === 1 && context.refusal === null ? single : limitUses(context, limits, cost, site);
    }

    return function rateLimit(req, _res, next) {
      const { context } = req;
      const site = siteLimit(req);
      if (!(site instanceof Promise)) {
        decide(context, charge(context, site), next);
        return;
      }
      return site.then((found) => decide(context, charge(context, found), next));
    };
  },
});

/** Notes what the headers show; the error to answer, if any: 429, or the refusal that was found before. */
function conclude(
  context: RequestContext,
  decision: LimitDecision,
  uses: readonly LimitUse[],
): ApiError | undefined {
  const shown = shownIndex(decision, uses);
  const state = decision.states[shown] as LimitState;
  context.shownLimit = showState(state);
  if (decision.admitted) return context.refusal ?? undefined;
  return exceeded(state, uses[shown] as LimitUse, decision.nowMs);
}

/** The 429 of spec.md, Rate limit error. */
function exceeded(state: LimitState, use: LimitUse, nowMs: number): ApiError {
  const resetSeconds = Math.ceil(state.resetAtMs / 1000);
  const retryAfter = Math.max(1, Math.ceil((state.resetAtMs - nowMs) / 1000));
  const what = use.cost === 1 ? ' requests' : '';
  const by = use.cost === 1 ? '' : ` by this batch of ${use.cost}`;
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    text: `The limit of ${state.limit}${what} per ${use.windowMs / 1000} s was exceeded${by}; retry in ${retryAfter} s.`,
    headers: { 'Retry-After': `${retryAfter}` },
    fields: {
      limit: state.limit,
      remaining: 0,
      reset: new Date(resetSeconds * 1000).toISOString(),
      retryAfter,
    },
  });
}
