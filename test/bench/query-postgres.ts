/** PostgreSQL for the query bench: a cluster of its own on a free loopback port, loaded with COPY, asked through psql. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import type { BenchProcesses, RunningProcess } from './bench-processes.ts';
import { cpuMicroseconds, parseCpuMicroseconds } from './process-usage.ts';
import { type Answers, type QueryEngine, runSpread } from './query-engine.ts';
import { POSTGRES_PATHS } from './query-paths-sql.ts';
import { POSTGRES_BATCH } from './query-sql.ts';
import { BATCH, FILLED_COLUMNS, WEBSITES, type Window } from './query-workload.ts';
import { MissingRequirement } from './target.ts';

const VERSIONS = '/usr/lib/postgresql';
/** Statements of a batch that run at once, as many as Tidegate runs for one organization. */
const SESSIONS = 2;
/** As a careful operator sets them on such a machine: memory like Tidegate's engine has, random reads of a solid-state disk. */
const SETTINGS = {
  shared_buffers: '1GB',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  effective_cache_size: '4GB',
  random_page_cost: '1.1',
  max_wal_size: '8GB',
  fsync: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
} as const;
const NUMBERS = ['time_on_page', 'scroll_depth', 'interaction_count', 'load_time', 'ttfb', 'metric_value'];

/** Folder of the newest PostgreSQL's programs. @throws MissingRequirement naming the package. */
export function findPostgres(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(path.join(folder, name))));
  if (found) return found;
  throw new MissingRequirement(
    'The query bench compares with PostgreSQL, which is not installed. On Debian or Ubuntu: apt-get install -y postgresql. ' +
      'Without it: npm run bench:query -- --engines tidegate,sqlite',
  );
}

export interface PostgresOptions {
  readonly processes: BenchProcesses;
  /** For the cluster; it is made when the folder does not hold a loaded one. */
  readonly folder: string;
  /** The events, see query-events.ts. */
  readonly textFile: string;
  readonly window: Window;
  readonly onProgress: (text: string) => void;
}

export interface PostgresEngine extends QueryEngine {
  /** A statement of POSTGRES_PATHS over every event of the large website in the window. */
  askPath(name: string): Promise<string[][]>;
}

/** Starts the cluster, with the events in it. PostgreSQL refuses to run as root, so root hands it to the user postgres. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const programs = findPostgres();
  const cluster = path.join(options.folder, 'cluster');
  const loaded = path.join(options.folder, 'loaded');
  if (!existsSync(loaded)) createCluster(programs, options.folder, cluster);
  const port = await freePort();
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, ...args] = asPostgres(
    path.join(programs, 'postgres'),
    '-D',
    cluster,
    '-p',
    String(port),
    ...settings,
  );
  const server = await options.processes.start(command, args, { processor: null, cwd: options.folder });
  await untilAnswering(programs, port, server);
  if (!existsSync(loaded)) {
    await loadEvents(programs, port, options);
    writeFileSync(loaded, '');
  }
  const sessions = Array.from(
    { length: SESSIONS },
    () => new PsqlSession(spawn(path.join(programs, 'psql'), psqlArguments(port))),
  );
  for (const session of sessions) {
    for (const name of BATCH) {
      await session.ask(`PREPARE ${name} (text, timestamp, timestamp) AS ${POSTGRES_BATCH[name]};`);
    }
  }
  const [first] = sessions;
  for (const [index, { sql }] of Object.values(POSTGRES_PATHS).entries())
    await first?.ask(`PREPARE path_${index} (text, timestamp, timestamp) AS ${sql};`);
  const range = [options.window.from, options.window.to].map(
    (at) => `'${new Date(at).toISOString().slice(0, 19)}'`,
  );
  return {
    name: 'postgresql',
    async ask(websiteId): Promise<Answers> {
      const statement = (name: string) => `EXECUTE ${name} ('${websiteId}', ${range.join(', ')});`;
      return runSpread(sessions, async (session, name) =>
        (await session.ask(statement(name))).map((line) => line.split('\t')),
      );
    },
    async askPath(name): Promise<string[][]> {
      const index = Object.keys(POSTGRES_PATHS).indexOf(name);
      const statement = `EXECUTE path_${index} ('${WEBSITES[0].websiteId}', ${range.join(', ')});`;
      return ((await first?.ask(statement)) ?? []).map((line) => line.split('\t'));
    },
    cpuMicroseconds: () => cpuOfFamily(server.pid),
    megabytes: () => familyOf(server.pid).reduce((sum, pid) => sum + ownMegabytes(pid), 0),
    // The server ends with the other processes of the bench; without sessions it does so at once.
    stop: async () => {
      for (const session of sessions) session.close();
    },
  };
}

/** The command as it is, or, for root, as the user postgres; the process is that of the command itself. */
function asPostgres(...command: [string, ...string[]]): [string, ...string[]] {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command];
}

function createCluster(programs: string, folder: string, cluster: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', folder]);
  const initdb = path.join(programs, 'initdb');
  const [command, ...args] = asPostgres(
    initdb,
    '-D',
    cluster,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--locale=C',
    '-E',
    'UTF8',
  );
  execFileSync(command, args, { stdio: 'ignore', cwd: folder });
}

function psqlArguments(port: number): string[] {
  const output = ['-X', '-q', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1'];
  return [...output, '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', 'postgres'];
}

async function untilAnswering(programs: string, port: number, server: RunningProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    server.assertRunning();
    const answer = spawn(path.join(programs, 'psql'), [...psqlArguments(port), '-c', 'SELECT 1'], {
      stdio: 'ignore',
    });
    const [code] = (await once(answer, 'exit')) as [number | null];
    if (code === 0) return;
    await delay(100);
  }
  throw new Error('the PostgreSQL of the bench does not answer');
}

/** COPY, then the index that the queries need, then the statistics and the visibility map. */
async function loadEvents(programs: string, port: number, options: PostgresOptions): Promise<void> {
  const columns = FILLED_COLUMNS.map((name) => `"${name}" ${typeOf(name)}`).join(', ');
  const run = async (sql: string, input?: string) => {
    const child = spawn(path.join(programs, 'psql'), [...psqlArguments(port), '-c', sql], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let fault = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      fault += text;
    });
    const ended = once(child, 'close');
    if (input === undefined) child.stdin.end();
    else await pipeline(createReadStream(input, { highWaterMark: 1 << 20 }), child.stdin);
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`PostgreSQL: ${fault.trim()}`);
  };
  await run(`CREATE TABLE events (${columns})`);
  options.onProgress('PostgreSQL: COPY');
  await run(`COPY events FROM STDIN (FORMAT text, NULL '')`, options.textFile);
  options.onProgress('PostgreSQL: index on (website_id, timestamp), VACUUM ANALYZE');
  await run('CREATE INDEX events_by_website ON events (website_id, "timestamp")');
  await run('VACUUM ANALYZE events');
  await run('CHECKPOINT');
}

function typeOf(column: string): string {
  if (column === 'timestamp') return 'timestamp NOT NULL';
  if (column === 'is_bot') return 'boolean NOT NULL';
  return NUMBERS.includes(column) ? 'double precision' : 'text';
}

/** One psql that stays: a statement goes in, its rows come out before an echoed line. */
class PsqlSession {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  #fault = '';
  #settle: { done: (lines: string[]) => void; failed: (error: Error) => void } | null = null;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line !== END_LINE) this.#lines.push(line);
      else this.#settle?.done(this.#lines.splice(0));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#fault += text;
    });
    child.on('close', () => this.#settle?.failed(new Error(`psql ended: ${this.#fault.trim()}`)));
  }

  ask(statement: string): Promise<string[]> {
    return new Promise((done, failed) => {
      this.#settle = { done, failed };
      this.#child.stdin.write(`${statement.replaceAll('\n', ' ')}\n\\echo ${END_LINE}\n`);
    });
  }

  close(): void {
    this.#child.stdin.end('\\q\n');
  }
}

const END_LINE = '--- end of the rows ---';

/** The postmaster and the processes that it started. */
function familyOf(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Those that run, and those that have ended (workers of parallel queries), which the postmaster has counted. */
function cpuOfFamily(postmaster: number): number {
  const stat = readFileSync(`/proc/${postmaster}/stat`, 'utf8');
  const [name, fields] = [
    stat.slice(0, stat.lastIndexOf(')') + 2),
    stat.slice(stat.lastIndexOf(')') + 2).split(' '),
  ];
  // Fields 13 and 14 are 11 and 12 of the children that have ended.
  const ended = parseCpuMicroseconds(name + [...fields.slice(0, 11), fields[13], fields[14]].join(' '));
  return familyOf(postmaster).reduce((sum, pid) => sum + cpuMicroseconds(pid), ended);
}

/** Memory of a process, what it shares divided among those that share it, in megabytes of 10^6 bytes. */
function ownMegabytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return (Number(kilobytes ?? 0) * 1024) / 1e6;
}
