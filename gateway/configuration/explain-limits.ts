/** The limits of an endpoint in words: for an authenticated caller, an anonymous one, and a refused credential. */
import { windowOf, windowText } from '../../services/shared/plans/limit-window.ts';
import type { LimitRule, Plan, PlansFile } from '../../services/shared/plans/plans.ts';
import type { ApiEndpoint } from './configuration.ts';
import {
  costOf,
  endpointLimits,
  isEnforced,
  type NamedLimit,
  overrideOf,
  subjectOf,
} from './endpoint-limits.ts';
import { type LimitedCaller, MOST_OVERRIDES, overridesAt, plansOf } from './limit-numbers.ts';
import { sessionOf } from './session-rule.ts';

/** One line per limit, as `explain` prints it; `judgedBy` is the policy that says who calls. Of who is `asking`, numbers of others are left out. */
export function explainLimits(
  plans: PlansFile,
  endpoint: ApiEndpoint,
  judgedBy = 'auth',
  asking: LimitedCaller | null = null,
): string[] {
  const { countsInPlan, known, nobody, refused } = endpointLimits(plans, endpoint);
  const nobodyLines = nobody.map(limitLine);
  if (known === null || refused === null) return nobodyLines;
  const takesTokens = judgedBy === 'jwt';
  const caller = takesTokens ? 'valid token' : callerOf(endpoint);
  return [
    ...(countsInPlan ? planLines(plans, caller, asking) : []),
    ...known.map((limit) => `${caller}, ${limitLine(limit)}`),
    ...overrideLines(
      plans,
      known.map(({ name }) => name),
      asking,
    ),
    ...nobodyLines.map((line) => `${takesTokens ? 'no token' : nobodyOf(endpoint)}, ${line}`),
    `refused ${takesTokens ? 'token' : 'key'}, ${limitLine(refused)}`,
  ];
}

function callerOf(endpoint: ApiEndpoint): string {
  const { access } = endpoint;
  if (access === 'session') return sessionOf(endpoint);
  return access === 'keyless' ? 'valid key' : 'valid key or session';
}

function nobodyOf({ access }: ApiEndpoint): string {
  return access === 'keyless' ? 'no key' : 'neither key nor session';
}

function planLines(plans: PlansFile, caller: string, asking: LimitedCaller | null): string[] {
  const counting = plans.plan;
  return plansOf(plans, asking).map(
    ([name, plan]) =>
      `${caller}, plan ${name}: ${planWindows(plan)}, per ${counting.per}${mannerOf(counting, ['per10Seconds', 'perMinute'])}`,
  );
}

/** The numbers of single organizations and keys that may bind here. */
function overrideLines(plans: PlansFile, known: readonly string[], asking: LimitedCaller | null): string[] {
  const found = overridesAt(plans, known, asking);
  const lines = found
    .slice(0, MOST_OVERRIDES)
    .map(({ organization, key, limit, max }) =>
      organization === undefined
        ? `key ${key}, ${limit}: ${max}`
        : `organization ${organization}, ${limit}: ${max}`,
    );
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `${more} further overrides of plans.yml`] : lines;
}

function planWindows({ per10Seconds, perMinute, perDay, perMonth }: Plan): string {
  const quotas = [
    ...(perDay === undefined ? [] : [` and ${perDay} per day (UTC)`]),
    ...(perMonth === undefined ? [] : [` and ${perMonth} per month (UTC)`]),
  ];
  return `${per10Seconds} per 10 s and ${perMinute} per 60 s${quotas.join('')}`;
}

/** The unit of a limit, as written after its number. */
const UNITS: Readonly<Record<LimitRule['cost'], string>> = {
  request: '',
  datasets: ' datasets in batches',
  events: ' events in batches',
  bytes: ' bytes',
  seconds: ' seconds of running, charged afterwards,',
};

function limitLine(limit: NamedLimit): string {
  const { name, rule, group } = limit;
  const cost = costOf(limit);
  const unit = UNITS[cost];
  const grouped = group === null ? '' : `, in group ${group}`;
  const override = overrideOf(limit);
  return `${name}: ${rule.limit}${unit} per ${windowText(windowOf(rule))}, per ${subjectOf(limit)}${grouped}${mannerOf(rule, override === null ? [] : [override])}${isEnforced(limit) ? '' : '; in shadow: refuses nobody'}`;
}

/** How it counts, what applies without the store, and which settings of an organization replace it. */
function mannerOf(
  { algorithm, onStoreFailure }: Pick<LimitRule, 'algorithm' | 'onStoreFailure'>,
  overrides: readonly string[],
): string {
  const replaced = overrides.length === 0 ? '' : `; replaced by ${overrides.join(' and ')}`;
  return ` (${algorithm}; without the store ${onStoreFailure}${replaced})`;
}
