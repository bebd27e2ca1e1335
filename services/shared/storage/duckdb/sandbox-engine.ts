/**
 * DuckDB in memory for one custom query at a time: parses and re-renders SQL, holds one website's rows, runs a SELECT
 * over them.
 */
import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api';
import type { SqlValue } from '../../ports/event-store.ts';
import { createInstance } from './create-instance.ts';
import { bindParameters } from './raw-values.ts';
import { type JsonValue, toJsonValue } from './sandbox-values.ts';

export interface SandboxEngineOptions {
  /** Memory that the engine manages, in megabytes. */
  readonly memoryMb: number;
  readonly threads: number;
}

export interface SandboxResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, JsonValue>>[];
  readonly truncated: boolean;
}

/** Bounds of one answer. */
export interface SandboxBounds {
  readonly maxRows: number;
  /** Bytes of the rows as JSON. */
  readonly maxBytes: number;
}

/** The answer would exceed its bounds. */
export class RowTooLarge extends Error {}

export interface SandboxEngine {
  /** The syntax tree of a text as JSON, as `json_serialize_sql` returns it, also for text that is not a SELECT. */
  parse(sql: string): Promise<string>;
  /** The SQL text of a syntax tree. */
  render(tree: string): Promise<string>;
  /** Drops the loaded rows; then `statements` create views over `table`, read from a Parquet file. */
  load(file: string, table: string, statements: readonly string[]): Promise<void>;
  /** Prepares the start of the next load, so that it takes less time; harmless when that is already done. */
  prepare(): Promise<void>;
  /** Runs one SELECT over the loaded rows. */
  run(sql: string, params: Readonly<Record<string, SqlValue>>, bounds: SandboxBounds): Promise<SandboxResult>;
  /** Interrupts the running statement; harmless when there is none. */
  interrupt(): void;
}

/** What no statement may change afterwards: no files, no network, no extensions, no settings. */
const LOCK = ['SET enable_external_access = false', 'SET lock_configuration = true'];

interface Opened {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
}

async function open(options: SandboxEngineOptions): Promise<Opened> {
  const instance = await createInstance({
    memory_limit: `${options.memoryMb}MB`,
    threads: String(options.threads),
    temp_directory: '',
    allow_unsigned_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  return { instance, connection };
}

async function lock(connection: DuckDBConnection): Promise<void> {
  for (const statement of LOCK) await connection.run(statement);
}

/** An engine with nothing loaded. */
export async function createSandboxEngine(options: SandboxEngineOptions): Promise<SandboxEngine> {
  const parser = await open({ memoryMb: 64, threads: 1 });
  await lock(parser.connection);
  /** An empty engine, not locked yet. Opening one takes as long as loading a small website. */
  let empty: Promise<Opened | null> | null = null;
  let loaded: Opened | null = null;

  /** If opening it in advance failed, it is opened again, which reports the reason. */
  async function takeEmpty(): Promise<Opened> {
    const ahead = await empty;
    empty = null;
    return ahead ?? open(options);
  }

  async function prepare(): Promise<void> {
    empty ??= open(options).catch(() => null);
    await empty;
  }

  async function connectionToRun(): Promise<DuckDBConnection> {
    if (loaded === null) {
      loaded = await takeEmpty();
      await lock(loaded.connection);
    }
    return loaded.connection;
  }

  await prepare();

  async function textOf(sql: string, text: string): Promise<string> {
    const result = await parser.connection.run(sql, [text]);
    const [row] = await result.getRows();
    return String(row?.[0] ?? '');
  }

  return {
    parse: (sql) =>
      textOf('SELECT json_serialize_sql($1::VARCHAR, skip_null := false, skip_empty := false)', sql),
    render: (tree) => textOf('SELECT json_deserialize_sql($1::JSON)', tree),
    async load(file, table, statements) {
      loaded?.connection.closeSync();
      loaded?.instance.closeSync();
      loaded = null;
      const next = await takeEmpty();
      const { connection } = next;
      try {
        await hold(connection, file.replaceAll("'", "''"), table);
        await connection.run([...statements, ...LOCK].join(';\n'));
        // Not before it is locked: nothing else may run in it.
        loaded = next;
      } finally {
        if (loaded === null) {
          connection.closeSync();
          next.instance.closeSync();
        }
      }
    },
    prepare,
    async run(sql, params, bounds) {
      const connection = await connectionToRun();
      const statements = await connection.extractStatements(sql);
      if (statements.count !== 1) throw new TypeError('exactly one statement can be run');
      const statement = await connection.prepare(sql);
      try {
        if (statement.statementType !== StatementType.SELECT) throw new TypeError('only a SELECT can be run');
        bindParameters(statement, params);
        return await readRows(statement, bounds);
      } finally {
        statement.destroySync();
      }
    },
    interrupt: () => loaded?.connection.interrupt(),
  };
}

/** Reads the file into memory; columns without any value take no space there, and still appear in the view `table`. */
async function hold(connection: DuckDBConnection, file: string, table: string): Promise<void> {
  const described = await connection.run(`DESCRIBE FROM read_parquet('${file}')`);
  const filled = await connection.run(
    `SELECT path_in_schema FROM parquet_metadata('${file}') GROUP BY path_in_schema
     HAVING bool_or(stats_null_count IS NULL OR stats_null_count < num_values)`,
  );
  const held = new Set((await filled.getRows()).map(([name]) => String(name)));
  const all = (await described.getRows()).map(([name, type]) => ({ name: String(name), type: String(type) }));
  const list = all.filter(({ name }, at) => at === 0 || held.has(name)).map(({ name }) => `"${name}"`);
  await connection.run(
    `CREATE TABLE ${table}_held AS SELECT ${list.join(', ')} FROM read_parquet('${file}')`,
  );
  const shown = all.map(({ name, type }) =>
    list.includes(`"${name}"`) ? `"${name}"` : `CAST(NULL AS ${type}) AS "${name}"`,
  );
  await connection.run(`CREATE VIEW ${table} AS SELECT ${shown.join(', ')} FROM ${table}_held`);
}

/** Reads no further than the bounds: rows beyond them are never built. */
async function readRows(statement: DuckDBPreparedStatement, bounds: SandboxBounds): Promise<SandboxResult> {
  const result = await statement.stream();
  const names = result.deduplicatedColumnNames();
  const columns = names.map((name, index) => ({ name, type: String(result.columnType(index)) }));
  const rows: Record<string, JsonValue>[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return { columns, rows, truncated: false };
    for (const values of chunk.getRows()) {
      if (rows.length === bounds.maxRows) return { columns, rows, truncated: true };
      const row = Object.fromEntries(names.map((name, i) => [name, toJsonValue(values[i] ?? null)]));
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      if (bytes > bounds.maxBytes) {
        if (rows.length === 0) throw new RowTooLarge();
        return { columns, rows, truncated: true };
      }
      rows.push(row);
    }
  }
}
