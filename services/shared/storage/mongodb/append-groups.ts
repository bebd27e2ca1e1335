/** Group commit: appends that arrive while others are stored share the next bulk insert; a few groups run at once. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../errors/api-error.ts';
import type { AppendOutcome } from '../../ports/event-store.ts';
import { type Extent, WaitingAppends } from '../waiting-appends.ts';
import { type Append, AppendGroup, type GroupPorts, type PreparedEvent } from './append-group.ts';

const LARGEST_GROUP: Extent = { events: 2_000, characters: 8_000_000 };

/** How many groups run at once: a write waits for the disks of several machines, which can do other work meanwhile. */
const GROUPS_AT_ONCE = 4;

/** How often it goes on with the groups that failed in the middle, in milliseconds. */
const FINISH_EVERY_MS = 2_000;

/** With so many events in these, no more are accepted: they are held in memory until the server answers. */
const MOST_UNFINISHED = 20_000;

interface Waiting extends Append {
  readonly characters: number;
}

export class AppendGroups {
  readonly #ports: GroupPorts;
  readonly #stopping = new AbortController();
  readonly #waiting: WaitingAppends<Waiting>;
  readonly #finishing = new Set<Promise<void>>();
  #unfinished = 0;
  #running = 0;
  #whenIdle: (() => void)[] = [];
  /** Groups attempted so far, for tests and metrics. */
  commits = 0;

  /** `mostWaiting`: how many events may wait for a group. */
  constructor(ports: GroupPorts, mostWaiting: Extent) {
    this.#ports = ports;
    this.#waiting = new WaitingAppends({ most: mostWaiting, largestGroup: LARGEST_GROUP });
  }

  /** Events that are waiting for a group, without those in running ones. */
  get waitingEvents(): number {
    return this.#waiting.events;
  }

  /** Resolves when the events are durable. @throws ApiError SERVICE_UNAVAILABLE when too many wait, the queue is closed, or no server answers */
  async add(events: readonly PreparedEvent[], characters: number): Promise<AppendOutcome> {
    if (this.#stopping.signal.aborted) {
      throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('the event store is closed') });
    }
    if (this.#unfinished > MOST_UNFINISHED) {
      const cause = new Error(`${this.#unfinished} events of failed appends may be stored or not`);
      throw new ApiError('SERVICE_UNAVAILABLE', { cause });
    }
    this.#waiting.requireRoom(events.length, characters);
    return new Promise((resolve, reject) => {
      this.#waiting.add({ events, characters, resolve, reject });
      if (this.#running < GROUPS_AT_ONCE) void this.#drain();
    });
  }

  /** Accepts no more, and resolves when everything accepted is settled; what failed in the middle is tried once more. */
  async close(): Promise<void> {
    this.#stopping.abort();
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    await Promise.all(this.#finishing);
  }

  async #drain(): Promise<void> {
    this.#running++;
    // Appends in the same turn of the event loop share the first group.
    await new Promise(setImmediate);
    while (this.#waiting.size > 0) await this.#store(this.#waiting.takeGroup());
    this.#running--;
    if (this.#running === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }

  async #store(appends: readonly Append[]): Promise<void> {
    this.commits++;
    const group = new AppendGroup(appends, this.#ports);
    const { alone, finish } = await group.store();
    if (finish !== null) {
      const finishing = this.#finish(finish, group.events);
      this.#finishing.add(finishing);
      void finishing.finally(() => this.#finishing.delete(finishing));
    }
    for (const append of alone) await this.#store([append]);
  }

  /** Until the server has answered, as long as the store is open. */
  async #finish(finish: () => Promise<void>, events: number): Promise<void> {
    const { signal } = this.#stopping;
    this.#unfinished += events;
    for (let isLast = false; ; ) {
      try {
        await finish();
        break;
      } catch {
        if (isLast) break;
        await pause(FINISH_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
        isLast = signal.aborted;
      }
    }
    this.#unfinished -= events;
  }
}
