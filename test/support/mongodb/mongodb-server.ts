/** A database that speaks MongoDB's protocol for a test run: the one of MONGODB_URI, else a mongod, else an independent server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { freePort } from '../free-port.ts';
import { createTempDirectory } from '../temp-directory.ts';

/** Jars of the independent server, as `mvn -f test/support/mongodb dependency:copy-dependencies` puts them there. */
const JARS = join(PACKAGE_ROOT, '.mongodb');
const PROGRAM = join(PACKAGE_ROOT, 'test/support/mongodb/TestServer.java');

/** How long a server that was just started may take for its first answer, in milliseconds. */
const FIRST_ANSWER_MS = 60_000;

/** What answers: `given` is that of MONGODB_URI, which is neither started nor killed by tests. */
export type MongodbKind = 'given' | 'mongod' | 'mongo-java-server';

export interface TestMongodb {
  readonly kind: MongodbKind;
  /** Connection string of a database that no test used before. */
  newUri(): string;
  /** Ends the server at once, as a crash would. @throws Error for a given one */
  kill(): Promise<void>;
  /** Starts it again on the same port; with what it held when `durable` was asked for. */
  start(): Promise<void>;
  /** Ends it and removes its files; of a given one nothing. */
  close(): Promise<void>;
}

/** What suites over MongoDB run against here, or null. */
export function mongodbKind(): MongodbKind | null {
  if (process.env.MONGODB_URI) return 'given';
  if (runs('mongod', '--version')) return 'mongod';
  return existsSync(JARS) && runs('java', '-version') ? 'mongo-java-server' : null;
}

function runs(command: string, argument: string): boolean {
  return spawnSync(command, [argument]).error === undefined;
}

/** Why suites that need MongoDB cannot run here, or null. */
export function missingMongodb(): string | null {
  return mongodbKind() === null
    ? 'skipped: it needs MONGODB_URI, or mongod, or Java 17 and `mvn -f test/support/mongodb dependency:copy-dependencies`; then npm run test:all runs it'
    : null;
}

/** Skips the suite with its reason printed when there is no such server. */
export function requireMongodb(suite: { skip(): never }): void {
  const reason = missingMongodb();
  if (reason === null) return;
  process.stderr.write(`      ${reason}\n`);
  suite.skip();
}

/**
 * Starts one. `durable`: what it acknowledged outlives a kill; without it the independent server keeps all in memory,
 * which is five times as fast. `heapGb`: the most memory of the independent server, in gigabytes of 2^30 bytes.
 * @throws Error when it does not answer
 */
export async function startMongodb({ durable = false, heapGb = 2 } = {}): Promise<TestMongodb> {
  const kind = mongodbKind();
  if (kind === null) throw new Error(missingMongodb() ?? '');
  if (kind === 'given') return givenServer(process.env.MONGODB_URI ?? '');
  const directory = createTempDirectory();
  const port = await freePort();
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const [command, ready, args] = commandOf(kind === 'mongod', port, directory.path, { durable, heapGb });
    const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child = started;
    // Whoever forgets to close it leaves nothing behind.
    const end = () => started.kill('SIGKILL');
    process.once('exit', end);
    started.once('exit', () => process.off('exit', end));
    let text = '';
    for await (const chunk of started.stdout) {
      text += chunk;
      if (text.includes(ready)) break;
    }
    if (!text.includes(ready)) throw new Error(`${command} ended: ${text.slice(-2_000)}`);
    started.stdout.resume();
    await answered(port);
  }

  async function kill(): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    kind,
    newUri: () => `mongodb://127.0.0.1:${port}/${newDatabase()}`,
    start,
    kill,
    async close() {
      await kill();
      directory.remove();
    },
  };
}

/** A machine that is busy may need long for the first answer of a server that listens; the product waits 5 s for it. */
async function answered(port: number): Promise<void> {
  const bound = { serverSelectionTimeoutMS: FIRST_ANSWER_MS, connectTimeoutMS: FIRST_ANSWER_MS };
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/`, bound);
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
}

/** Program, what it prints when it is ready, and arguments. */
function commandOf(
  isMongod: boolean,
  port: number,
  directory: string,
  { durable, heapGb }: { durable: boolean; heapGb: number },
): [command: string, ready: string, args: string[]] {
  if (isMongod) {
    const data = join(directory, 'mongod');
    mkdirSync(data, { recursive: true });
    return [
      'mongod',
      'Waiting for connections',
      ['--port', `${port}`, '--bind_ip', '127.0.0.1', '--dbpath', data],
    ];
  }
  const file = durable ? [join(directory, 'documents.h2')] : [];
  // Each connection works on a thread of its own, as in MongoDB: a long query must not hold up those of other connections.
  const threads = '-Dio.netty.eventLoopThreads=256';
  // The simplest collector starts quickest.
  // A large heap is not collected at one stop, during which the driver would give the server up.
  const collector = heapGb > 2 ? '-XX:+UseG1GC' : '-XX:+UseSerialGC';
  const machine = [`-Xmx${heapGb}g`, collector, threads, '-cp', `${JARS}/*:${compiledProgram()}`];
  return ['java', 'listens on', [...machine, 'TestServer', `${port}`, ...file]];
}

/** The folder of the compiled program: compiled once, since that takes longer than a start. */
function compiledProgram(): string {
  const folder = join(JARS, hash('sha1', readFileSync(PROGRAM)));
  if (existsSync(folder)) return folder;
  // Another process may do the same: whoever is first puts it there.
  const made = mkdtempSync(join(JARS, 'compiling-'));
  const { status, stderr } = spawnSync('javac', ['-cp', `${JARS}/*`, '-d', made, PROGRAM], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`javac ended with ${status}: ${stderr}`);
  try {
    renameSync(made, folder);
  } catch (fault) {
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw fault;
  }
  return folder;
}

function givenServer(uri: string): TestMongodb {
  const refuse = () => Promise.reject(new Error('the server of MONGODB_URI is not for tests to kill'));
  return {
    kind: 'given',
    newUri: () => uri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${newDatabase()}`),
    kill: refuse,
    start: refuse,
    close: () => Promise.resolve(),
  };
}

function newDatabase(): string {
  return `tidegate_test_${randomBytes(6).toString('hex')}`;
}
