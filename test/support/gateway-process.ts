/** Starts server processes as an operator does, and ends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { assertCleanLog } from './log-watch.ts';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  /** What it wrote to standard output and error so far. */
  output(): string;
  /**
   * Sends the signal and waits for the end, and for the last of what it wrote; the exit code, null when the signal ended
   * it. @throws Error for a secret in its log
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A start that ended by itself. */
export class FailedStart extends Error {
  readonly code: number | null;
  readonly output: string;
  constructor(code: number | null, output: string) {
    super(`the process ended with ${code}: ${output}`);
    this.code = code;
    this.output = output;
  }
}

/** How long what a killed process started may hold its output open, in milliseconds. */
const LAST_WORDS_MS = 10_000;

/** Whoever forgets to end one, or is ended himself, leaves nothing behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** What may be started: `npm start`'s process, `npm run start:gateway`'s, and one of each service. */
export type EntryPoint = 'main' | 'main-gateway' | 'main-query' | 'main-tracking' | 'main-resources';

/** Runs the process of an entry point until it listens. @throws FailedStart */
export async function startProcess(
  entry: EntryPoint,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(PACKAGE_ROOT, `dist/gateway/process/${entry}.js`)], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let log = '';
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  running.add(child);
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      running.delete(child);
      resolve();
    }),
  );
  const origin = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      text += chunk;
      const listening = /Tidegate listens on (\S+)\n/.exec(text)?.[1];
      if (listening !== undefined) resolve(listening);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk;
      take(chunk);
    });
    child.once('close', (code) => reject(new FailedStart(code, text)));
  });
  // What it logged before is there, but in a pipe of its own, which may be read later: in the turn after this one at most.
  await nextTurn();
  await nextTurn();
  return {
    child,
    origin,
    output: () => text,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      await Promise.race([closed, delay(LAST_WORDS_MS, undefined, { ref: false })]);
      assertCleanLog(log.split('\n'));
      return child.exitCode;
    },
  };
}
