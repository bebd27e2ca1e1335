/** Runs custom queries: a turn, a sandbox, the guard, a copy of the website's rows, the answer; each step is bounded. */
import { setMaxListeners } from 'node:events';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type EventExporter, TooManyBytes, TooManyRows } from '../../shared/ports/event-export.ts';
import type { SqlValue } from '../../shared/ports/event-store.ts';
import type { SandboxResult } from '../../shared/storage/duckdb/sandbox-engine.ts';
import type { CustomSqlMeasures } from './custom-sql-measures.ts';
import { MAX_SQL_BYTES } from './guarded-query.ts';
import { LONG_MS } from './recent-use.ts';
import type { RunningTime } from './running-time.ts';
import { SandboxPool } from './sandbox-pool.ts';
import type { Sandbox } from './sandbox-process.ts';
import { Turns } from './turns.ts';
import { columnsFor, ROWS_TABLE, viewStatements } from './view-sql.ts';

/** How many bytes the rows of an answer may have, as JSON. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** How long a copy of rows serves further queries. */
const FRESH_MS = 1_000;

export interface CustomSqlOptions {
  /** How long a query may run, from the moment its turn has come and its process answers. */
  readonly timeoutMs: number;
  /** Memory of the process of one query. */
  readonly memoryMb: number;
  readonly maxRows: number;
  readonly maxInputRows: number;
  readonly threads: number;
  readonly running: number;
  readonly waitingPerOrganization: number;
  readonly maxWaitMs: number;
}

/** An authorized query: the website belongs to the caller. */
export interface CustomQuery {
  readonly organizationId: string;
  readonly websiteId: string;
  /** Epoch milliseconds; null: unbounded. */
  readonly from: number | null;
  /** First instant after the range. */
  readonly to: number | null;
  readonly sql: string;
  readonly params: Readonly<Record<string, SqlValue>>;
  /** How many rows the caller wants at most; the setting applies anyway. */
  readonly limit: number | null;
}

export interface CustomSql {
  /** How many rows an answer may have. */
  readonly maxRows: number;
  /**
   * @throws ApiError QUERY_ERROR that names the clause or the bound
   * @throws ApiError TIMEOUT when it ran too long, or when others waited for an organization that used more than they
   * did
   * `time` receives how long it ran, however it ends.
   * @throws ApiError SERVICE_UNAVAILABLE when too many wait
   */
  run(query: CustomQuery, signal: AbortSignal, time: RunningTime): Promise<SandboxResult>;
  /** Living processes by identifier, for operators and tests. */
  processIds(): readonly number[];
  /** Ends every process. */
  close(): Promise<void>;
}

/** The first process starts with the first query. */
export function createCustomSql(
  ports: {
    readonly exporter: EventExporter;
    readonly clock: Clock;
    /** Absent: nothing is measured. */
    readonly measures?: CustomSqlMeasures;
  },
  options: CustomSqlOptions,
): CustomSql {
  const turns = new Turns(options);
  const pool = new SandboxPool(options);
  const closing = new AbortController();
  // One listener for each query in progress.
  setMaxListeners(0, closing.signal);
  ports.measures?.watch(turns);

  async function runIn(sandbox: Sandbox, query: CustomQuery, signal: AbortSignal): Promise<SandboxResult> {
    const { query: checked } = await sandbox.ask({ kind: 'check', sql: query.sql }, signal);
    const missing = checked.parameters.filter((name) => !Object.hasOwn(query.params, name));
    if (missing.length > 0) {
      const names = missing.map((name) => `$${name}`).join(', ');
      throw new ApiError('QUERY_ERROR', { text: `Query: params has no value for ${names}.` });
    }
    await load(sandbox, query, columnsFor(checked), signal);
    const bounds = {
      maxRows: Math.min(query.limit ?? options.maxRows, options.maxRows),
      maxBytes: MAX_ANSWER_BYTES,
    };
    const params = Object.fromEntries(checked.parameters.map((name) => [name, query.params[name] ?? null]));
    const { result } = await sandbox.ask({ kind: 'run', params, bounds }, signal);
    return result;
  }

  /** Passes the rows on, unless the sandbox already has them from within the last second. */
  async function load(
    sandbox: Sandbox,
    query: CustomQuery,
    columns: ReturnType<typeof columnsFor>,
    signal: AbortSignal,
  ): Promise<void> {
    const { organizationId, websiteId, from, to } = query;
    const key = JSON.stringify([organizationId, websiteId, from, to, columns]);
    const now = ports.clock.now();
    const age = now - sandbox.loadedAt;
    if (sandbox.loaded === key && age >= 0 && age < FRESH_MS) return;
    sandbox.loaded = null;
    const { maxInputRows, memoryMb } = options;
    // Data that is larger, even compressed, fits into no sandbox.
    const maxBytes = memoryMb * 1024 * 1024;
    const selection = { organizationId, websiteId, from, to, columns, maxRows: maxInputRows, maxBytes };
    const copy = await ports.exporter.exportEvents(selection, signal).catch((fault: unknown) => {
      if (fault instanceof TooManyRows) throw tooManyRows(fault.rows, maxInputRows);
      throw fault instanceof TooManyBytes ? tooManyBytes(memoryMb) : fault;
    });
    try {
      const statements = viewStatements(columns);
      await sandbox.ask({ kind: 'load', file: copy.file, table: ROWS_TABLE, statements }, signal);
    } finally {
      await copy.discard();
    }
    sandbox.loaded = key;
    sandbox.loadedAt = now;
  }

  async function inTurn(
    query: CustomQuery,
    ended: AbortController,
    time: RunningTime,
  ): Promise<SandboxResult> {
    const endTurn = await turns.take(query.organizationId, ended);
    const { organizationId } = query;
    const sandbox = pool.take(organizationId, turns.kindOf(organizationId));
    let timer: NodeJS.Timeout | undefined;
    let long: NodeJS.Timeout | undefined;
    try {
      await sandbox.started(ended.signal);
      turns.began(organizationId);
      time.begin();
      long = setTimeout(() => sandbox.giveWay('heavy'), LONG_MS);
      timer = setTimeout(() => ended.abort(timeout(options.timeoutMs)), options.timeoutMs);
      return await runIn(sandbox, query, ended.signal);
    } finally {
      clearTimeout(timer);
      clearTimeout(long);
      await pool.give(sandbox, organizationId);
      time.end();
      endTurn();
    }
  }

  return {
    maxRows: options.maxRows,
    async run(query, signal, time) {
      const bytes = Buffer.byteLength(query.sql);
      if (bytes > MAX_SQL_BYTES) {
        throw new ApiError('QUERY_ERROR', {
          text: `Query: the text has ${bytes} bytes; at most ${MAX_SQL_BYTES} are allowed.`,
        });
      }
      // A single signal with its own listeners: it must end the query whatever is garbage-collected meanwhile.
      const ended = new AbortController();
      const leave = () => ended.abort(signal.reason);
      const close = () => ended.abort(closing.signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      closing.signal.addEventListener('abort', close, { once: true });
      try {
        signal.throwIfAborted();
        closing.signal.throwIfAborted();
        return await inTurn(query, ended, time);
      } finally {
        ports.measures?.ran(time.ms);
        signal.removeEventListener('abort', leave);
        closing.signal.removeEventListener('abort', close);
      }
    },
    processIds: () => pool.processes.flatMap(({ pid }) => pid ?? []),
    async close() {
      closing.abort(new ApiError('SERVICE_UNAVAILABLE', { text: 'The service is stopping.' }));
      await pool.close();
    },
  };
}

function timeout(timeoutMs: number): ApiError {
  return new ApiError('TIMEOUT', {
    text: `The query took longer than ${timeoutMs / 1_000} s and was ended; ask for fewer days, or join less.`,
  });
}

function tooManyRows(came: number, most: number): ApiError {
  const [rows, allowed] = [came, most].map((count) => count.toLocaleString('en'));
  return new ApiError('QUERY_ERROR', {
    text: `The range holds ${rows} events; at most ${allowed} are allowed. Narrow it with startDate and endDate.`,
  });
}

function tooManyBytes(memoryMb: number): ApiError {
  return new ApiError('QUERY_ERROR', {
    text: `The events of the range have more than ${memoryMb} MB in the columns that the query uses: ask for fewer columns or days.`,
  });
}
