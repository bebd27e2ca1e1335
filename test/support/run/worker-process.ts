/** One worker of a test run: a process of Node, of which what it writes while a file runs can be told apart. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import type { Job } from './passes.ts';
import { stallingOptions } from './stalls.ts';
import type { Outcome } from './worker.ts';

/** After which a file counts as hanging, in milliseconds. */
const HANGS_AFTER_MS = 15 * 60_000;
/** How long one may take to end what it started, in milliseconds. */
const ENDS_WITHIN_MS = 2_000;

export interface Ran {
  /** Absent when the worker ended in the middle of it. */
  readonly outcome?: Outcome;
  /** What the worker, and what it started, wrote meanwhile. */
  readonly output: string;
}

export interface Worker {
  /** Whether it can run the job; another environment takes another process. */
  suits(job: Job): boolean;
  run(job: Job): Promise<Ran>;
  /** Lets it end; what it wrote, when it did not end well. */
  end(): Promise<string | null>;
  /** Ends it at once, in the middle of the file that it runs. */
  kill(): void;
}

export interface WorkerOptions {
  /** Only tests whose titles hold it; empty: all. */
  readonly grep: string;
  /** Where tests keep temporary files. */
  readonly folder: string;
  /** The file that it writes to; null: where this process writes. */
  readonly log: string | null;
  /** Whether it stops at random, with all that it starts. */
  readonly stalls: boolean;
}

/** Starts one for the job, and what is like it. */
export function startWorker({ environment }: Job, { grep, folder, log, stalls }: WorkerOptions): Worker {
  // A file takes in order what is written to both streams, and by the processes that a test starts.
  const sink = log === null ? 'inherit' : openSync(log, 'a');
  const child = fork(join(PACKAGE_ROOT, 'dist/test/support/run/worker.js'), {
    cwd: PACKAGE_ROOT,
    env: {
      ...process.env,
      TMPDIR: folder,
      ...(stalls ? { NODE_OPTIONS: stallingOptions() } : {}),
      ...environment,
    },
    // Tests leave much behind that is soon garbage: with room for it, to collect it costs less.
    execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
    stdio: ['ignore', sink, sink, 'ipc'],
  });
  if (typeof sink === 'number') closeSync(sink);
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const written = () => (log === null ? '' : readFileSync(log, 'utf8'));

  return {
    suits: (job) => !isOver() && JSON.stringify(job.environment) === JSON.stringify(environment),
    async run({ path }) {
      if (log !== null) truncateSync(log);
      child.send({ path, grep });
      const outcome = await answerOf(child);
      const how = isOver() ? `\n${path}: the process ended by ${child.signalCode ?? child.exitCode}\n` : '';
      return { outcome, output: written() + how };
    },
    async end() {
      if (isOver()) return null;
      if (log !== null) truncateSync(log);
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      return child.exitCode === 0 ? null : written();
    },
    kill: () => endAtOnce(child),
  };
}

/** What the worker tells, or nothing when it ends first; one that hangs is ended. */
async function answerOf(child: ChildProcess): Promise<Outcome | undefined> {
  const hangs = setTimeout(() => endAtOnce(child), HANGS_AFTER_MS);
  try {
    return await new Promise((resolve) => {
      child.once('message', (outcome) => resolve(outcome as Outcome));
      child.once('exit', () => resolve(undefined));
    });
  } finally {
    clearTimeout(hangs);
    child.removeAllListeners('message').removeAllListeners('exit');
  }
}

function endAtOnce(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS).unref();
}
