/**
 * The one connection of a process to the document file: it keeps prepared statements and turns every fault into a public
 * one.
 */
import { ApiError } from '../../errors/api-error.ts';
import { BUSY_TIMEOUT_MS, type SqliteDatabase, type SqliteStatement } from './open-database.ts';

const UNIQUE_VIOLATION = /^UNIQUE constraint failed: (.+)$/;

type Values = readonly (string | number)[];

/** How long after a deletion the write-ahead log, which still holds the deleted data, is emptied, in milliseconds. */
const EMPTY_LOG_AFTER_MS = 5_000;

/** Runs statements; when the store cannot, SERVICE_UNAVAILABLE with the fault as cause, never with SQL in its text. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #emptyLogAfterMs: number;
  #emptying: NodeJS.Timeout | undefined;
  #open = true;

  constructor(database: SqliteDatabase, emptyLogAfterMs = EMPTY_LOG_AFTER_MS) {
    this.#database = database;
    this.#emptyLogAfterMs = emptyLogAfterMs;
  }

  /** The rows of a query. */
  all(sql: string, values: Values): unknown[] {
    return this.#guard(() => this.#statement(sql).all(...values));
  }

  /**
   * The number of rows that a write changed; it is on disk when this returns.
   * `toDuplicate` names the violated unique index, as SQLite calls it, in the caller's words.
   */
  run(sql: string, values: Values, toDuplicate: (violated: string) => Error | null): number {
    return this.#guard(
      () => this.#statement(sql).run(...values).changes,
      (error) => {
        const violated = UNIQUE_VIOLATION.exec(error.message)?.[1];
        return violated === undefined ? null : toDuplicate(violated);
      },
    );
  }

  /**
   * Checkpoints the write-ahead log and truncates it, a few seconds from now: until then it still holds deleted data.
   * While another process reads or writes, it is retried, since nobody waits for this.
   */
  emptyLogSoon(): void {
    if (this.#emptying !== undefined || !this.#open) return;
    this.#emptying = setTimeout(() => {
      this.#emptying = undefined;
      if (!this.#emptyLog()) this.emptyLogSoon();
    }, this.#emptyLogAfterMs);
    this.#emptying.unref();
  }

  /** Whether the log is empty now. */
  #emptyLog(): boolean {
    if (!this.#open) return true;
    try {
      // Waiting for another process would block this one.
      this.#database.exec('PRAGMA busy_timeout = 0');
      const [outcome] = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
      return (outcome as { readonly busy: number } | undefined)?.busy === 0;
    } catch {
      return false;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Checkpoints the write-ahead log and closes it; does nothing the second time. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#emptying);
    this.#statements.clear();
    try {
      this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    } finally {
      this.#database.close();
    }
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare<(string | number)[]>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<R>(work: () => R, translate?: (error: Error) => Error | null): R {
    if (!this.#open) throw unavailable(new Error('the document store is closed'));
    try {
      return work();
    } catch (cause) {
      const known = cause instanceof Error ? translate?.(cause) : null;
      throw known ?? unavailable(cause);
    }
  }
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { cause });
}
