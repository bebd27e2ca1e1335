/** The limits of an endpoint in words: of a known caller, of nobody in particular, and of a credential that is refused. */
import type { LimitRule, PlansFile } from '../../services/shared/plugin/plans.ts';
import type { ApiEndpoint } from './configuration.ts';
import { costOf, endpointLimits, type NamedLimit, overrideOf } from './endpoint-limits.ts';

/** One line for each, as `explain` prints them. */
export function explainLimits(plans: PlansFile, endpoint: ApiEndpoint): string[] {
  const { known, nobody, refused } = endpointLimits(plans, endpoint);
  const nobodyLines = nobody.map(limitLine);
  if (known === null || refused === null) return nobodyLines;
  const caller = callerOf(endpoint);
  return [
    ...planLines(plans, caller),
    ...known.map((limit) => `${caller}, ${limitLine(limit)}`),
    ...nobodyLines.map(
      (line) => `${endpoint.access === 'keyless' ? 'no key' : 'neither key nor session'}, ${line}`,
    ),
    `refused key, ${limitLine(refused)}`,
  ];
}

function callerOf({ access, roles }: ApiEndpoint): string {
  if (access === 'session') return `session of ${roles.join(' or ')}`;
  return access === 'keyless' ? 'valid key' : 'valid key or session';
}

function planLines({ plans, plan: counting }: PlansFile, caller: string): string[] {
  return Object.entries(plans).map(
    ([name, { per10Seconds, perMinute }]) =>
      `${caller}, plan ${name}: ${per10Seconds} per 10 s and ${perMinute} per 60 s, per ${counting.per}${mannerOf(counting, ['per10Seconds', 'perMinute'])}`,
  );
}

function limitLine(limit: NamedLimit): string {
  const { name, rule, group } = limit;
  const cost = costOf(limit);
  const unit = cost === 'request' ? '' : ` ${cost} in batches`;
  const grouped = group === null ? '' : `, in group ${group}`;
  const override = overrideOf(limit);
  return `${name}: ${rule.limit}${unit} per ${rule.windowSeconds} s, per ${rule.per}${grouped}${mannerOf(rule, override === null ? [] : [override])}`;
}

/** How it counts, what holds without the store, and which numbers of an organization stand in its place. */
function mannerOf(
  { algorithm, onStoreFailure }: Pick<LimitRule, 'algorithm' | 'onStoreFailure'>,
  overrides: readonly string[],
): string {
  const replaced = overrides.length === 0 ? '' : `; replaced by ${overrides.join(' and ')}`;
  return ` (${algorithm}; without the store ${onStoreFailure}${replaced})`;
}
