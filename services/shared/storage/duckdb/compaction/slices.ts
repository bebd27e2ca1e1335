/** Cuts the events of a range of commits, ordered by website and instant, into slices, and rewrites one slice per commit. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { COMMIT_COLUMN, EVENT_TABLE } from '../event-table.ts';
import { type CommitRange, countIn, inRange } from './sorted-runs.ts';

/**
 * A position in the order of a run: events of a website at one instant, stored by one commit. Even when many events
 * share an instant, few share a position. Those without a website come first, under ''.
 */
interface Place {
  readonly websiteId: string;
  /** Microseconds. */
  readonly timestamp: bigint;
  /** Instant of the commit, in microseconds. */
  readonly commit: bigint;
}

/** The order of a run. */
export const ORDER = `coalesce(website_id, ''), "timestamp", "${COMMIT_COLUMN}"`;

/** Events between two positions. */
export interface Slice {
  /** Exclusive; null: from the first event. */
  readonly after: Place | null;
  /** Inclusive; null: up to the last event. */
  readonly through: Place | null;
}

/** Row numbers from here on belong to rows that the running transaction itself has inserted. */
const FIRST_OWN_ROW = 2n ** 47n;

/** One event in this many is sampled to find where to cut. */
const SAMPLED = 61;

/** Slices of nearly the same size: about `events` at most. */
export async function slicesOf(
  connection: DuckDBConnection,
  range: CommitRange,
  events: number,
): Promise<Slice[]> {
  const count = Math.ceil((await countIn(connection, range)) / events);
  const places = count < 2 ? [] : await cuts(connection, range, count);
  return [null, ...places].map((after, i) => ({ after, through: places[i] ?? null }));
}

/** The positions that cut the range into `count` parts; fewer where a large commit shares one position. */
async function cuts(connection: DuckDBConnection, range: CommitRange, count: number): Promise<Place[]> {
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT last.website, last.instant, last.stored FROM (
       SELECT max({website: website, instant: instant, stored: stored}) AS last FROM (
         SELECT website, instant, stored, ntile(${count}) OVER (ORDER BY website, instant, stored) AS part
         FROM (SELECT coalesce(website_id, '') AS website, epoch_us("timestamp") AS instant, epoch_us("${COMMIT_COLUMN}") AS stored
           FROM ${EVENT_TABLE} WHERE ${inRange(range)} AND rowid % ${SAMPLED} = 0))
       WHERE part < ${count} GROUP BY part) ORDER BY 1, 2, 3`,
  );
  return reader.getRows().map(([website, timestamp, commit]) => ({
    websiteId: String(website),
    timestamp: BigInt(String(timestamp)),
    commit: BigInt(String(commit)),
  }));
}

/** Ranges of more slices are taken as they are: looking through all of their events at once takes too long. */
const MOST_LOOKED_THROUGH = 10;

/**
 * The columns to rewrite, as SQL names. Of new events only those that any of them fills, and the instant of the commit: most websites
 * fill a third, and sorting the others takes a fifth of what a slice costs.
 */
export async function columnsOf(
  connection: DuckDBConnection,
  range: CommitRange,
  slices: readonly Slice[],
): Promise<readonly string[]> {
  const names = (await connection.runAndReadAll(`SELECT * FROM ${EVENT_TABLE} LIMIT 0`)).columnNames();
  const columns = names.map((name) => `"${name}"`);
  if (slices.length > MOST_LOOKED_THROUGH) return columns;
  const counts = columns.map((column) => `count(${column})`).join(', ');
  const reader = await connection.runAndReadAll(
    `SELECT ${counts} FROM ${EVENT_TABLE} WHERE ${inRange(range)}`,
  );
  const filled = reader.getRows()[0] ?? [];
  return columns.filter((_, place) => filled[place] !== 0n || names[place] === COMMIT_COLUMN);
}

/**
 * Rewrites the events of the slice in order, deletes the old rows, and returns how many there are. `columns`: those of
 * {@link columnsOf}; all others are null. Runs in the transaction of `connection`.
 * @throws Error when what was written is not what was deleted
 */
export async function rewriteSlice(
  connection: DuckDBConnection,
  range: CommitRange,
  slice: Slice,
  columns: readonly string[],
): Promise<number> {
  const events = `${inRange(range)}${inSlice(slice)}`;
  const list = columns.join(', ');
  const written = await connection.run(
    `INSERT INTO ${EVENT_TABLE} (${list}) SELECT ${list} FROM ${EVENT_TABLE} WHERE ${events} ORDER BY ${ORDER}`,
  );
  const deleted = await connection.run(
    `DELETE FROM ${EVENT_TABLE} WHERE ${events} AND rowid < ${FIRST_OWN_ROW}`,
  );
  if (written.rowsChanged !== deleted.rowsChanged) {
    throw new Error(`compaction wrote ${written.rowsChanged} events in place of ${deleted.rowsChanged}`);
  }
  return written.rowsChanged;
}

/** The slice as a further condition. It compares `website_id` itself, so that the engine can skip row groups. */
function inSlice({ after, through }: Slice): string {
  const parts: string[] = [];
  if (after) parts.push(`${compared('>', after)}`);
  if (through) parts.push(`${compared('<', through)} OR ${isAt(through)}`);
  if (after && after.websiteId !== '') {
    parts.push(`website_id >= ${quoted(after.websiteId)}`);
    if (through) parts.push(`website_id <= ${quoted(through.websiteId)}`);
  }
  return parts.map((part) => ` AND (${part})`).join('');
}

function compared(operator: '<' | '>', { websiteId, timestamp, commit }: Place): string {
  const website = quoted(websiteId);
  const instant = `make_timestamp(${timestamp})`;
  return (
    `coalesce(website_id, '') ${operator} ${website} OR (coalesce(website_id, '') = ${website} AND ` +
    `("timestamp" ${operator} ${instant} OR ("timestamp" = ${instant} AND "${COMMIT_COLUMN}" ${operator} make_timestamp(${commit}))))`
  );
}

function isAt({ websiteId, timestamp, commit }: Place): string {
  return (
    `(coalesce(website_id, '') = ${quoted(websiteId)} AND "timestamp" = make_timestamp(${timestamp}) ` +
    `AND "${COMMIT_COLUMN}" = make_timestamp(${commit}))`
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
