/** The limits of an endpoint as data, a number and a window each: for readers who say them in a language of their own. */
import { windowOf, windowText } from '../../services/shared/plans/limit-window.ts';
import { PLAN_NUMBERS } from '../../services/shared/plans/overrides.ts';
import type { LimitRule, Plan, PlansFile } from '../../services/shared/plans/plans.ts';
import type { ApiEndpoint } from './configuration.ts';
import { costOf, endpointLimits, isEnforced, type NamedLimit, subjectOf } from './endpoint-limits.ts';

/** Who asks, where that is known: the numbers of others are left out. */
export interface LimitedCaller {
  readonly organization: string;
  readonly plan: string;
  /** What `as` names: a key by its id, or something that is none. */
  readonly key: string | null;
}

/** A number that binds at an endpoint. */
export interface LimitNumber {
  /** Whose requests count: those with a valid credential, without one, or with a refused one. */
  readonly callers: 'known' | 'nobody' | 'refused';
  /** `plan`, or the name of the limit. */
  readonly name: string;
  /** The plan, organization or key that has this number; null: it is everybody's. */
  readonly of: string | null;
  readonly limit: number;
  /** As `60 s` or `day (UTC)`. */
  readonly window: string;
  /** Who has a budget of their own. */
  readonly per: string;
  /** What it counts. */
  readonly counts: LimitRule['cost'];
  /** False: it only counts. */
  readonly enforced: boolean;
}

/** The windows of plans, by the names of their numbers. */
const PLAN_WINDOWS: Readonly<Record<keyof Plan & (typeof PLAN_NUMBERS)[number], string>> = {
  per10Seconds: '10 s',
  perMinute: '60 s',
  perDay: 'day (UTC)',
  perMonth: 'month (UTC)',
};

/** How many numbers of single organizations and keys are told. */
export const MOST_OVERRIDES = 20;

/** The numbers of single organizations and keys that may bind where these limits do; of a caller, its own. */
export function overridesAt(
  { overrides }: PlansFile,
  names: readonly string[],
  caller: LimitedCaller | null = null,
): PlansFile['overrides'] {
  const bind: readonly string[] = [...PLAN_NUMBERS, ...names];
  return overrides.filter(
    ({ limit, organization, key }) =>
      bind.includes(limit) &&
      (caller === null ||
        (organization === undefined ? key === caller.key : organization === caller.organization)),
  );
}

/** Plans by their names; of a caller, its own. */
export function plansOf({ plans }: PlansFile, caller: LimitedCaller | null = null): [string, Plan][] {
  return Object.entries(plans).filter(([name]) => caller === null || name === caller.plan);
}

/** In the order in which `explain` prints them, with the number of those that are left out. */
export function limitNumbers(
  plans: PlansFile,
  endpoint: ApiEndpoint,
  caller: LimitedCaller | null = null,
): { readonly numbers: readonly LimitNumber[]; readonly moreNumbers: number } {
  const { countsInPlan, known, nobody, refused } = endpointLimits(plans, endpoint);
  const ofNobody = nobody.map((limit) => numberOf('nobody', limit));
  if (known === null || refused === null) return { numbers: ofNobody, moreNumbers: 0 };
  const overrides = overridesAt(
    plans,
    known.map(({ name }) => name),
    caller,
  );
  const planNumber = (of: string, window: string, limit: number): LimitNumber => ({
    ...{ callers: 'known', name: 'plan', of, limit, window },
    ...{ per: plans.plan.per, counts: 'request', enforced: true },
  });
  const ofPlans = plansOf(plans, caller).flatMap(([name, plan]) =>
    Object.entries(PLAN_WINDOWS).flatMap(([number, window]) => {
      const limit = plan[number as keyof typeof PLAN_WINDOWS];
      return limit === undefined ? [] : [planNumber(name, window, limit)];
    }),
  );
  const ofSingle = overrides.slice(0, MOST_OVERRIDES).map(({ organization, key, limit, max }) => {
    const of = organization ?? key ?? '';
    const named = known.find(({ name }) => name === limit);
    if (named !== undefined) return { ...numberOf('known', named), of, limit: max };
    return planNumber(of, PLAN_WINDOWS[limit as keyof typeof PLAN_WINDOWS], max);
  });
  return {
    numbers: [
      ...(countsInPlan ? ofPlans : []),
      ...known.map((limit) => numberOf('known', limit)),
      ...ofSingle,
      ...ofNobody,
      numberOf('refused', refused),
    ],
    moreNumbers: overrides.length - ofSingle.length,
  };
}

function numberOf(callers: LimitNumber['callers'], limit: NamedLimit): LimitNumber {
  const { name, rule } = limit;
  return {
    ...{ callers, name, of: null, limit: rule.limit, window: windowText(windowOf(rule)) },
    ...{ per: subjectOf(limit), counts: costOf(limit), enforced: isEnforced(limit) },
  };
}
