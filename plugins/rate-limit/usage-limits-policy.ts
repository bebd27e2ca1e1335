/** Answers with every limit that binds the caller's organization now; asking counts in none of them. */
import { z } from 'zod';
import { windowText } from '../../services/shared/plans/limit-window.ts';
import type { CounterStore, LimitState } from '../../services/shared/ports/counter-store.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { sendError, sendJson } from '../kit/reply.ts';
import type { GatewayRequest, GatewayResponse, RequestContext } from '../kit/request-context.ts';
import { storeFault } from '../kit/store-fault.ts';
import { type BindingLimit, createBindingLimits } from './binding-limits.ts';

/** Keys of which the limits are told; few organizations have more. */
const MOST_KEYS = 100;
/** Limits that one decision takes. */
const AT_ONCE = 50;

export const usageLimitsPolicy = defineGatewayPolicy({
  name: 'usage-limits',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, { counters, plans, endpoints, documents }) {
    const bindingLimits = createBindingLimits(plans, endpoints.values());
    /** Whether any number of plans.yml is that of a single key. */
    const hasKeyLimits =
      plans.plan.per === 'key' ||
      plans.overrides.some(({ key }) => key !== undefined) ||
      Object.values(plans.limits).some(({ per }) => per === 'key');

    async function answer(context: RequestContext): Promise<string> {
      const organizationId = context.principal?.caller.organizationId ?? '';
      const keys = hasKeyLimits ? await documents.apiKeys.list(organizationId, { limit: MOST_KEYS }) : [];
      const limits = bindingLimits(
        context,
        keys.map(({ id }) => id),
      );
      const states = await statesOf(counters, `organization:${organizationId}`, limits);
      const data = limits.map((limit, index) => limitRow(limit, states[index] as LimitState));
      return JSON.stringify({ success: true, data, moreKeys: keys.length === MOST_KEYS });
    }

    return function usageLimits(req: GatewayRequest, res: GatewayResponse) {
      answer(req.context).then(
        (text) => sendJson(req, res, 200, text),
        (fault: unknown) => sendError(req, res, storeFault(fault)),
      );
    };
  },
});

async function statesOf(
  counters: CounterStore,
  subject: string,
  limits: readonly BindingLimit[],
): Promise<LimitState[]> {
  const states: LimitState[] = [];
  for (let first = 0; first < limits.length; first += AT_ONCE) {
    const uses = limits.slice(first, first + AT_ONCE).map(({ use }) => use);
    states.push(...(await counters.decide(subject, uses)).states);
  }
  return states;
}

function limitRow(
  { name, counts, endpoints, owner, use }: BindingLimit,
  { limit, remaining, resetAtMs }: LimitState,
) {
  const used = limit - remaining;
  return {
    name,
    window: windowText(use),
    counts,
    limit,
    used,
    remaining,
    // A window that nobody began has no end yet; the calendar has.
    reset: used === 0 && use.period === undefined ? null : new Date(resetAtMs).toISOString(),
    enforced: use.shadow !== true,
    key: owner?.kind === 'key' ? owner.id : null,
    session: owner?.kind === 'session' ? owner.id : null,
    endpoints,
  };
}
