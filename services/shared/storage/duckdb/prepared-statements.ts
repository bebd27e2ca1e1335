/**
 * Prepared statements of a connection, kept for the next query with the same text: preparing costs as much as a small
 * scan.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** How many statements a connection keeps, more than twice those of a compared overview; the least recently used one goes first. */
const KEPT_STATEMENTS = 64;

/**
 * Prepared statements by connection and text. The engine replans a statement for the values of each run, so a kept
 * statement suits any values.
 */
export class PreparedStatements {
  readonly #kept = new WeakMap<DuckDBConnection, Map<string, DuckDBPreparedStatement>>();

  /** Runs `action` with the statement; its values are cleared afterwards. A statement whose run failed is not kept. */
  async use<R>(
    connection: DuckDBConnection,
    sql: string,
    action: (statement: DuckDBPreparedStatement) => Promise<R>,
  ): Promise<R> {
    const statement = this.#take(connection, sql) ?? (await connection.prepare(sql));
    try {
      const result = await action(statement);
      statement.clearBindings();
      this.#keep(connection, sql, statement);
      return result;
    } catch (error) {
      statement.destroySync();
      throw error;
    }
  }

  /** Destroys the connection's statements; call it before closing the connection, or the file stays open. */
  drop(connection: DuckDBConnection): void {
    for (const statement of this.#kept.get(connection)?.values() ?? []) statement.destroySync();
    this.#kept.delete(connection);
  }

  /** A statement in use is not among the kept ones. */
  #take(connection: DuckDBConnection, sql: string): DuckDBPreparedStatement | undefined {
    const statements = this.#kept.get(connection);
    const statement = statements?.get(sql);
    statements?.delete(sql);
    return statement;
  }

  #keep(connection: DuckDBConnection, sql: string, statement: DuckDBPreparedStatement): void {
    const statements = this.#kept.get(connection) ?? new Map<string, DuckDBPreparedStatement>();
    this.#kept.set(connection, statements.set(sql, statement));
    for (const [oldest, unused] of statements) {
      if (statements.size <= KEPT_STATEMENTS) return;
      statements.delete(oldest);
      unused.destroySync();
    }
  }
}
