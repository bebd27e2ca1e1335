/** The one connection of a process to the document file: prepared statements kept, every fault turned into a public one. */
import { ApiError } from '../../errors/api-error.ts';
import type { SqliteDatabase, SqliteStatement } from './open-database.ts';

const UNIQUE_VIOLATION = /^UNIQUE constraint failed: (.+)$/;

type Values = readonly (string | number)[];

/** Runs statements; SERVICE_UNAVAILABLE with the fault as cause when the store cannot, never with SQL in its text. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();
  #open = true;

  constructor(database: SqliteDatabase) {
    this.#database = database;
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

  /** Folds the write-ahead log into the file and closes it; again: nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
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
