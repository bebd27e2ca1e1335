/** The commands of docs/processes.md for several processes, run as they stand: only ports and the addresses of the stores are the test's. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { MONGODB_SCHEMA_VERSION } from '../services/shared/storage/mongodb/migrate.ts';
import { freePort } from './support/free-port.ts';
import { requireMongodb, startMongodb, type TestMongodb } from './support/mongodb/mongodb-server.ts';
import { requireRedis, startRedis, type TestRedis } from './support/redis-server.ts';
import { createTempDirectory, type TempDirectory } from './support/temp-directory.ts';

/** Where each process listens when nothing is said. */
const PORTS = { gateway: '8080', query: '4001', tracking: '4002', resources: '4003' };
const SECOND_GATEWAY = '8081';

/** The commands of a section: its first indented block. */
function commandsOf(section: string): string {
  const guide = readFileSync(join(PACKAGE_ROOT, 'docs/processes.md'), 'utf8');
  const text = guide.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return (/(?:^ {4}.*\n)+/m.exec(text)?.[0] ?? '').replaceAll(/^ {4}/gm, '');
}

/** npm and npx as shell functions: what they would run, with the ports of the test. */
function preambleOf(ports: ReadonlyMap<string, number>): string {
  const gateway = join(PACKAGE_ROOT, 'dist/gateway');
  const cases = Object.entries(PORTS).map(
    ([name, port]) =>
      `'run start:${name}') PORT="\${PORT:-${ports.get(port)}}" node '${gateway}/process/main-${name}.js' ;;`,
  );
  return [
    `npx() { shift; node '${gateway}/cli/main.js' "$@"; }`,
    `npm() { case "$*" in start) PORT=${ports.get(PORTS.gateway)} node '${gateway}/process/main.js' ;;`,
    ...cases,
    '*) echo "npm $* is not known here"; exit 9 ;; esac; }',
  ].join('\n');
}

describe('the commands of docs/processes.md', () => {
  let folder: TempDirectory;
  let redis: TestRedis;
  let mongodb: TestMongodb | null;
  let ports: Map<string, number>;
  let child: ChildProcess | null;
  let output: string;

  before(function () {
    requireRedis(this);
  });
  beforeEach(async () => {
    folder = createTempDirectory();
    redis = await startRedis();
    mongodb = null;
    child = null;
    ports = new Map();
    for (const port of [...Object.values(PORTS), SECOND_GATEWAY]) ports.set(port, await freePort());
  });
  afterEach(async () => {
    await end('SIGKILL');
    await mongodb?.close();
    await redis.kill();
    folder.remove();
  });

  /** Runs the commands of a section in a shell, and goes on when as many processes listen. */
  async function run(section: string, processes: number): Promise<void> {
    let commands = commandsOf(section).replaceAll(/redis:\/\/127\.0\.0\.1:6379/g, redis.url);
    if (mongodb !== null) commands = commands.replaceAll(/mongodb:\/\/\S+/g, mongodb.newUri());
    for (const [port, free] of ports) {
      commands = commands.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${free}`);
      commands = commands.replaceAll(`PORT=${port}`, `PORT=${free}`);
    }
    // A group of its own, so that all that the commands leave running can be ended.
    const shell = spawn('sh', ['-uc', `${preambleOf(ports)}\n${commands}\nwait`], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    child = shell;
    output = '';
    await new Promise<void>((resolve, reject) => {
      const take = (chunk: Buffer): void => {
        output += chunk;
        if (output.includes('cannot start')) reject(new Error(output));
        if (output.split('Tidegate listens on').length > processes) resolve();
      };
      shell.stdout.on('data', take);
      shell.stderr.on('data', take);
      shell.once('close', () => reject(new Error(`the commands ended: ${output}`)));
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    child = null;
    if (ending?.pid === undefined) return;
    const ended = ending.exitCode === null && ending.signalCode === null ? once(ending, 'close') : null;
    process.kill(-ending.pid, signal);
    await ended;
  }

  /** Runs the lines that the first start printed, over each of the gateways. */
  async function runPrinted(gateways: readonly string[]): Promise<void> {
    const printed = output.match(/^curl .*$/gm) ?? [];
    expect(printed).to.have.length(2);
    for (const port of gateways) {
      for (const line of printed) {
        const command = line
          .replace('curl -sS', 'curl -sS --fail-with-body')
          .replace(/'http:\/\/[^/]+\//, `'http://127.0.0.1:${ports.get(port)}/`);
        const { stdout } = await promisify(execFile)('sh', ['-euc', command]);
        expect(JSON.parse(stdout), command).to.include({ success: true });
      }
    }
  }

  it('"Past one machine": four processes start over MongoDB and Redis, and the printed lines run', async function () {
    requireMongodb(this);
    mongodb = await startMongodb();
    await run('Past one machine', 4);
    expect(output).to.include('secrets.json is created');
    expect(output).to.include(`schema version none → ${MONGODB_SCHEMA_VERSION}`);
    await runPrinted([PORTS.gateway]);
  });

  it('"More than one gateway": a second one serves what the first made', async () => {
    await run('More than one gateway', 2);
    await runPrinted([PORTS.gateway, SECOND_GATEWAY]);
  });
});
