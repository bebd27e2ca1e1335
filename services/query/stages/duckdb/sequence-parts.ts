/** What the statement of a sequence consists of, and whether an event matches, as a column of its scan. */
import type { PlannedFilter } from '../query-plan.ts';
import { filterSql } from './filter-sql.ts';
import type { Bind } from './text-sql.ts';

export interface SequenceSql {
  /** What the scan `e` selects besides instants, buckets and dimensions. */
  readonly columns: readonly string[];
  /** Queries over `e`; the last is `r`, with the measures, the dimensions and the bucket of the rows. */
  readonly sources: readonly string[];
}

/** Never NULL. `filter`: one of events; null: every event. */
export function matchColumn(filter: PlannedFilter | null, as: string, bind: Bind): string {
  // Filters of events read no other events.
  return `${filter ? `coalesce(${filterSql(filter, 'true', bind)}, false)` : 'true'} AS ${as}`;
}
