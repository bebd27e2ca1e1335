/**
 * The sorted runs of the file, and which events to rewrite next. A run is a stretch of commits whose events lie ordered by
 * website and instant, so that a query of one website skips nearly all row groups; runs of like size are merged into one.
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
  /** Events that it held when it was written; fewer are left after an erasure. */
  readonly events: number;
}

export interface RunSizes {
  /** Events that come before they are sorted into a run. */
  readonly runEvents: number;
  /** Runs of like size that are merged into one. */
  readonly fanIn: number;
  /** A run of about this many events is merged no further. */
  readonly largestRunEvents: number;
}

/** Of the events of a run so many must be left, or it is written again without the gaps. */
const LEAST_FULL = 0.75;

/** The events of these commits, as a condition. */
export function inRange({ after, through }: CommitRange): string {
  return `"${COMMIT_COLUMN}" > make_timestamp(${after}) AND "${COMMIT_COLUMN}" <= make_timestamp(${through})`;
}

/** The runs by their commits. */
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

/** What is to be rewritten next; null for nothing. `wereErased`: look also for runs of which much is gone. */
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

/** The first events behind the last run, when there are enough for a run. They lie in the order of their commits. */
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

/** The first stretch of neighbours of like size, or smaller, that is long enough to be merged. */
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

/** How many events of these commits there are. */
export async function countIn(connection: DuckDBConnection, range: CommitRange): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM ${EVENT_TABLE} WHERE ${inRange(range)}`,
  );
  return Number(reader.getRows()[0]?.[0]);
}
