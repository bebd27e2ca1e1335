/** Which plans of a call one statement answers: lists, or rows and series, that read the same events. */
import { isBundledList, termsOfList } from './bundle-lists.ts';
import { isBundledSeries, shareMeasures } from './bundle-series.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Reach } from './resolve.ts';

/** With more plans in one statement, processors wait for each other, and the first answer for the last one. */
const MOST_PLANS = 4;
/** No two plans of a bundle are further apart in the call: rows of the later ones are kept until their turn comes. */
const MOST_APART = 16;

interface Bundle {
  /** The place of its first plan. */
  readonly first: number;
  readonly plans: QueryPlan[];
}

/**
 * The plans by what one statement answers, each with its plans in order, and all of them by their first plan.
 * `isFirstAlone`: the very first plan is read by itself, since its answer is sent before the others are there.
 */
export function bundlePlans(
  plans: readonly QueryPlan[],
  { isFirstAlone }: { readonly isFirstAlone: boolean },
): readonly (readonly QueryPlan[])[] {
  const reaches = new Map<Reach, number>();
  const open = new Map<string, Bundle>();
  const found: Bundle[] = [];
  for (const [index, plan] of plans.entries()) {
    const terms = isFirstAlone && index === 0 ? null : termsOf(plan, reaches);
    const begun = terms === null ? undefined : open.get(terms);
    if (begun && index - begun.first < MOST_APART && shareMeasures([...begun.plans, plan])) {
      begun.plans.push(plan);
      continue;
    }
    const one = { first: index, plans: [plan] };
    found.push(one);
    if (terms !== null) open.set(terms, one);
  }
  const order = new Map(plans.map((plan, index) => [plan, index]));
  const placeOf = ([first]: readonly QueryPlan[]) => (first ? (order.get(first) ?? 0) : 0);
  return found.flatMap((one) => inEqualParts(one.plans)).sort((a, b) => placeOf(a) - placeOf(b));
}

function inEqualParts(plans: readonly QueryPlan[]): (readonly QueryPlan[])[] {
  const size = Math.ceil(plans.length / Math.ceil(plans.length / MOST_PLANS));
  return Array.from({ length: Math.ceil(plans.length / size) }, (_, at) =>
    plans.slice(at * size, (at + 1) * size),
  );
}

/** Equal for plans that may share a statement; null: it is read by itself. */
function termsOf(plan: QueryPlan, reaches: Map<Reach, number>): string | null {
  const own = isBundledList(plan) ? termsOfList(plan) : isBundledSeries(plan) ? [] : null;
  if (own === null) return null;
  const { reach, range, scope, needs, sessions, onlyWhere, filters, compared } = plan;
  const place = reaches.get(reach) ?? reaches.size;
  reaches.set(reach, place);
  return JSON.stringify([
    ...[place, range, scope, needs, sessions, onlyWhere, filters, compared?.plan?.range],
    ...own,
  ]);
}
