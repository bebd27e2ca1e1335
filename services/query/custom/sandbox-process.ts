/** The service's side of a sandbox: starts the process with hard bounds, asks it, watches its memory, kills it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { SandboxAnswer, SandboxLimits, SandboxRequest } from './sandbox-messages.ts';

const ENTRY = join(import.meta.dirname, 'sandbox-main.js');
const WATCH_EVERY_MS = 20;
/** What of the bound the kernel withholds, for code and stacks that it counts otherwise. */
const KERNEL_MARGIN_MB = 48;
/** Below everything that answers somebody else. */
const PRIORITY = 5;

/** A sandbox whose memory is fuller than this after a query is not used again: the next one has a right to all of it. */
const REUSABLE_SHARE = 0.6;

/** A process that cannot answer after so long, on however busy a machine, never will. */
const START_MS = 20_000;

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
  /** Whether a query met its memory's end in it. */
  #isSpent = false;
  readonly #ready: Promise<void>;
  /** What is loaded, as its user names it; null when nothing is. */
  loaded: string | null = null;
  /** Instant as of which what is loaded is true. */
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
    this.#lowerPriority();
  }

  /** Whether it can serve a further query. */
  get isUsable(): boolean {
    if (this.#isGone || this.#isSpent || this.#child.killed) return false;
    const most = this.#limits.memoryMb * REUSABLE_SHARE;
    return this.residentMb() < most && this.#statusMb('VmData') < most;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Memory of the process in megabytes, where the system tells; else 0. */
  residentMb(): number {
    return this.#statusMb('VmRSS');
  }

  /** Resolves when the process answers: to start takes its time on a busy machine, and is not the query's. @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason */
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

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /**
   * Asks; when `signal` aborts the process is killed at once, whatever it does, and its reason is thrown.
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

  #fault(reason: 'query' | 'memory' | 'internal', text: string): ApiError {
    if (reason === 'query') return new ApiError('QUERY_ERROR', { text });
    if (reason === 'memory') {
      this.#isSpent = true;
      return memoryError(this.#limits, new Error(text));
    }
    return new ApiError('INTERNAL_ERROR', { cause: new Error(`sandbox: ${text}`) });
  }

  /** Why the process is gone: allocations beyond the kernel's bound end some of the engine's paths by abort. */
  #death(): ApiError {
    const { exitCode, signalCode } = this.#child;
    const cause = new Error(`the sandbox ended with ${signalCode ?? exitCode ?? 'no process'}`);
    if (this.#overMemory || signalCode !== null || exitCode === 134 || exitCode === 139)
      return memoryError(this.#limits, cause);
    return new ApiError('SERVICE_UNAVAILABLE', { cause });
  }

  #lowerPriority(): void {
    if (this.#child.pid === undefined) return;
    try {
      setPriority(this.#child.pid, PRIORITY);
    } catch {
      // A system that does not let us: the bounds on time and memory hold all the same.
    }
  }
}

function memoryError({ memoryMb }: SandboxLimits, cause: Error): ApiError {
  return new ApiError('QUERY_ERROR', {
    text: `The query needs more than the ${memoryMb} MB of memory that it may use: ask for fewer columns, groups or days.`,
    cause,
  });
}

/** The environment is empty: no secret of the service reaches the process. The kernel bounds its memory and forbids it to write files. */
function start({ memoryMb, threads }: SandboxLimits): ChildProcess {
  const command = [
    process.execPath,
    '--max-old-space-size=96',
    '--disable-proto=delete',
    ENTRY,
    JSON.stringify({ memoryMb, threads } satisfies SandboxLimits),
  ];
  const kilobytes = (memoryMb - KERNEL_MARGIN_MB) * 1024;
  const bounded = ['-c', `ulimit -c 0; ulimit -f 0; ulimit -d ${kilobytes}; exec "$@"`, 'sh', ...command];
  const isLinux = process.platform === 'linux';
  return spawn(isLinux ? '/bin/sh' : process.execPath, isLinux ? bounded : command.slice(1), {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
}
