/** A real Redis for a test run: started on a port of its own, with nothing kept on disk, and ended again. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.ts';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Ends the server at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
}

/** Why suites that need Redis cannot run here, or null. */
export function missingRedis(): string | null {
  const { error } = spawnSync('redis-server', ['--version']);
  return error === undefined
    ? null
    : 'skipped: it needs redis-server (apt-get install -y redis-server), then npm run test:all runs it';
}

/** Skips the suite with its reason printed when there is no Redis. */
export function requireRedis(suite: { skip(): never }): void {
  const reason = missingRedis();
  if (reason === null) return;
  process.stderr.write(`      ${reason}\n`);
  suite.skip();
}

/** What it writes once it answers. */
const READY = 'Ready to accept connections';

/** Starts one, with further arguments of redis-server; by TLS alone with `--tls-cert-file`. @throws Error when it does not answer */
export async function startRedis(further: readonly string[] = []): Promise<TestRedis> {
  const tls = further.includes('--tls-cert-file');
  const port = await freePort();
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const ports = tls ? ['--port', '0', '--tls-port', `${port}`] : ['--port', `${port}`];
    const args = [...ports, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...further];
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    // Whoever forgets to end it leaves nothing behind.
    const end = () => started.kill('SIGKILL');
    process.once('exit', end);
    started.once('exit', () => process.off('exit', end));
    let text = '';
    for await (const chunk of started.stdout) {
      text += chunk;
      if (text.includes(READY)) break;
    }
    if (!text.includes(READY)) throw new Error(`redis-server ended: ${text}`);
  }

  await start();
  return {
    url: `${tls ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
    port,
    start,
    async kill() {
      const ending = child;
      child = null;
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = once(ending, 'exit');
      ending.kill('SIGKILL');
      await ended;
    },
  };
}
