/** The limits of an endpoint in words: of a known caller, of nobody in particular, and of a credential that is refused. */
import { type LimitRule, limitRule, type PlansFile } from '../../services/shared/plugin/plans.ts';
import type { ApiEndpoint } from './configuration.ts';

/** One line for each, as `explain` prints them. */
export function explainLimits(plans: PlansFile, endpoint: ApiEndpoint): string[] {
  const own = endpoint.limits.flatMap((name) => {
    const rule = limitRule(plans, name);
    return rule ? [{ name, rule }] : [];
  });
  const { access } = endpoint;
  const countsNobody = ({ rule }: { rule: LimitRule }): boolean =>
    rule.per === 'address' || (rule.per === 'session' && access === 'public');
  const letsNobodyIn = access === 'public' || access === 'keyless' || access === 'optional';
  const anonymous = letsNobodyIn ? own.filter(countsNobody) : [];
  const isReplaced = anonymous.some(({ rule }) => rule.cost === 'request');
  const group = letsNobodyIn ? endpoint.class : 'other';
  const nobody = [
    ...(isReplaced ? [] : [publicLine(plans, group)]),
    ...anonymous.map(({ name, rule }) => ruleLine(name, rule)),
  ];
  if (access === 'public') return nobody;
  const caller = callerOf(endpoint);
  return [
    ...planLines(plans, caller),
    ...own
      .filter(({ rule }) => rule.callers === 'all')
      .map(({ name, rule }) => `${caller}, ${ruleLine(name, rule)}`),
    ...nobody.map((line) => `${access === 'keyless' ? 'no key' : 'neither key nor session'}, ${line}`),
    `refused key, ${publicLine(plans, 'failed-credentials')}`,
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

/** An organization's number stands in its place only where a request names one of its websites. */
function publicLine({ limits }: PlansFile, group: string): string {
  const { limit, windowSeconds, override } = limits.public;
  const isNamed = group !== 'other' && group !== 'failed-credentials';
  const own = override !== undefined && isNamed ? [override] : [];
  return `public: ${limit} per ${windowSeconds} s, per address, in group ${group}${mannerOf(limits.public, own)}`;
}

function ruleLine(name: string, rule: LimitRule): string {
  const unit = rule.cost === 'request' ? '' : ` ${rule.cost} in batches`;
  const own = rule.override === undefined ? [] : [rule.override];
  return `${name}: ${rule.limit}${unit} per ${rule.windowSeconds} s, per ${rule.per}${mannerOf(rule, own)}`;
}

/** How it counts, what holds without the store, and which numbers of an organization stand in its place. */
function mannerOf(
  { algorithm, onStoreFailure }: Pick<LimitRule, 'algorithm' | 'onStoreFailure'>,
  overrides: readonly string[],
): string {
  const replaced = overrides.length === 0 ? '' : `; replaced by ${overrides.join(' and ')}`;
  return ` (${algorithm}; without the store ${onStoreFailure}${replaced})`;
}
