/** DuckDB over segments: in memory, with a few reading connections, and one that changes the tables of tails. */
import type { DuckDBInstance } from '@duckdb/node-api';
import { createInstance } from '../create-instance.ts';
import { QueryPool } from '../query-pool.ts';
import { TailTables } from './tail-tables.ts';

export interface ColumnEngineOptions {
  /** Memory of the engine, such as `1GB`. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** How many queries run at once. */
  readonly concurrentQueries: number;
  /** How many queries may wait for their turn. */
  readonly maxWaitingQueries: number;
  /** Folders that it may read and write; the first gets what does not fit into memory. */
  readonly directories: readonly [string, ...string[]];
}

export class ColumnEngine {
  readonly queries: QueryPool;
  readonly tables: TailTables;
  readonly #instance: DuckDBInstance;
  #closing: Promise<void> | null = null;

  private constructor(queries: QueryPool, tables: TailTables, instance: DuckDBInstance) {
    this.queries = queries;
    this.tables = tables;
    this.#instance = instance;
  }

  static async open(options: ColumnEngineOptions): Promise<ColumnEngine> {
    const { memoryLimit, threads, concurrentQueries, maxWaitingQueries, directories } = options;
    const instance = await createInstance({
      memory_limit: memoryLimit,
      threads: String(threads),
      temp_directory: directories[0],
    });
    try {
      const writer = await instance.connect();
      const allowed = directories.map((directory) => `'${directory.replaceAll("'", "''")}'`).join(', ');
      await writer.run("SET GLOBAL TimeZone = 'UTC'");
      // Files never change; otherwise each query reads their footers again.
      await writer.run('SET GLOBAL parquet_metadata_cache = true');
      await writer.run(`SET allowed_directories = [${allowed}]`);
      await writer.run('SET enable_external_access = false');
      await writer.run('SET lock_configuration = true');
      const readers = await Promise.all(Array.from({ length: concurrentQueries }, () => instance.connect()));
      const queries = new QueryPool(readers, maxWaitingQueries);
      return new ColumnEngine(queries, new TailTables(writer), instance);
    } catch (fault) {
      instance.closeSync();
      throw fault;
    }
  }

  /** Refuses waiting queries, lets running ones end, then closes. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.queries.close();
    await this.tables.close();
    this.#instance.closeSync();
  }
}
