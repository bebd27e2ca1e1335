/** Runs several processes of one program on one port: replaces those that end, restarts them one by one, ends them all. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** What a worker sends once it listens and handles signals. */
export const WORKER_READY = 'tidegate:ready';
/** What a worker receives when all workers end, so that nothing serves their port any more. */
const ALL_END = 'tidegate:all-end';

/** The wait before a worker that ended unexpectedly is replaced, in milliseconds; it doubles while starts fail. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Failed starts in a row, with no worker left, before giving up. */
const MOST_FAILED_STARTS = 5;

/** How long a worker may take to end before it is killed, in milliseconds: requests in flight take 10 s at most. */
const LONGEST_END_MS = 20_000;
/** How long a worker may take to listen before it is killed, in milliseconds. */
const LONGEST_START_MS = 60_000;

export interface WorkerProcesses {
  /** Where they listen. */
  readonly port: number;
  readonly host: string;
  /** The workers that listen. */
  readonly workers: readonly Worker[];
  /** Sends every worker the signal. */
  signal(signal: NodeJS.Signals): void;
  /**
   * Replaces every worker, one after another: the new one listens before its predecessor stops accepting. If a new one
   * cannot start, the rest stay as they are. One restart at a time; never rejects.
   */
  restart(): Promise<void>;
  /** Lets all of them end in order, each knowing that all do. Resolves when the last has ended. */
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly count: number;
  readonly logger: Logger;
  /** Called when no worker is left and no new one can be started. */
  onGivenUp(): void;
}

/** Starts them, the first one alone, so that a startup error is reported once. @throws Error when it ends before it listens */
export async function startWorkerProcesses({
  count,
  logger,
  onGivenUp,
}: WorkerOptions): Promise<WorkerProcesses> {
  /** Workers that listen, or did and are ending. */
  const listening = new Set<Worker>();
  /** Workers that were told to end. */
  const retired = new Set<Worker>();
  let address = { port: 0, host: '' };
  let failedStarts = 0;
  let closing = false;
  let restarting: Promise<void> | null = null;

  async function startWorker(): Promise<Worker> {
    const worker = cluster.fork();
    worker.once('listening', ({ port, address: host }) => {
      address = { port, host: host ?? '' };
    });
    const started = new Promise<void>((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (message === WORKER_READY) resolve();
      });
      worker.once('exit', (code, signal) =>
        reject(new Error(`a worker ended before it listened (${signal ?? code})`)),
      );
    });
    const killing = killAfter(worker, LONGEST_START_MS);
    await started.finally(() => clearTimeout(killing));
    listening.add(worker);
    worker.once('exit', (code, signal) => {
      listening.delete(worker);
      if (closing || retired.delete(worker)) return;
      logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended and is replaced');
      void replace();
    });
    return worker;
  }

  /** Starts one until it listens, with longer and longer waits. */
  async function replace(): Promise<void> {
    while (!closing) {
      await delay(Math.min(FIRST_WAIT_MS * 2 ** failedStarts, LONGEST_WAIT_MS));
      if (closing) return;
      try {
        const worker = await startWorker();
        failedStarts = 0;
        logger.warn({ worker: worker.process.pid }, 'a new worker replaced one that ended');
        // The end was requested while it started.
        if (closing) retire(worker);
        return;
      } catch (err) {
        failedStarts++;
        if (closing) return;
        logger.error({ err, failedStarts }, 'a worker could not be started');
        if (listening.size === 0 && failedStarts >= MOST_FAILED_STARTS) {
          onGivenUp();
          return;
        }
      }
    }
  }

  function retire(worker: Worker): void {
    retired.add(worker);
    worker.process.kill('SIGTERM');
    killAfter(worker, LONGEST_END_MS);
  }

  /** Kills the worker if it is still running then: a frozen worker reacts to no other signal, and the wait would never end. */
  function killAfter(worker: Worker, ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      logger.error({ worker: worker.process.pid, afterMs: ms }, 'a worker does not respond and is killed');
      worker.process.kill('SIGKILL');
    }, ms);
    worker.once('exit', () => clearTimeout(timer));
    return timer;
  }

  /** A successor could not be started: the worker stays, or is replaced if it has ended meanwhile. */
  function keep(worker: Worker): void {
    if (!retired.delete(worker)) void replace();
  }

  async function restartEach(): Promise<void> {
    for (const worker of [...listening]) {
      if (closing || !listening.has(worker)) continue;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      // From now on its end needs no replacement: the next one is starting, and there must not be two.
      retired.add(worker);
      try {
        const next = await startWorker();
        logger.info({ worker: worker.process.pid, next: next.process.pid }, 'a worker is replaced');
      } catch (err) {
        if (closing) return;
        keep(worker);
        logger.error({ err }, 'the restart is aborted: a new worker could not be started, the others stay');
        return;
      }
      if (listening.has(worker)) retire(worker);
      await ended;
    }
  }

  const first = await startWorker();
  await Promise.all(Array.from({ length: count - 1 }, startWorker)).catch((fault: unknown) => {
    closing = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    first.process.kill('SIGTERM');
    throw fault;
  });

  return {
    ...address,
    get workers() {
      return [...listening];
    },
    signal(signal) {
      for (const worker of listening) worker.process.kill(signal);
    },
    restart() {
      restarting ??= restartEach().finally(() => {
        restarting = null;
      });
      return restarting;
    },
    async close() {
      closing = true;
      const left = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(
        left.map(async (worker) => {
          const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
          // A signal would arrive before the message that all end; a worker that does not listen yet receives no message.
          if (listening.has(worker) && worker.isConnected()) worker.send(ALL_END);
          else worker.process.kill('SIGTERM');
          killAfter(worker, LONGEST_END_MS);
          await ended;
        }),
      );
    },
  };
}

/** In a worker: handles the message that all of them end, and ends as on SIGTERM. Returns whether the message came. */
export function watchEndOfAll(): () => boolean {
  let allEnd = false;
  process.on('message', (message: unknown) => {
    if (message !== ALL_END) return;
    allEnd = true;
    process.kill(process.pid, 'SIGTERM');
  });
  return () => allEnd;
}
