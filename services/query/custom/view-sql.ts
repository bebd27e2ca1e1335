/** The views of custom SQL over the table of copied events: their statements, and which columns a query needs copied. */
import {
  NUMBER_COLUMNS,
  type NumberColumn,
  RESERVED_EVENT_NAMES,
  TEXT_COLUMNS,
  type TextColumn,
} from '../../shared/model/event-record.ts';
import { EVENT_COLUMNS } from '../../shared/storage/event-columns.ts';
import { VIEWS } from '../views.ts';
import type { CheckedQuery } from './sandbox-messages.ts';

/** The table of copied events; no query can name it. */
export const ROWS_TABLE = 'tidegate_rows';

type CopiedColumn = TextColumn | NumberColumn;
const COPIED: readonly CopiedColumn[] = [...TEXT_COLUMNS, ...NUMBER_COLUMNS];

/** The columns that the view of sessions is built from, besides the instant. */
const OF_SESSIONS: readonly CopiedColumn[] = [
  'event_name',
  'session_id',
  'anonymous_id',
  'path',
  'referrer_host',
  'country',
  'device_type',
  'browser_name',
  'os_name',
];

/** The columns that must be copied for a query. The event's name is always included, since it separates the views. */
export function columnsFor({ views, columns }: CheckedQuery): readonly CopiedColumn[] {
  if (columns === null && views.some((view) => view !== 'sessions')) return COPIED;
  const needed = new Set<string>(['event_name', ...(columns ?? [])]);
  if (views.includes('sessions')) for (const column of OF_SESSIONS) needed.add(column);
  return COPIED.filter((column) => needed.has(column));
}

/** Which events each view shows; every view but `sessions` has the columns of an event. */
const CONDITIONS: Readonly<Record<string, string>> = {
  events: 'true',
  pageviews: "event_name = 'screen_view'",
  custom_events: `event_name NOT IN (${RESERVED_EVENT_NAMES.map((name) => `'${name}'`).join(', ')})`,
  errors: "event_name = 'error'",
  web_vitals: "event_name = 'web_vitals'",
  link_clicks: "event_name = 'link_click'",
};

const TYPES = new Map<string, string>(EVENT_COLUMNS.map(({ name, type }) => [name, type]));

/** Statements that create the views over the copied columns; columns that were not copied are null in every row. */
export function viewStatements(copied: readonly CopiedColumn[]): string[] {
  const there = new Set<string>(['timestamp', 'is_bot', ...copied]);
  const list = (VIEWS.events ?? [])
    .map(({ name }) => (there.has(name) ? `"${name}"` : `CAST(NULL AS ${TYPES.get(name)}) AS "${name}"`))
    .join(', ');
  const statements = Object.entries(CONDITIONS).map(
    ([view, condition]) => `CREATE VIEW ${view} AS SELECT ${list} FROM ${ROWS_TABLE} WHERE ${condition}`,
  );
  if (OF_SESSIONS.every((column) => there.has(column))) statements.push(SESSIONS);
  return statements;
}

const PAGEVIEW = `FILTER (WHERE event_name = 'screen_view')`;
const first = (column: string) => `arg_min(${column}, "timestamp") AS ${column}`;

/** Crawlers have no sessions. */
const SESSIONS = `CREATE VIEW sessions AS SELECT session_id, ${first('anonymous_id')},
  min("timestamp") AS started_at, max("timestamp") AS ended_at,
  (epoch_ms(max("timestamp")) - epoch_ms(min("timestamp"))) / 1000 AS duration_seconds,
  count(*) ${PAGEVIEW} AS pageviews, count(*) AS events,
  arg_min(path, "timestamp") ${PAGEVIEW} AS entry_path, arg_max(path, "timestamp") ${PAGEVIEW} AS exit_path,
  count(*) ${PAGEVIEW} = 1 AS is_bounce, arg_min_null(referrer_host, "timestamp") AS referrer_host,
  ${['country', 'device_type', 'browser_name', 'os_name'].map(first).join(', ')}
FROM ${ROWS_TABLE} WHERE session_id <> '' AND NOT is_bot GROUP BY session_id`;
