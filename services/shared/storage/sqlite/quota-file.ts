/** The SQLite file of quotas: what was counted of each day or month, so that it outlives the process that counted it. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import type { SqliteDatabase, SqliteStatement } from './open-database.ts';

/** One period of a quota of one subject. */
export interface QuotaCount {
  readonly subject: string;
  readonly name: string;
  /** When the period ends, in epoch milliseconds. */
  readonly endsAtMs: number;
  /** Until when the count is kept: longer than its period, since a clock may have been ahead. */
  readonly keptUntilMs: number;
  /** It counts for an address: anybody can make such counts, so they have a share of the file. */
  readonly isOfAddress: boolean;
  /** What is to be added. */
  readonly amount: number;
}

/** How long a statement waits for another process that counts in the file, in milliseconds; it blocks the event loop. */
const BUSY_TIMEOUT_MS = 10;
/** About 200 MB. What is beyond it counts in memory alone, so that strangers cannot fill the disk. */
const MOST_ROWS = 1_000_000;
/** The share of the rows that addresses have for themselves. */
const ADDRESS_SHARE = 0.25;
/** How many ended counts are removed at a time: about a millisecond. */
const REMOVED_AT_ONCE = 200;
/** After how many counts the log is brought into the file, should it come before `settle`: the more, the longer it takes. */
const COUNTS_PER_CHECKPOINT = 1_000;

/** Triggers keep the number of rows: exact for any number of processes, and nothing is scanned to learn it. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS quota_counts (
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  kept_until INTEGER NOT NULL,
  of_address INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (subject, name, ends_at)
) STRICT;
CREATE INDEX IF NOT EXISTS quota_counts_by_end ON quota_counts (kept_until);
CREATE TABLE IF NOT EXISTS quota_rows (of_address INTEGER PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO quota_rows VALUES (0, 0), (1, 0);
CREATE TRIGGER IF NOT EXISTS quota_counts_insert AFTER INSERT ON quota_counts
  BEGIN UPDATE quota_rows SET rows = rows + 1 WHERE of_address = NEW.of_address; END;
CREATE TRIGGER IF NOT EXISTS quota_counts_delete AFTER DELETE ON quota_counts
  BEGIN UPDATE quota_rows SET rows = rows - 1 WHERE of_address = OLD.of_address; END;
`;

/**
 * Counts that {@link add} returned are in the file, whatever becomes of the process; a loss of power takes what came
 * after the last {@link settle}. After a fault the file must be closed.
 */
export class QuotaFile {
  readonly #database: SqliteDatabase;
  readonly #begin: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #read: SqliteStatement;
  readonly #add: SqliteStatement;
  readonly #remove: SqliteStatement;
  readonly #checkpoint: SqliteStatement;
  readonly #mostOfAddresses: number;
  readonly #mostOfOthers: number;
  /** How many counts the log has that are not known to be on the disk. */
  #unsettled = 0;

  /** Creates the file when it is absent, readable only by its owner. @throws Error when it cannot be opened */
  constructor(path: string, mostRows = MOST_ROWS) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.prepare('PRAGMA journal_mode = WAL').get();
      // A commit is with the operating system when it returns; the checkpoints of `settle` bring it to the disk.
      database.exec('PRAGMA synchronous = NORMAL');
      database.exec(SCHEMA);
      this.#begin = database.prepare('BEGIN IMMEDIATE');
      this.#commit = database.prepare('COMMIT');
      this.#read = database.prepare(
        'SELECT count FROM quota_counts WHERE subject = ? AND name = ? AND ends_at = ?',
      );
      this.#add = database.prepare(
        `INSERT INTO quota_counts (subject, name, ends_at, kept_until, of_address, count)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6
         WHERE (SELECT rows FROM quota_rows WHERE of_address = ?5) < ?7
           OR EXISTS (SELECT 1 FROM quota_counts WHERE subject = ?1 AND name = ?2 AND ends_at = ?3)
         ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`,
      );
      this.#remove = database.prepare(
        `DELETE FROM quota_counts WHERE rowid IN
           (SELECT rowid FROM quota_counts WHERE kept_until <= ? LIMIT ${REMOVED_AT_ONCE})`,
      );
      this.#checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (fault) {
      database.close();
      throw fault;
    }
    this.#database = database;
    this.#mostOfAddresses = Math.floor(mostRows * ADDRESS_SHARE);
    this.#mostOfOthers = mostRows - this.#mostOfAddresses;
  }

  /** What is counted of this period; 0 when nothing is. */
  count({ subject, name, endsAtMs }: Pick<QuotaCount, 'subject' | 'name' | 'endsAtMs'>): number {
    return (this.#read.get(subject, name, endsAtMs) as { count: number } | undefined)?.count ?? 0;
  }

  /** Adds to these counts, to all or to none; returns the sums, null for each new one that has no room. */
  add(counts: readonly QuotaCount[]): (number | null)[] {
    if (counts.length === 0) return [];
    if (this.#unsettled >= COUNTS_PER_CHECKPOINT) this.#bringToDisk();
    this.#unsettled += counts.length;
    if (counts.length === 1) return [this.#addOne(counts[0] as QuotaCount)];
    this.#begin.run();
    const sums = counts.map((count) => this.#addOne(count));
    this.#commit.run();
    return sums;
  }

  /** Brings what was added to the disk, and removes some of what is not kept any longer. */
  settle(nowMs: number): void {
    const { changes } = this.#remove.run(nowMs);
    if (this.#unsettled > 0 || changes > 0) this.#bringToDisk();
  }

  close(): void {
    this.#database.close();
  }

  #bringToDisk(): void {
    this.#checkpoint.all();
    this.#unsettled = 0;
  }

  #addOne({ subject, name, endsAtMs, keptUntilMs, isOfAddress, amount }: QuotaCount): number | null {
    const most = isOfAddress ? this.#mostOfAddresses : this.#mostOfOthers;
    const found = this.#add.get(subject, name, endsAtMs, keptUntilMs, isOfAddress ? 1 : 0, amount, most);
    return (found as { count: number } | undefined)?.count ?? null;
  }
}
