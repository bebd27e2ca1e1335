/** Exports raw events page by page, each of a size that memory holds, up to a limit after which a cursor goes on. */
import type { EventStore, RawRow } from '../../shared/ports/event-store.ts';
import { EVENT_COLUMNS } from '../../shared/storage/event-columns.ts';
import type { Reach } from '../stages/resolve.ts';
import type { TimeRange } from '../time/buckets.ts';
import { type ExportPosition, positionAt } from './export-cursor.ts';
import { EXPORT_ORDER, PLACE_COLUMN, pageQuery } from './page-query.ts';

/** Events of the first page, and the most of any; later pages aim at so many bytes of JSON. */
const FIRST_PAGE = 100;
const LARGEST_PAGE = 10_000;
const PAGE_BYTES = 8 * 1024 * 1024;

/** What is exported. */
export interface ExportSelection {
  readonly reach: Reach;
  readonly range: TimeRange;
  /** Where an earlier export ended; null: from the beginning. */
  readonly after: ExportPosition | null;
  /** How many events are given at most. */
  readonly limit: number;
}

/** Some events, also as lines of JSON, and where the export stands behind them; null: at its end. */
export interface ExportedPage {
  readonly rows: readonly RawRow[];
  readonly lines: string;
  readonly next: ExportPosition | null;
}

/** What a cursor is bound to: it goes on with the same events in the same order only. `websiteId` null: the organization. */
export function cursorScope(organizationId: string, websiteId: string | null, range: TimeRange): unknown {
  return [organizationId, websiteId, range.from, range.to, ...EXPORT_ORDER];
}

/** By time: every event that was stored before the first call, once. Of later ones those at places that were not passed. */
export async function* exportEvents(
  { reach, range, after, limit }: ExportSelection,
  events: EventStore,
  signal: AbortSignal,
): AsyncGenerator<ExportedPage> {
  let position = after ?? positionAt(range.from);
  let left = limit;
  let size = FIRST_PAGE;
  while (left > 0) {
    const wanted = Math.min(size, left);
    const rest = { from: position.at, to: range.to };
    // One more tells whether any are left.
    const query = pageQuery({ reach, after: position, to: range.to, limit: wanted + 1 });
    const rows = await events.run(query, { reach: { ...reach, range: rest }, signal });
    const page = rows.slice(0, wanted);
    const lines = page.map((row) => `${JSON.stringify(eventOf(row))}\n`).join('');
    const isLast = rows.length <= wanted;
    position = behind(page, position);
    yield { rows: page, lines, next: isLast ? null : position };
    if (isLast) return;
    left -= page.length;
    size = Math.max(1, Math.min(LARGEST_PAGE, Math.floor((PAGE_BYTES * page.length) / lines.length)));
  }
}

/** The position behind the last of these events, which followed `before`. */
function behind(page: readonly RawRow[], before: ExportPosition): ExportPosition {
  const last = page.at(-1);
  if (last === undefined) return before;
  const at = Number(last.timestamp);
  const place = String(last[PLACE_COLUMN]);
  const alike = page.filter((row) => row.timestamp === at && row[PLACE_COLUMN] === place).length;
  const isFurther = at !== before.at || place !== before.place;
  return { at, place, given: isFurther ? alike : before.given + alike };
}

/** An event as it is exported: columns with a value, the instant as ISO 8601, properties as an object. */
function eventOf(row: RawRow): Record<string, unknown> {
  const event: Record<string, unknown> = {};
  for (const { name } of EVENT_COLUMNS) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    if (name === 'timestamp') event[name] = new Date(Number(value)).toISOString();
    else if (name === 'properties') event[name] = JSON.parse(String(value));
    else event[name] = value;
  }
  return event;
}
