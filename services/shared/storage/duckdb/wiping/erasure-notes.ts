/** The file's notes of requested erasures, kept until the bytes of the erased events have left the file. */
import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * One row per commit that erased; a row whose `wiped_at` is set says when the bytes of all earlier ones were wiped, or
 * the last attempt.
 */
const NOTE_TABLE = 'tidegate_erasures';

/** Created next to the tables of the schema, in files of every version: an earlier Tidegate ignores it. */
export const CREATE_NOTE_TABLE = `CREATE TABLE IF NOT EXISTS ${NOTE_TABLE} (number BIGINT NOT NULL, erased_at BIGINT NOT NULL, wiped_at BIGINT)`;

/** Instants in milliseconds; null for none. */
export interface ErasureNotes {
  /** The number of the latest erasure whose bytes are still there. */
  readonly latest: bigint | null;
  /** The instant of the earliest of these. */
  readonly since: number | null;
  /** When bytes were last wiped. */
  readonly wiped: number | null;
}

/** Notes that events were erased; part of the transaction that erases them. */
export async function noteErasure(connection: DuckDBConnection, at: number): Promise<void> {
  await connection.run(
    `INSERT INTO ${NOTE_TABLE} SELECT coalesce(max(number), 0) + 1, ${BigInt(at)}, NULL FROM ${NOTE_TABLE}`,
  );
}

export async function readErasures(connection: DuckDBConnection): Promise<ErasureNotes> {
  const reader = await connection.runAndReadAll(
    `SELECT max(number) FILTER (wiped_at IS NULL), min(erased_at) FILTER (wiped_at IS NULL), max(wiped_at) FROM ${NOTE_TABLE}`,
  );
  const [latest, since, wiped] = reader.getRows()[0] ?? [];
  const instant = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  return { latest: typeof latest === 'bigint' ? latest : null, since: instant(since), wiped: instant(wiped) };
}

/**
 * Leaves a note that says nothing, until the wipe ends: a checkpoint releases groups that others could not only when
 * something was written since.
 */
export async function noteNothing(connection: DuckDBConnection): Promise<void> {
  await connection.run(`INSERT INTO ${NOTE_TABLE} VALUES (0, 0, 0)`);
}

/**
 * Notes that a wipe ended at `at`; `through`: nothing is left of erasures up to this number. One commit; the
 * caller closes the connection, which rolls back what did not come to it.
 */
export async function noteWiping(connection: DuckDBConnection, at: number, through: bigint): Promise<void> {
  await connection.run('BEGIN');
  await connection.run(`DELETE FROM ${NOTE_TABLE} WHERE number <= ${through} OR wiped_at IS NOT NULL`);
  // Numbers continue from the highest: the note of the wipe keeps it.
  await connection.run(`INSERT INTO ${NOTE_TABLE} VALUES (${through}, ${BigInt(at)}, ${BigInt(at)})`);
  await connection.run('COMMIT');
}
