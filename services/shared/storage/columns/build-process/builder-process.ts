/** The side of the process that answers queries: starts the builder of segments, starts it again when it dies, asks it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { unavailable } from '../../duckdb/store-faults.ts';
import { untilAborted } from '../../single-flight.ts';
import type { Partition } from '../partition.ts';
import type { DamagedSegment } from '../segment-set.ts';
import type { SegmentBuilds } from '../sources.ts';
import { type BuildStatus, NO_BUILDS } from './build-progress.ts';
import type { BuilderAnswer, BuilderRequest, BuilderSettings } from './builder-messages.ts';

const ENTRY = join(import.meta.dirname, 'builder-main.js');

/** The wait before a builder that ended is started again, in milliseconds; it doubles until one gets ready. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** How long it may take to end in order before it is killed, in milliseconds. */
const END_MS = 5_000;

/** Megabytes of objects of the runtime: some batches of documents. */
const HEAP_MB = 512;

/** Damage that is remembered for a builder that starts again; what is not is found again by the next query. */
const MOST_DAMAGE = 1_000;

interface Waiting {
  readonly partition: Partition;
  built(): void;
}

export interface BuilderProcessOptions extends BuilderSettings {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export class BuilderProcess implements SegmentBuilds {
  readonly #settings: BuilderSettings;
  readonly #logger: BuilderProcessOptions['logger'];
  /** By number. */
  readonly #waiting = new Map<number, Waiting>();
  /** Reported while no builder was ready. */
  readonly #unsent: Extract<BuilderRequest, { kind: 'damaged' }>[] = [];
  readonly #closing = new AbortController();
  #child: ChildProcess | null = null;
  #isReady = false;
  #number = 0;
  #failures = 0;
  #restart: NodeJS.Timeout | null = null;
  #status: BuildStatus = NO_BUILDS;

  constructor({ logger, ...settings }: BuilderProcessOptions) {
    this.#settings = settings;
    this.#logger = logger;
    this.#start();
  }

  /** What it told last; what a builder before it did is not counted. */
  get status(): BuildStatus {
    return this.#status;
  }

  /** Of the builder that runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  ask(partition: Partition): void {
    // One that starts finds by itself what has many fresh events.
    if (this.#isReady) this.#send({ kind: 'ask', partition });
  }

  async first(partition: Partition, signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, this.#closing.signal]);
    until.throwIfAborted();
    const number = ++this.#number;
    const isBuilt = new Promise<void>((resolve) => {
      this.#waiting.set(number, { partition, built: resolve });
    });
    if (this.#isReady) this.#send({ kind: 'first', number, partition });
    try {
      await untilAborted(isBuilt, until);
    } finally {
      this.#waiting.delete(number);
      if (until.aborted && this.#isReady) this.#send({ kind: 'leave', number });
    }
  }

  damaged(partition: Partition, cause: DamagedSegment): void {
    const { segment, message: reason } = cause;
    const request = { kind: 'damaged', partition, segment, reason } as const;
    if (this.#isReady) this.#send(request);
    else if (this.#unsent.length < MOST_DAMAGE) this.#unsent.push(request);
  }

  /** Ends the builder between two of its steps; who waits gets SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    this.#closing.abort(unavailable(new Error('segments are not built any more')));
    if (this.#restart) clearTimeout(this.#restart);
    const child = this.#child;
    if (child === null) return;
    const ended = once(child, 'exit');
    const killing = setTimeout(() => child.kill('SIGKILL'), END_MS);
    if (this.#isReady) this.#send({ kind: 'close' });
    else child.kill('SIGKILL');
    await ended;
    clearTimeout(killing);
  }

  #start(): void {
    this.#restart = null;
    const child = fork(ENTRY, [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
    });
    this.#child = child;
    child.on('message', (answer: BuilderAnswer) => this.#take(answer));
    // Also emitted where the process cannot be started, or a message cannot be sent: its end tells.
    child.on('error', (err) => this.#logger.warn({ err }, 'the builder of segments failed'));
    const end = (code: number | null, signal: string | null) => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#isReady = false;
      this.#again(code, signal);
    };
    child.once('exit', end);
    child.once('error', () => {
      if (child.pid === undefined) end(null, null);
    });
    this.#send({ kind: 'start', settings: this.#settings });
  }

  #again(code: number | null, signal: string | null): void {
    this.#status = { ...NO_BUILDS, fault: this.#status.fault };
    if (this.#closing.signal.aborted) return;
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#failures++, LONGEST_WAIT_MS);
    this.#logger.warn({ code, signal, waitMs }, 'the builder of segments ended and is started again');
    this.#restart = setTimeout(() => this.#start(), waitMs).unref();
  }

  #take(answer: BuilderAnswer): void {
    switch (answer.kind) {
      case 'ready':
        this.#isReady = true;
        this.#failures = 0;
        for (const request of this.#unsent.splice(0)) this.#send(request);
        for (const [number, { partition }] of this.#waiting) this.#send({ kind: 'first', number, partition });
        return;
      case 'built':
        this.#waiting.get(answer.number)?.built();
        return;
      case 'status':
        this.#status = answer.status;
        return;
      case 'log':
        this.#logger[answer.level](answer.fields, answer.text);
        return;
    }
  }

  #send(request: BuilderRequest): void {
    // One that cannot be sent meets a builder that is ending: the next one is told what still matters.
    this.#child?.send(request, () => undefined);
  }
}
