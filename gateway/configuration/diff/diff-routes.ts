/** Compares what every route of two configurations meets, and marks what opens or loosens one. */

import type { ApiEndpoint, Configuration } from '../configuration.ts';
import { CALLERS, TERMINALS } from '../policy-order.ts';
import { type Change, type Difference, differencesOf } from './change.ts';
import { declaredRoutes, type RouteView, viewOf, viewOfRest } from './route-view.ts';

/** How many callers an access admits: a higher one admits whoever a lower one does, and others. */
const OPENNESS: Readonly<Record<ApiEndpoint['access'], number>> = {
  session: 0,
  scoped: 0,
  keyless: 1,
  optional: 2,
  public: 3,
};

/** The routes that differ, in the order of the first configuration; the paths that no endpoint names come last. */
export function diffRoutes(before: Configuration, after: Configuration): Change[] {
  const [old, next] = [declaredRoutes(before), declaredRoutes(after)];
  const changes: Change[] = [];
  for (const [key, route] of new Map([...old, ...next])) {
    const [from, to] = [viewOf(before, key, route, old), viewOf(after, key, route, next)];
    const change = compare(`${route.method} ${route.path}`, from, to);
    if (change !== null) changes.push(change);
  }
  const rest = compare('any other path', viewOfRest(before), viewOfRest(after));
  return rest === null ? changes : [...changes, rest];
}

function compare(name: string, from: RouteView | null, to: RouteView | null): Change | null {
  if (from === null && to === null) return null;
  const differences = differencesOf(from?.parts ?? {}, to?.parts ?? {}).filter(
    ({ part }) => part !== 'upstream' || from?.upstream !== to?.upstream,
  );
  if (from !== null && to !== null && differences.length === 0) return null;
  return {
    subject: 'route',
    name,
    kind: from === null ? 'added' : to === null ? 'removed' : 'changed',
    differences: from === null || to === null ? onlyTelling(differences) : differences,
    dangers: to === null ? [] : from === null ? dangersOfNew(to.endpoint) : dangersOfChange(from, to),
  };
}

/** Of a route that is new or gone, what says who may ask and who answers. */
function onlyTelling(differences: readonly Difference[]): Difference[] {
  return differences.filter(({ part }) => ['rule', 'limits', 'upstream'].includes(part));
}

function dangersOfNew({ access, origin }: ApiEndpoint): string[] {
  if (access === 'public') return origin === 'own' ? [] : ['needs no credential'];
  return OPENNESS[access] > 0 ? ['may be asked without a credential'] : [];
}

function dangersOfChange(from: RouteView, to: RouteView): string[] {
  const [was, is] = [from.endpoint, to.endpoint];
  const dangers: string[] = [];
  if (OPENNESS[is.access] > OPENNESS[was.access]) {
    dangers.push(is.access === 'public' ? 'becomes public' : 'may now be asked without a credential');
  } else if (was.access === 'session' && is.access === 'scoped') dangers.push('may now be asked with a key');
  if (was.origin === 'own' && is.origin !== 'own') dangers.push('pages of other sites may now ask');
  if (was.cors === 'own' && is.cors === 'open') dangers.push('any web page may now read its answers');
  const dropped = was.scopes.filter((scope) => !is.scopes.includes(scope));
  if (dropped.length > 0 && is.access !== 'session') dangers.push(`no longer needs ${dropped.join(' + ')}`);
  if (was.access === 'session' && is.access === 'session') {
    const added = is.roles.filter((role) => !was.roles.includes(role));
    if (added.length > 0) dangers.push(`is now open to the role ${added.join(' and ')}`);
  }
  if (was.operators === true && is.operators !== true) dangers.push('is no longer for operators alone');
  const before: Readonly<Record<string, readonly string[] | undefined>> = was.scopesUnder ?? {};
  for (const [selector, scopes] of Object.entries<readonly string[]>(is.scopesUnder ?? {})) {
    const had = before[selector] ?? [];
    if (had.length === 0 || had.some((scope) => !scopes.includes(scope)))
      dangers.push(`needs less than before under ${selector}`);
  }
  const unlimited = was.limits.filter((limit) => !is.limits.includes(limit));
  if (unlimited.length > 0) dangers.push(`is no longer limited by ${unlimited.join(' and ')}`);
  if (was.plan !== 'none' && is.plan === 'none') dangers.push('no longer counts in the windows of the plan');
  return [...dangers, ...dangersOfPolicies(from, to)];
}

/** Policies that could refuse a request and no longer do, or only under a condition. */
function dangersOfPolicies(from: RouteView, to: RouteView): string[] {
  const guards = ({ steps }: RouteView) => steps.filter(({ policy }) => !TERMINALS.includes(policy));
  const now = new Map(guards(to).map((step) => [step.policy, step]));
  return guards(from).flatMap(({ policy, condition }) => {
    const step = now.get(policy);
    if (step === undefined) {
      return CALLERS.includes(policy)
        ? [`${policy} no longer finds out who calls`]
        : [`the policy ${policy} no longer applies`];
    }
    return condition === null && step.condition !== null
      ? [`the policy ${policy} now applies only under a condition`]
      : [];
  });
}
