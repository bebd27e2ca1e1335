/** The process that builds segments: below the priority of everything that answers, and gone when its parent is. */
import '../../../process/no-inspector.ts';
import '../../../process/memory.ts';
import { rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../ports/clock.ts';
import { SegmentMaker } from '../../duckdb/segments/segment-maker.ts';
import { openBuildPorts } from '../../mongodb/segments/open-build-ports.ts';
import { SegmentBuilder } from '../build/segment-builder.ts';
import { takeCacheFolder } from '../cache-folder.ts';
import { DamagedSegment } from '../segment-set.ts';
import { BuildLoop } from './build-loop.ts';
import { BuildProgress } from './build-progress.ts';
import type { BuilderAnswer, BuilderRequest, BuilderSettings } from './builder-messages.ts';

/** Below services, and no lower than the processes of short custom queries: a query may wait for first segments. */
const PRIORITY = 5;

const STATUS_EVERY_MS = 1_000;

/** How long a count of events may take that only tells how long a build will. */
const COUNT_MS = 5_000;

function say(answer: BuilderAnswer): void {
  process.send?.(answer);
}

/** What is logged goes to the parent, which knows where to. */
const logger = { info: logAs('info'), warn: logAs('warn') };

function logAs(level: 'info' | 'warn') {
  return ({ err, ...fields }: Record<string, unknown>, text: string) => {
    const fault = err instanceof Error ? { fault: faultOf(err) } : {};
    say({ kind: 'log', level, fields: { ...fields, ...fault }, text });
  };
}

function faultOf(err: Error): string {
  return err.cause instanceof Error ? `${err.message}: ${err.cause.message}` : err.message;
}

class Builder {
  readonly #loop: BuildLoop;
  readonly #close: () => Promise<void>;
  readonly #leaving = new Map<number, AbortController>();
  readonly #reporting: NodeJS.Timeout;
  #reported = '';

  private constructor(loop: BuildLoop, close: () => Promise<void>) {
    this.#loop = loop;
    this.#close = close;
    this.#reporting = setInterval(() => this.#report(), STATUS_EVERY_MS);
  }

  static async start({
    uri,
    directory,
    memoryMb,
    coldAfterDays,
    lookEveryMs,
  }: BuilderSettings): Promise<Builder> {
    const folder = await takeCacheFolder(directory);
    const files = join(folder.path, 'files');
    // A killed builder may have left some.
    await rm(files, { recursive: true, force: true });
    const maker = await SegmentMaker.open({ directory: files, memoryMb });
    const ports = await openBuildPorts(uri);
    const progress = new BuildProgress(systemClock);
    const builder = new SegmentBuilder({ ...ports, maker, arrivals: progress.counting(ports.arrivals) });
    const loop = new BuildLoop({
      builder,
      sets: ports.sets,
      leases: ports.leases,
      coldAfterDays,
      progress,
      logger: logger as never,
      count: (partition, signal) => ports.arrivals.count(partition, COUNT_MS, signal),
      ...(lookEveryMs === undefined ? {} : { lookEveryMs }),
    });
    return new Builder(loop, async () => {
      await loop.close();
      await ports.close();
      await maker.close();
      folder.release();
    });
  }

  async answer(request: Exclude<BuilderRequest, { kind: 'start' }>): Promise<void> {
    switch (request.kind) {
      case 'ask':
        this.#loop.ask(request.partition);
        return;
      case 'damaged':
        this.#loop.damaged(request.partition, new DamagedSegment(request.segment, request.reason));
        return;
      case 'first':
        return this.#first(request);
      case 'leave':
        this.#leaving.get(request.number)?.abort();
        return;
      case 'close':
        clearInterval(this.#reporting);
        await this.#close();
        process.exit(0);
    }
  }

  async #first({ number, partition }: Extract<BuilderRequest, { kind: 'first' }>): Promise<void> {
    const leaving = new AbortController();
    this.#leaving.set(number, leaving);
    try {
      await this.#loop.first(partition, leaving.signal);
      say({ kind: 'built', number });
    } catch {
      // Nobody waits any more, or it closes.
    } finally {
      this.#leaving.delete(number);
    }
  }

  #report(): void {
    const { status } = this.#loop;
    const text = JSON.stringify(status);
    if (text === this.#reported) return;
    this.#reported = text;
    say({ kind: 'status', status });
  }
}

try {
  setPriority(PRIORITY);
} catch {
  // The system refuses: it works all the same.
}
let builder: Promise<Builder> | null = null;
process.on('message', (request: BuilderRequest) => {
  if (request.kind === 'start') {
    builder = Builder.start(request.settings);
    builder.then(
      () => say({ kind: 'ready' }),
      (err: Error) => {
        logger.warn({ err }, 'the builder of segments does not start');
        process.exitCode = 1;
        process.disconnect();
      },
    );
  } else
    void builder?.then(
      (running) => running.answer(request),
      () => undefined,
    );
});
// Nobody waits for what is built here, and the next builder goes on where this one ends.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The parent tells when to end; a signal that goes to the whole group of processes does not.
process.on('SIGTERM', () => undefined);
process.on('SIGINT', () => undefined);
