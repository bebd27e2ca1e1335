/** A PostgreSQL of the benches: a cluster of its own on a free loopback port, asked through psql. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import type { BenchProcesses, RunningProcess } from './bench-processes.ts';
import { cpuMicroseconds, parseCpuMicroseconds } from './process-usage.ts';
import { MissingRequirement } from './target.ts';

const VERSIONS = '/usr/lib/postgresql';

function newestPrograms(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(path.join(folder, name))));
}

/** Whether PostgreSQL is installed. */
export const hasPostgres = (): boolean => newestPrograms() !== undefined;

/** Folder of the newest PostgreSQL's programs. @throws MissingRequirement naming the package. */
export function findPostgres(): string {
  const found = newestPrograms();
  if (found) return found;
  throw new MissingRequirement(
    'The bench compares with PostgreSQL, which is not installed. On Debian or Ubuntu: apt-get install -y postgresql',
  );
}

export interface ClusterOptions {
  readonly processes: BenchProcesses;
  /** For the cluster; it is made when the folder does not hold one. */
  readonly folder: string;
  readonly processor: number | null;
  readonly settings: Readonly<Record<string, string>>;
}

export interface PostgresCluster {
  /** Runs a statement to its end, with the text of a file as its input. */
  readonly run: (sql: string, input?: string) => Promise<void>;
  /** A psql that stays. */
  session(): PsqlSession;
  /** CPU time that all its processes have used so far. */
  cpuMicroseconds(): number;
  /** What its processes hold, in megabytes of 10^6 bytes; what they share is counted once. */
  megabytes(): number;
}

/** Starts it. PostgreSQL refuses to run as root, so root hands it to the user postgres. @throws MissingRequirement */
export async function startCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const programs = findPostgres();
  const cluster = path.join(options.folder, 'cluster');
  if (!existsSync(cluster)) createCluster(programs, options.folder, cluster);
  const port = await freePort();
  const listening = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const settings = Object.entries({ ...options.settings, ...listening }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [command, ...args] = asPostgres(
    path.join(programs, 'postgres'),
    ...['-D', cluster, '-p', String(port), ...settings],
  );
  const server = await options.processes.start(command, args, {
    processor: options.processor,
    cwd: options.folder,
  });
  await untilAnswering(programs, port, server);
  const psql = path.join(programs, 'psql');
  return {
    async run(sql, input) {
      const child = spawn(psql, [...psqlArguments(port), '-c', sql], { stdio: ['pipe', 'ignore', 'pipe'] });
      let fault = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        fault += text;
      });
      const ended = once(child, 'close');
      if (input === undefined) child.stdin.end();
      else await pipeline(createReadStream(input, { highWaterMark: 1 << 20 }), child.stdin);
      const [code] = (await ended) as [number | null];
      if (code !== 0) throw new Error(`PostgreSQL: ${fault.trim()}`);
    },
    session: () => new PsqlSession(spawn(psql, psqlArguments(port))),
    cpuMicroseconds: () => cpuOfFamily(server.pid),
    megabytes: () => familyOf(server.pid).reduce((sum, pid) => sum + ownMegabytes(pid), 0),
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

/** One psql that stays: a statement goes in, its rows come out before an echoed line. */
export class PsqlSession {
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
    return this.send(statement.replaceAll('\n', ' '));
  }

  /** Lines as they are, such as a COPY with its rows. */
  send(lines: string): Promise<string[]> {
    return new Promise((done, failed) => {
      this.#settle = { done, failed };
      this.#child.stdin.write(`${lines}\n\\echo ${END_LINE}\n`);
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
