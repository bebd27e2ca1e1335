/** Compares plans and limits of two configurations, and marks what is raised tenfold or cuts somebody off. */
import type { PlansFile } from '../../../services/shared/plans/plans.ts';
import { type Change, compareNamed, type Parts, shown } from './change.ts';

/** From this factor on a number is marked, whichever way it changes. */
const FACTOR = 10;

/** Seconds of a month, for comparing quotas with windows. */
const PERIOD_SECONDS = { day: 86_400, month: 2_592_000 } as const;

type Named = Readonly<Record<string, unknown>>;

export function diffLimits(before: PlansFile, after: PlansFile): Change[] {
  return [
    ...compareNamed('plan', named(before.plans), named(after.plans), partsOf, dangersOfPlan),
    ...compareNamed('plan', counting(before), counting(after), partsOf, dangersOfCounting),
    ...compareNamed('limit', named(before.limits), named(after.limits), partsOf, dangersOfLimit),
    ...compareNamed('override', overrides(before), overrides(after), partsOf, dangersOfOverride),
    ...compareNamed(
      'documents',
      single(before.documents),
      single(after.documents),
      partsOf,
      dangersOfDocuments,
    ),
    ...compareNamed(
      'limit',
      single({ standardFields: before.standardFields }, 'headers of answers'),
      single({ standardFields: after.standardFields }, 'headers of answers'),
      partsOf,
      () => [],
    ),
  ];
}

function named(values: Readonly<Record<string, object>>): Map<string, Named> {
  return new Map(Object.entries(values).map(([name, value]) => [name, { ...value }]));
}

function single(value: object, name = 'of an organization'): Map<string, Named> {
  return new Map([[name, { ...value }]]);
}

function counting({ plan }: PlansFile): Map<string, Named> {
  return single(plan, 'windows of every plan');
}

/** The last of several for the same organization or key and limit binds. */
function overrides({ overrides: list }: PlansFile): Map<string, Named> {
  return new Map(
    list.map(({ organization, key, limit, max }) => [`${limit} of ${organization ?? key}`, { max }]),
  );
}

function partsOf(value: Named): Parts {
  return Object.fromEntries(Object.entries(value).map(([part, one]) => [part, shown(one)]));
}

function dangersOfPlan(before: Named | undefined, after: Named | undefined): string[] {
  if (after === undefined) return ['organizations on this plan are cut off'];
  return before === undefined ? [] : numberDangers(before, after);
}

function numberDangers(before: Named, after: Named): string[] {
  return Object.entries(before).flatMap(([part, from]) => {
    const to = after[part];
    if (typeof from !== 'number') return [];
    if (to === undefined) return [`${part} no longer binds`];
    if (typeof to !== 'number') return [];
    return factorDangers(part, from, to);
  });
}

function factorDangers(part: string, from: number, to: number): string[] {
  if (to >= from * FACTOR) return [`${part} is raised ${times(to / from)}`];
  return to * FACTOR <= from ? [`${part} is cut to a ${ordinal(from / to)} part`] : [];
}

function dangersOfCounting(before: Named | undefined, after: Named | undefined): string[] {
  return before && after ? failureDangers(before, after) : [];
}

function dangersOfLimit(before: Named | undefined, after: Named | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  const dangers = failureDangers(before, after);
  if (before.enforce !== false && after.enforce === false) dangers.push('no longer refuses anybody');
  if (before.callers === 'all' && after.callers === 'anonymous')
    dangers.push('no longer counts callers with a credential');
  if (before.cost !== after.cost || before.per !== after.per) return dangers;
  return [...dangers, ...factorDangers('what it admits per second', perSecond(before), perSecond(after))];
}

function failureDangers(before: Named, after: Named): string[] {
  return before.onStoreFailure !== 'open' && after.onStoreFailure === 'open'
    ? ['nothing is counted while the counter store is down']
    : [];
}

function perSecond({ limit, windowSeconds, window }: Named): number {
  const period = PERIOD_SECONDS[window as keyof typeof PERIOD_SECONDS] ?? windowSeconds ?? 1;
  return Number(limit) / Number(period);
}

function dangersOfOverride(before: Named | undefined, after: Named | undefined): string[] {
  return before && after ? numberDangers(before, after) : [];
}

function dangersOfDocuments(before: Named | undefined, after: Named | undefined): string[] {
  return before && after ? numberDangers(before, after) : [];
}

function times(factor: number): string {
  return `${Math.floor(factor).toLocaleString('en')} times`;
}

function ordinal(factor: number): string {
  return `${Math.floor(factor).toLocaleString('en')}th`;
}
