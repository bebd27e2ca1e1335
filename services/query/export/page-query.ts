/** The query for the next events of an export, in an order that no later event changes. */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { ENGINE_VERSION } from '../../shared/storage/duckdb/engine-version.ts';
import { EVENT_COLUMNS } from '../../shared/storage/event-columns.ts';
import type { Reach } from '../stages/resolve.ts';
import type { ExportPosition } from './export-cursor.ts';

/** The next events after some. */
export interface ExportPage {
  readonly reach: Reach;
  readonly after: ExportPosition;
  /** First instant after the range, in epoch milliseconds. */
  readonly to: number;
  readonly limit: number;
}

/** The column with the place of an event among those of its instant, as text. */
export const PLACE_COLUMN = 'place';

const COLUMNS = EVENT_COLUMNS.map(({ name }) => `"${name}"`).join(', ');

/** What the order depends on besides the events: another engine may hash otherwise. A cursor of another order is of no use. */
export const EXPORT_ORDER: readonly string[] = [ENGINE_VERSION, COLUMNS];

/** By instant, and at one instant by the hash of all that an event holds: it does not matter which of two alike comes first. */
export function pageQuery({ reach, after, to, limit }: ExportPage): CompiledQuery {
  const ofOrganization = reach.organizationEvents ? ' OR website_id IS NULL' : '';
  return {
    engine: 'duckdb',
    sql: `SELECT ${COLUMNS}, hash(${COLUMNS})::VARCHAR AS ${PLACE_COLUMN} FROM events
WHERE organization_id = $organization AND (website_id IN (SELECT unnest($websites))${ofOrganization})
  AND "timestamp" >= make_timestamp_ms($at) AND "timestamp" < make_timestamp_ms($to)
  AND ("timestamp" > make_timestamp_ms($at) OR hash(${COLUMNS}) >= $place::UBIGINT)
ORDER BY "timestamp", hash(${COLUMNS})
LIMIT $limit OFFSET $given`,
    params: {
      organization: reach.organizationId,
      websites: reach.websiteIds,
      at: after.at,
      place: after.place,
      given: after.given,
      to,
      limit,
    },
  };
}
