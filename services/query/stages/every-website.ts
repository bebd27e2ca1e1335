/** Which websites have a row or line also without events, where a dataset tells websites apart. */
import type { PlannedFilter } from './query-plan.ts';

/** Those in reach that the filters name; undefined where filters ask for more than websites, which only an event can match. */
export function everyWebsite(
  filters: readonly PlannedFilter[],
  inReach: readonly string[] | undefined,
): readonly string[] | undefined {
  const named = filters.map(namedBy);
  if (named.includes(null)) return undefined;
  return inReach?.filter((id) => named.every((ids) => ids?.includes(id)));
}

/** The websites that a filter names, and asks nothing else of events; null: it does. */
function namedBy(filter: PlannedFilter): readonly string[] | null {
  if (!('on' in filter) || filter.of !== 'event') return null;
  const isOfWebsites = 'column' in filter.on && filter.on.column === 'website_id';
  return isOfWebsites && (filter.op === 'eq' || filter.op === 'in') ? filter.values : null;
}
