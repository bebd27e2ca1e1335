/** The service's side of a sandbox: starts the process with hard bounds, sends requests, watches its memory, kills it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { FailureReason, SandboxAnswer, SandboxLimits, SandboxRequest } from './sandbox-messages.ts';

const ENTRY = join(import.meta.dirname, 'sandbox-main.js');
const WATCH_EVERY_MS = 20;
/** The part of the bound that the kernel withholds, for code and stacks that it counts differently. */
const KERNEL_MARGIN_MB = 48;
/** From Node 24 on V8 reserves its code range as data at the start, almost unused: it is not part of the query's bound. */
const CODE_RANGE_MB = Number(process.versions.node.split('.')[0]) >= 24 ? 512 : 0;
const isLinux = process.platform === 'linux';

/** The priority of a process: `busy` is below everything that answers others, `heavy` below busy ones too. */
export type StandsBack = 'busy' | 'heavy';

/** `heavy` leaves a thirtieth of a contended processor: enough to start. */
const PRIORITIES: Readonly<Record<StandsBack, number>> = { busy: 5, heavy: 15 };

/** A sandbox whose memory is fuller than this after a query is not reused: the next query is entitled to all of it. */
const REUSABLE_SHARE = 0.6;

/** A process that cannot answer after this long, even on a busy machine, never will. */
const START_MS = 20_000;

/** The engine's message is then a stack trace; it does not say which clause failed. */
const ENGINE_BROKE =
  'Query: the engine cannot run it; cast the values of params to the types that are meant, or write it another way.';

type AnswerTo<K extends SandboxRequest['kind']> = Extract<
  SandboxAnswer,
  { kind: { check: 'checked'; load: 'loaded'; run: 'result' }[K] }
>;

interface Waiting {
  resolve(answer: SandboxAnswer): void;
  reject(fault: Error): void;
}

/** One process; it runs one request at a time. */
export class Sandbox {
  readonly #limits: SandboxLimits;
  readonly #child: ChildProcess;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  #waiting: Waiting | null = null;
  #isGone = false;
  #overMemory = false;
  /** Whether a query ran out of memory in it, or broke its engine. */
  #isSpent = false;
  #standsBack: StandsBack | null = null;
  readonly #ready: Promise<void>;
  /** What is loaded, under its user's name for it; null when nothing is. */
  loaded: string | null = null;
  /** The instant for which the loaded data is true. */
  loadedAt = 0;

  constructor(limits: SandboxLimits) {
    this.#limits = limits;
    this.#child = start(limits);
    this.gone = new Promise((resolve) => {
      const end = () => {
        this.#isGone = true;
        this.#settle()?.reject(this.#death());
        resolve();
      };
      this.#child.once('exit', end);
      this.#child.once('error', end);
    });
    this.#ready = new Promise((resolve) => {
      this.#child.on('message', (answer: SandboxAnswer) => {
        if (answer.kind === 'ready') resolve();
        else this.#settle()?.resolve(answer);
      });
    });
  }

  /** Whether it can serve another query. */
  get isUsable(): boolean {
    if (this.#isGone || this.#isSpent || this.#standsBack === 'heavy' || this.#child.killed) return false;
    const most = this.#limits.memoryMb * REUSABLE_SHARE;
    return this.residentMb() < most && this.#statusMb('VmData') - CODE_RANGE_MB < most;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Memory of the process in megabytes, where the system reports it; else 0. */
  residentMb(): number {
    return this.#statusMb('VmRSS');
  }

  /**
   * Resolves when the process answers: starting takes a while on a busy machine, and is not charged to the query.
   * @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
   */
  async started(signal: AbortSignal): Promise<void> {
    const late = setTimeout(() => this.kill(), START_MS);
    const kill = () => this.kill();
    signal.addEventListener('abort', kill, { once: true });
    try {
      await Promise.race([this.#ready, this.gone]);
      signal.throwIfAborted();
      if (this.#isGone) {
        throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('the sandbox does not start') });
      }
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', kill);
    }
  }

  /** Its lowered priority; null: none, it has the priority of the service. */
  get standsBack(): StandsBack | null {
    return this.#standsBack;
  }

  /** Lowers its priority for the rest of its life: no process can raise it again. */
  giveWay(standsBack: StandsBack): void {
    this.#standsBack = standsBack;
    this.#setPriority(PRIORITIES[standsBack]);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /**
   * Sends a request; when `signal` aborts, the process is killed at once, whatever it does, and the signal's reason is
   * thrown.
   * @throws ApiError QUERY_ERROR for faults of the query, its memory included
   * @throws ApiError INTERNAL_ERROR
   */
  async ask<R extends SandboxRequest>(request: R, signal: AbortSignal): Promise<AnswerTo<R['kind']>> {
    signal.throwIfAborted();
    if (this.#isGone) throw this.#death();
    const kill = () => this.kill();
    signal.addEventListener('abort', kill, { once: true });
    const watch = setInterval(() => this.#watchMemory(), WATCH_EVERY_MS);
    try {
      const answer = await new Promise<SandboxAnswer>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#child.send(request, (fault) => {
          if (fault) this.kill();
        });
      });
      signal.throwIfAborted();
      if (answer.kind === 'failed') throw this.#fault(answer.reason, answer.text);
      return answer as AnswerTo<R['kind']>;
    } catch (fault) {
      signal.throwIfAborted();
      throw fault;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', kill);
    }
  }

  #statusMb(name: 'VmRSS' | 'VmData'): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'latin1');
      return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  #watchMemory(): void {
    if (this.residentMb() <= this.#limits.memoryMb) return;
    this.#overMemory = true;
    this.kill();
  }

  #fault(reason: FailureReason, text: string): ApiError {
    if (reason === 'query') return new ApiError('QUERY_ERROR', { text });
    if (reason === 'memory') {
      this.#isSpent = true;
      return memoryError(this.#limits, new Error(text));
    }
    const cause = new Error(`sandbox: ${text}`);
    if (reason === 'internal') return new ApiError('INTERNAL_ERROR', { cause });
    this.#isSpent = true;
    return new ApiError('QUERY_ERROR', { text: ENGINE_BROKE, cause });
  }

  /** Why the process is gone: allocations beyond the kernel's bound make some paths of the engine abort. */
  #death(): ApiError {
    const { exitCode, signalCode } = this.#child;
    const cause = new Error(`the sandbox ended with ${signalCode ?? exitCode ?? 'no process'}`);
    if (this.#overMemory || signalCode !== null || exitCode === 134 || exitCode === 139)
      return memoryError(this.#limits, cause);
    return new ApiError('SERVICE_UNAVAILABLE', { cause });
  }

  #setPriority(priority: number): void {
    for (const thread of this.#threads()) {
      try {
        setPriority(thread, priority);
      } catch {
        // The system refuses, or a thread has ended: the bounds on time and memory apply all the same.
      }
    }
  }

  /** What has a priority: on Linux each thread, and new threads inherit the priority of their creator. */
  #threads(): readonly number[] {
    const { pid } = this.#child;
    if (pid === undefined || this.#isGone) return [];
    if (!isLinux) return [pid];
    try {
      return readdirSync(`/proc/${pid}/task`).map(Number);
    } catch {
      return [];
    }
  }
}

function memoryError({ memoryMb }: SandboxLimits, cause: Error): ApiError {
  return new ApiError('QUERY_ERROR', {
    text: `The query needs more than the ${memoryMb} MB of memory that it may use: ask for fewer columns, groups or days.`,
    cause,
  });
}

/**
 * The environment is empty, so no secret of the service reaches the process. The kernel bounds its memory and forbids
 * writing files.
 */
function start({ memoryMb, threads }: SandboxLimits): ChildProcess {
  const command = [
    process.execPath,
    '--max-old-space-size=96',
    '--disable-proto=delete',
    ENTRY,
    JSON.stringify({ memoryMb, threads } satisfies SandboxLimits),
  ];
  const kilobytes = (memoryMb - KERNEL_MARGIN_MB + CODE_RANGE_MB) * 1024;
  const bounded = ['-c', `ulimit -c 0; ulimit -f 0; ulimit -d ${kilobytes}; exec "$@"`, 'sh', ...command];
  return spawn(isLinux ? '/bin/sh' : process.execPath, isLinux ? bounded : command.slice(1), {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
}
