/** What a price plan counts of every request of an organization: two windows, and the quotas that it has. */
import type { Principal } from '../../services/shared/access/principal.ts';
import { type LimitWindow, windowOf } from '../../services/shared/plans/limit-window.ts';
import { overridesOf, type PlanNumber } from '../../services/shared/plans/overrides.ts';
import type { PlansFile } from '../../services/shared/plans/plans.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { ownerWithin } from './endpoint-limits.ts';
import { keyBudget } from './named-uses.ts';

/** The numbers of a plan, as plans.yml names them, with their counters. */
const WINDOWS = [
  { number: 'per10Seconds', counter: 'plan@10s', ...windowOf({ windowSeconds: 10 }) },
  { number: 'perMinute', counter: 'plan@60s', ...windowOf({ windowSeconds: 60 }) },
  { number: 'perDay', counter: 'plan@day', ...windowOf({ window: 'day' }) },
  { number: 'perMonth', counter: 'plan@month', ...windowOf({ window: 'month' }) },
] as const satisfies readonly (LimitWindow & { readonly number: PlanNumber; readonly counter: string })[];

/**
 * The organization's own numbers replace those of its plan; a key that `overrides` names has a budget within them.
 *
 * @throws Error for a plan that plans.yml does not have
 */
export function planUses(
  { caller, limits }: Principal,
  context: Pick<RequestContext, 'address'>,
  plans: PlansFile,
): readonly LimitUse[] {
  const plan = plans.plans[caller.plan ?? ''];
  if (!plan) throw new Error(`organization ${caller.organizationId} has the unknown plan "${caller.plan}"`);
  const { per, algorithm, onStoreFailure } = plans.plan;
  const owner = ownerWithin(per, caller, () => context.address);
  const { ofOrganization, ofKey } = overridesOf(plans);
  return WINDOWS.flatMap(({ number, counter, ...window }) => {
    const use = (of: string, limit: number | undefined): LimitUse[] => {
      if (limit === undefined) return [];
      const name = of === '' ? counter : `${counter}:${of}`;
      // A quota is of the calendar: it cannot slide.
      const manner = 'period' in window ? 'fixed' : algorithm;
      return [{ name, limit, ...window, cost: 1, algorithm: manner, onStoreFailure }];
    };
    const whole = ofOrganization(caller.organizationId ?? '', number) ?? limits[number] ?? plan[number];
    const ofItsKey = caller.kind === 'key' ? ofKey(caller.id, number) : undefined;
    return [...use(owner, whole), ...use(keyBudget(caller), ofItsKey)];
  });
}
