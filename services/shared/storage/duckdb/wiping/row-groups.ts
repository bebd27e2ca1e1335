/** Lists the row groups of the file, and moves their remaining events elsewhere. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Engine } from '../engine.ts';
import { EVENT_TABLE } from '../event-table.ts';

/** Rows that the engine stores together; `from` and `to` (exclusive) are row numbers, valid until the next checkpoint. */
export interface RowGroup {
  readonly from: number;
  readonly to: number;
  /** How many of its rows are left. */
  readonly events: number;
}

const GROUPS = `SELECT sum(count)::BIGINT FROM pragma_storage_info('${EVENT_TABLE}')
  WHERE column_name = 'organization_id' AND segment_type <> 'VALIDITY' GROUP BY row_group_id ORDER BY row_group_id`;

/**
 * The groups in order, including those without any row left. Row numbers change only at a checkpoint while nothing
 * reads, so a reading transaction keeps them; sizes come from the connection of the appends, so that none is half done.
 */
export async function rowGroups(engine: Engine): Promise<RowGroup[]> {
  const holding = await engine.connect();
  const counting = await engine.connect();
  try {
    await holding.run('BEGIN');
    await holding.runAndReadAll(`SELECT count(*) FROM ${EVENT_TABLE} WHERE rowid = 0`);
    const sizes = await engine.readBetweenAppends(GROUPS);
    const groups: RowGroup[] = [];
    let from = 0;
    for (const [size] of sizes) {
      const to = from + Number(size);
      const events = await countBetween(counting, from, to);
      groups.push({ from, to, events });
      from = to;
    }
    return groups;
  } finally {
    counting.closeSync();
    holding.closeSync();
  }
}

async function countBetween(connection: DuckDBConnection, from: number, to: number): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM ${EVENT_TABLE} WHERE rowid >= ${from} AND rowid < ${to}`,
  );
  return Number(reader.getRows()[0]?.[0]);
}

/** The first events, up to a row. */
export interface Part {
  /** Exclusive. */
  readonly to: number;
  /** How many events there are from the previous part on. */
  readonly events: number;
}

/** Parts of the groups, in order, with at most `events` events unless a single group has more. */
export function partsOf(groups: readonly RowGroup[], events: number): Part[] {
  const parts: Part[] = [];
  for (const group of groups) {
    const last = parts.at(-1);
    if (last && last.events + group.events <= events) {
      parts[parts.length - 1] = { to: group.to, events: last.events + group.events };
    } else {
      parts.push({ to: group.to, events: group.events });
    }
  }
  return parts.filter((part) => part.events > 0);
}

/**
 * Rewrites the events up to the end of the part after all others, in `order`, and deletes the old rows, in one commit;
 * returns how many. Null when there are more than the part has: a checkpoint has renumbered the rows. The caller closes the
 * connection, which rolls back what did not come to its commit.
 * @throws Error when what was written is not what was deleted
 */
export async function moveEvents(
  connection: DuckDBConnection,
  { to, events }: Part,
  order: string,
): Promise<number | null> {
  await connection.run('BEGIN');
  if ((await countBetween(connection, 0, to)) > events) return null;
  const first = `FROM ${EVENT_TABLE} WHERE rowid < ${to}`;
  const written = await connection.run(`INSERT INTO ${EVENT_TABLE} SELECT * ${first} ORDER BY ${order}`);
  const moved = await connection.run(`DELETE ${first}`);
  if (written.rowsChanged !== moved.rowsChanged) {
    throw new Error(`wiping wrote ${written.rowsChanged} events in place of ${moved.rowsChanged}`);
  }
  await connection.run('COMMIT');
  return moved.rowsChanged;
}
