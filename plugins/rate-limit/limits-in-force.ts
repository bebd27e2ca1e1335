/** What is left of every limit that binds an organization; asking counts in none of them. */
import type { Principal } from '../../services/shared/access/principal.ts';
import { windowText } from '../../services/shared/plans/limit-window.ts';
import type { CounterStore, LimitState } from '../../services/shared/ports/counter-store.ts';
import type { LimitInForce, LimitsInForce } from '../kit/limits-in-force.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { type BindingLimit, createBindingLimits } from './binding-limits.ts';

/** Keys of which the limits are told; few organizations have more. */
const MOST_KEYS = 100;
/** Limits that one decision takes. */
const AT_ONCE = 50;

/** For one configuration; `principal` as {@link createBindingLimits} takes it. Rejects when a store does not answer. */
export function createLimitsInForce({
  counters,
  plans,
  endpoints,
  documents,
}: Pick<GatewayRuntime, 'counters' | 'plans' | 'endpoints' | 'documents'>): (
  principal: Principal,
) => Promise<LimitsInForce> {
  const bindingLimits = createBindingLimits(plans, endpoints.values());
  /** Whether any number of plans.yml is that of a single key. */
  const hasKeyLimits =
    plans.plan.per === 'key' ||
    plans.overrides.some(({ key }) => key !== undefined) ||
    Object.values(plans.limits).some(({ per }) => per === 'key');

  return async function limitsInForce(principal) {
    const organizationId = principal.caller.organizationId ?? '';
    const keys = hasKeyLimits ? await documents.apiKeys.list(organizationId, { limit: MOST_KEYS }) : [];
    const found = bindingLimits(
      principal,
      keys.map(({ id }) => id),
    );
    const states = await statesOf(counters, `organization:${organizationId}`, found);
    const limits = found.map((limit, index) =>
      limitInForce(limit, states[index] as LimitState, organizationId),
    );
    return { limits, moreKeys: keys.length === MOST_KEYS };
  };
}

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

function limitInForce(
  { name, counts, endpoints, owner, use }: BindingLimit,
  { limit, remaining, resetAtMs }: LimitState,
  organizationId: string,
): LimitInForce {
  const used = limit - remaining;
  return {
    name,
    per: owner?.kind ?? 'organization',
    subject: owner?.id ?? organizationId,
    windowSeconds: Math.round(use.windowMs / 1_000),
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
