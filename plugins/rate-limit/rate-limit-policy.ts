/** Charges the request, all limits at once or none, then answers what was refused before; past here a request is paid. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import type { Next, RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { LimitDecision, LimitState, LimitUse } from '../../services/shared/ports/counter-store.ts';
import { NOTHING_PASSES } from '../../services/shared/rate-limit/nothing-passes.ts';
import { shownIndex, showState } from '../../services/shared/rate-limit/shown-limit.ts';
import { createUsageCounter } from '../../services/shared/usage/usage-counter.ts';
import { leastBodyCost, readBodyCost } from './body-cost.ts';
import { createEndpointLimits, type EndpointLimits } from './endpoint-limits.ts';
import { exceeded } from './exceeded.ts';
import { type Charge, createLimitUses } from './limit-uses.ts';
import { createSiteLimits, type SiteLimit } from './site-limits.ts';

/** A body up to this size, in bytes, costs less to parse than to ask about. */
const SMALL_BODY_BYTES = 65_536;

type Site = SiteLimit | null;

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
    const usage = createUsageCounter(runtime);
    runtime.onClose(() => usage.close());

    /** The 429 of a refusal, of which the headers show the violated limit that frees last. */
    function exceededBy(
      context: RequestContext,
      decision: LimitDecision,
      uses: readonly LimitUse[],
    ): ApiError {
      const shown = shownIndex(decision, uses);
      const state = decision.states[shown] as LimitState;
      context.shownLimit = showState(state);
      return exceeded(state, uses[shown] as LimitUse, decision.nowMs, endpointLimits(context.endpoint).kind);
    }

    /** Notes what the headers show; the error to answer, if any: 429, or the refusal that was found before. */
    function conclude(
      context: RequestContext,
      decision: LimitDecision,
      uses: readonly LimitUse[],
    ): ApiError | undefined {
      if (!decision.admitted) return exceededBy(context, decision, uses);
      const organizationId = context.principal?.caller.organizationId ?? null;
      if (organizationId !== null) usage.addRequest(organizationId);
      context.shownLimit = showState(decision.states[shownIndex(decision, uses)] as LimitState);
      return context.refusal ?? undefined;
    }

    function decide(context: RequestContext, { subject, uses }: Charge, next: Next): void {
      const decision = counters.decide(subject, uses);
      if (!(decision instanceof Promise)) {
        next(conclude(context, decision, uses));
        return;
      }
      decision.then((made) => next(conclude(context, made, uses)), next);
    }

    /** By what the body holds. */
    function chargeOfBody(
      context: RequestContext,
      single: Charge,
      limits: EndpointLimits,
      site: Site,
    ): Charge {
      const cost = readBodyCost(context, limits.kind);
      // A body that turned out to be bad is charged elsewhere than one that is one request.
      return cost === 1 && context.refusal === null ? single : limitUses(context, limits, cost, site);
    }

    /** Whether a window is full, as far as this process knows: the store may know better. */
    function seemsFull({ subject, uses }: Charge): boolean {
      return uses.some((use) => counters.peek(subject, use).remaining < use.cost);
    }

    /** The 429 of a caller who is refused whatever else the body holds; asking counts nothing. */
    async function refusedUnparsed(context: RequestContext, charge: Charge): Promise<ApiError | null> {
      if (!seemsFull(charge)) return null;
      const { subject, uses } = charge;
      const asked = await counters.decide(subject, [...uses, NOTHING_PASSES]);
      const decision = { ...asked, states: asked.states.slice(0, uses.length) };
      return decision.states.some(({ violated }) => violated) ? exceededBy(context, decision, uses) : null;
    }

    /** A large or compressed body is inflated and parsed only for a caller who has something left. */
    async function decideLarge(
      context: RequestContext,
      single: Charge,
      limits: EndpointLimits,
      site: Site,
    ): Promise<ApiError | Charge> {
      const isUnsure = seemsFull(single);
      let refused = await refusedUnparsed(context, single);
      // Others may have taken what was left by the time that the turn to inflate comes.
      if (refused === null && (await context.inflate?.(() => isUnsure || !seemsFull(single))) === false) {
        refused = await refusedUnparsed(context, single);
        if (refused === null) await context.inflate?.(() => true);
      }
      if (refused !== null) return refused;
      if (context.endpoint.cost === 'request') {
        return context.refusal === null ? single : limitUses(context, limits, 1, site);
      }
      const least = leastBodyCost(context, limits.kind);
      if (least > 1) refused = await refusedUnparsed(context, limitUses(context, limits, least, site));
      return refused ?? chargeOfBody(context, single, limits, site);
    }

    function charge(context: RequestContext, site: Site, next: Next): void | Promise<void> {
      const { body, endpoint, inflate, refusal } = context;
      const limits = endpointLimits(endpoint);
      const single = limitUses(context, limits, 1, site);
      const isRead = inflate !== null || (endpoint.cost === 'body' && body !== null);
      if (!isRead || refusal !== null) return decide(context, single, next);
      if (inflate !== null || (body?.length ?? 0) > SMALL_BODY_BYTES) {
        return decideLarge(context, single, limits, site).then((found) => {
          if (found instanceof ApiError) next(found);
          else decide(context, found, next);
        });
      }
      leastBodyCost(context, limits.kind);
      return decide(context, chargeOfBody(context, single, limits, site), next);
    }

    return function rateLimit(req, _res, next) {
      const { context } = req;
      const site = siteLimit(req);
      if (!(site instanceof Promise)) return charge(context, site, next);
      return site.then((found) => charge(context, found, next));
    };
  },
});
