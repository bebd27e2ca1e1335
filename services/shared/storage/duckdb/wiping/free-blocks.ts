/** Overwrites the free blocks of the file: the engine leaves their old content in them. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { DATABASE, ROW_GROUP_ROWS } from '../file-layout.ts';

/** A table that takes every free block; if a killed process leaves one, it is dropped when the file is opened. */
const FILLER_TABLE = 'tidegate_filler';
export const DROP_FILLER = `DROP TABLE IF EXISTS ${FILLER_TABLE}`;

/**
 * Blocks per step: 16 MB. One group of its rows nearly fills a block, and the engine zeroes the rest. Its numbers differ,
 * since equal ones would be compressed to nothing.
 */
export const STEP_BLOCKS = 64;

export async function createFiller(connection: DuckDBConnection): Promise<void> {
  await connection.run(DROP_FILLER);
  await connection.run(`CREATE TABLE ${FILLER_TABLE} (number BIGINT USING COMPRESSION uncompressed)`);
}

/**
 * Takes this many blocks, at the next checkpoint at the latest, free ones first. A few go through the log, the others
 * straight into the file.
 */
export async function fillBlocks(connection: DuckDBConnection, blocks: number): Promise<void> {
  await connection.run(`INSERT INTO ${FILLER_TABLE} SELECT range FROM range(${blocks * ROW_GROUP_ROWS})`);
}

export async function dropFiller(connection: DuckDBConnection): Promise<void> {
  await connection.run(DROP_FILLER);
}

export async function freeBlocks(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT free_blocks FROM pragma_database_size() WHERE database_name = '${DATABASE}'`,
  );
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
