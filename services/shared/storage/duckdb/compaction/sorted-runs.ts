/**
 * The sorted runs of the file, and which events to rewrite next. A run is a range of commits whose events are sorted by
 * website and instant, so that a query of one website skips nearly all row groups; runs of similar size are merged.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { COMMIT_COLUMN, EVENT_TABLE, RUN_TABLE } from '../event-table.ts';

/** Commits, by their instants in microseconds. */
export interface CommitRange {
  /** Exclusive. */
  readonly after: bigint;
  /** Inclusive. */
  readonly through: bigint;
}

export interface Run extends CommitRange {
  /** How many events it held when it was written; an erasure may leave fewer. */
  readonly events: number;
}

export interface RunSizes {
  /** How many new events are sorted into a run. */
  readonly runEvents: number;
  /** How many runs of similar size are merged into one. */
  readonly fanIn: number;
  /** A run of about this many events is not merged any further. */
  readonly largestRunEvents: number;
}

/** The share of a run's events that must be left; below it, the run is rewritten without the gaps. */
const LEAST_FULL = 0.75;

/** The events of these commits, as a condition. */
export function inRange({ after, through }: CommitRange): string {
  return `"${COMMIT_COLUMN}" > make_timestamp(${after}) AND "${COMMIT_COLUMN}" <= make_timestamp(${through})`;
}

/** The runs, ordered by their commits. */
export async function readRuns(connection: DuckDBConnection): Promise<Run[]> {
  const reader = await connection.runAndReadAll(
    `SELECT epoch_us(last_commit), events FROM ${RUN_TABLE} ORDER BY last_commit`,
  );
  let after = 0n;
  return reader.getRows().map(([last, events]) => {
    const run = { after, through: BigInt(String(last)), events: Number(events) };
    after = run.through;
    return run;
  });
}

/** Makes the commits of the range one run; part of the transaction that writes the last of its events. */
export async function recordRun(
  connection: DuckDBConnection,
  range: CommitRange,
  events: number,
): Promise<void> {
  const isMerged = `last_commit > make_timestamp(${range.after}) AND last_commit <= make_timestamp(${range.through})`;
  await connection.run(`DELETE FROM ${RUN_TABLE} WHERE ${isMerged}`);
  if (events === 0) return;
  await connection.run(`INSERT INTO ${RUN_TABLE} VALUES (make_timestamp(${range.through}), ${events})`);
}

/** What to rewrite next; null when nothing. `wereErased`: also look for runs that lost many events. */
export async function nextRange(
  connection: DuckDBConnection,
  sizes: RunSizes,
  wereErased: boolean,
): Promise<CommitRange | null> {
  const runs = await readRuns(connection);
  const unsorted = await unsortedRange(connection, runs.at(-1)?.through ?? 0n, sizes.runEvents);
  if (unsorted) return unsorted;
  return mergeable(runs, sizes) ?? (wereErased ? await firstWithGaps(connection, runs) : null);
}

/** The first events after the last run, when there are enough for a run. They lie in the order of their commits. */
async function unsortedRange(
  connection: DuckDBConnection,
  after: bigint,
  events: number,
): Promise<CommitRange | null> {
  const reader = await connection.runAndReadAll(
    `SELECT epoch_us("${COMMIT_COLUMN}") FROM ${EVENT_TABLE}
     WHERE "${COMMIT_COLUMN}" > make_timestamp(${after}) LIMIT 1 OFFSET ${events - 1}`,
  );
  const through = reader.getRows()[0]?.[0];
  return through === undefined ? null : { after, through: BigInt(String(through)) };
}

/** The first sequence of neighbours of similar size, or smaller, that is long enough to be merged. */
export function mergeable(runs: readonly Run[], sizes: RunSizes): CommitRange | null {
  const tierOf = ({ events }: Run) =>
    Math.max(0, Math.round(Math.log(events / sizes.runEvents) / Math.log(sizes.fanIn)));
  for (let tier = 0; sizes.runEvents * sizes.fanIn ** (tier + 1) <= sizes.largestRunEvents; tier++) {
    let stretch: Run[] = [];
    for (const run of runs) {
      stretch = tierOf(run) <= tier ? [...stretch, run] : [];
      const first = stretch[0];
      if (first && stretch.length === sizes.fanIn) return { after: first.after, through: run.through };
    }
  }
  return null;
}

async function firstWithGaps(
  connection: DuckDBConnection,
  runs: readonly Run[],
): Promise<CommitRange | null> {
  for (const run of runs) {
    if ((await countIn(connection, run)) < run.events * LEAST_FULL) return run;
  }
  return null;
}

/** The number of events in these commits. */
export async function countIn(connection: DuckDBConnection, range: CommitRange): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM ${EVENT_TABLE} WHERE ${inRange(range)}`,
  );
  return Number(reader.getRows()[0]?.[0]);
}
