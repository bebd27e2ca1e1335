/** The filter that keeps the events which a goal, a step of a funnel or the like means. */
import type { EventCondition, EventMatch } from '../../shared/model/event-match.ts';
import { PROPERTY_PREFIX } from '../catalogue/event-filters.ts';
import { PAGEVIEW_EVENT } from '../catalogue/measures.ts';
import type { PlannedFilter } from './query-plan.ts';

export function matchFilter({ type, match, conditions = [] }: EventMatch): PlannedFilter {
  const values = [match.value].flat();
  const named: PlannedFilter = {
    on: { column: type === 'page' ? 'path' : 'event_name' },
    op: match.op,
    values,
    of: 'event',
  };
  const pageview: PlannedFilter = {
    on: { column: 'event_name' },
    op: 'eq',
    values: [PAGEVIEW_EVENT],
    of: 'event',
  };
  return {
    all: [...(type === 'page' ? [pageview] : []), named, ...conditions.map((each) => conditionFilter(each))],
  };
}

function conditionFilter({ field, op, value }: EventCondition): PlannedFilter {
  const values = value === undefined ? [] : [value].flat().map(String);
  return { on: { property: field.slice(PROPERTY_PREFIX.length) }, op, values, of: 'event' };
}
