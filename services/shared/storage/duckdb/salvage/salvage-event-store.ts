/** Saves what can be read of a damaged event store into a new file; the old one is kept next to it, unchanged. */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createInstance } from '../create-instance.ts';
import { openInstance } from '../open-instance.ts';
import { takeOwnerLock } from '../owner-lock.ts';
import { type CopiedRows, copyRows, DAMAGED } from './copy-rows.ts';
import { commitsOf, damageIn, isLog, withoutCommitAt } from './damaged-log.ts';

/** How many damaged commits are dropped one by one; with more, the rest of the log is dropped. */
const MOST_DAMAGED_COMMITS = 200;
const ENGINE = { memoryLimit: '1GB', threads: 2 } as const;

export interface SalvageReport extends Omit<CopiedRows, 'events'> {
  /** Events that the store held, by its own count; null when unknown: an older state does not know what came later. */
  readonly events: number | null;
  /** `sound`: everything can be read, and nothing was changed. */
  readonly outcome: 'sound' | 'salvaged';
  /** Commits of the log that were dropped. */
  readonly commitsLost: number;
  /** Whether nothing of the log could be read: what came since the last checkpoint is lost. */
  readonly isLogLost: boolean;
  /** Whether only the state before the last checkpoint could be read. */
  readonly isOlderState: boolean;
  /** Where the damaged files are now; null when nothing was changed. */
  readonly keptAs: string | null;
}

/** A way to open the damaged file; the files of the attempt are at `path`. */
interface Source {
  readonly path: string;
  readonly commitsLost: number;
  readonly isLogLost: boolean;
  readonly isOlderState: boolean;
}

/**
 * Salvages the store at `path`; `suffix` names the kept files. It needs as much free space as the store has.
 * @throws OwnedElsewhereError while a process has it open; Error when nothing of it can be read (nothing was changed)
 */
export async function salvageEventStore(path: string, suffix: string): Promise<SalvageReport> {
  const file = resolve(path);
  const lock = takeOwnerLock(file);
  const scratch = mkdtempSync(join(dirname(file), 'salvage-'));
  try {
    const target = join(scratch, 'salvaged.duckdb');
    const { source, rows } = await readInto(target, file, scratch);
    const { commitsLost, isLogLost, isOlderState } = source;
    const losses = { commitsLost, isLogLost, isOlderState };
    const isWhole = rows.copied === rows.events && rows.withGaps === 0;
    if (isWhole && !lostAny(source)) return { ...rows, outcome: 'sound', ...losses, keptAs: null };
    const keptAs = `${file}.${suffix}`;
    // This order leaves a store in place at every moment: a start in between does not create an empty one.
    linkSync(file, keptAs);
    if (existsSync(`${file}.wal`)) renameSync(`${file}.wal`, `${keptAs}.wal`);
    renameSync(target, file);
    const events = isOlderState ? null : rows.events;
    return { ...rows, events, outcome: 'salvaged', ...losses, keptAs };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}

/** Whether the source lacks something that was there. */
function lostAny({ commitsLost, isLogLost, isOlderState }: Source): boolean {
  return commitsLost > 0 || isLogLost || isOlderState;
}

/** Copies the events of the first state of the file that is partly readable to `target`. */
async function readInto(target: string, file: string, scratch: string) {
  let fault: unknown;
  for (const makeSource of [withLog, withoutLog, olderState]) {
    try {
      const source = await makeSource(file, scratch);
      rmSync(target, { force: true });
      const rows = await copyAll(source.path, target);
      // Replacing a store full of events by an empty one saves nothing, and would look like success.
      if (rows.copied === 0 && (rows.events > 0 || lostAny(source))) {
        throw new Error('the file opens, but no event can be read');
      }
      return { source, rows };
    } catch (cause) {
      fault ??= cause;
    }
  }
  const reason = fault instanceof Error ? fault.message : String(fault);
  throw new Error(
    `Nothing of ${file} can be read; nothing was changed. Restore it from a backup, or move it and its log away to start empty. (${reason})`,
    {
      cause: fault,
    },
  );
}

/** The file with its log, minus the damaged commits of the log. */
async function withLog(file: string, scratch: string): Promise<Source> {
  const path = join(scratch, basename(file));
  linkSync(file, path);
  if (!existsSync(`${file}.wal`)) return { path, commitsLost: 0, isLogLost: false, isOlderState: false };
  let log: Buffer = readFileSync(`${file}.wal`);
  if (!isLog(log)) return { path, commitsLost: 0, isLogLost: true, isOlderState: false };
  const before = commitsOf(log).length;
  writeFileSync(`${path}.wal`, log);
  for (let tries = 0; ; tries++) {
    const fault = await openingFault(path);
    const commitsLost = before - commitsOf(log).length;
    if (fault === null) {
      // A commit whose end is missing was not counted.
      const lost = tries > 0 ? Math.max(1, commitsLost) : 0;
      return { path, commitsLost: lost, isLogLost: false, isOlderState: false };
    }
    const position = damageIn(fault);
    if (position === null) throw fault;
    log = tries < MOST_DAMAGED_COMMITS ? withoutCommitAt(log, position) : log.subarray(0, position);
    writeFileSync(`${path}.wal`, log);
  }
}

/** The file as of its last checkpoint: its log cannot be read at all. */
async function withoutLog(file: string, scratch: string): Promise<Source> {
  const path = join(scratch, 'without-log.duckdb');
  linkSync(file, path);
  return { path, ...lostLog(file), isOlderState: false };
}

/** The file as of the checkpoint before: the data of its newest header cannot be read. */
async function olderState(file: string, scratch: string): Promise<Source> {
  const path = join(scratch, 'older-state.duckdb');
  copyOlderState(file, path);
  return { path, ...lostLog(file), isOlderState: true };
}

function lostLog(file: string) {
  const isLogLost = existsSync(`${file}.wal`);
  return { isLogLost, commitsLost: isLogLost ? commitsOf(readFileSync(`${file}.wal`)).length : 0 };
}

/** Why the file does not open; null when it does. Nothing is written: the content of the log stays in memory. */
async function openingFault(path: string): Promise<unknown> {
  try {
    const instance = await createInstance({ access_mode: 'READ_ONLY', memory_limit: '1GB' }, path);
    instance.closeSync();
    return null;
  } catch (fault) {
    return fault;
  }
}

async function copyAll(source: string, target: string): Promise<CopiedRows> {
  const { instance: made, connection: first } = await openInstance({ path: target, ...ENGINE });
  first.closeSync();
  made.closeSync();
  const instance = await createInstance({ memory_limit: '1GB', threads: '2' }, target);
  const connection: DuckDBConnection = await instance.connect();
  try {
    await connection.run(`ATTACH '${source.replaceAll("'", "''")}' AS ${DAMAGED} (READ_ONLY)`);
    const rows = await copyRows(connection);
    await connection.run(`DETACH ${DAMAGED}`);
    await connection.run('CHECKPOINT');
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const HEADER_BYTES = 4_096;
/** Positions of the two headers, after the main one. */
const HEADERS = [HEADER_BYTES, 2 * HEADER_BYTES] as const;
/** In a header, after its checksum: how many checkpoints were written. */
const ITERATION_OFFSET = 8;

/** Copies the file to `to`, with the older header in both positions. */
function copyOlderState(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  try {
    const headers = HEADERS.map((position) => {
      const header = Buffer.alloc(HEADER_BYTES);
      readSync(file, header, 0, HEADER_BYTES, position);
      return { position, header, iteration: header.readBigUInt64LE(ITERATION_OFFSET) };
    });
    const [older, newer] = headers.sort((a, b) => (a.iteration < b.iteration ? -1 : 1));
    if (older && newer) writeSync(file, older.header, 0, HEADER_BYTES, newer.position);
  } finally {
    closeSync(file);
  }
}
