/**
 * Group commit: appends that arrive while a commit runs share the next one, so that one fsync serves many callers.
 * Commits run one after the other, so repeats are left out here: when a commit begins, everything stored is known.
 */
import type { EventRecord } from '../../model/event-record.ts';
import type { Clock } from '../../ports/clock.ts';
import { type AppendOutcome, NO_REPEATS } from '../../ports/event-store.ts';
import { type EventIdHash, type EventIdWindow, eventIdHash, idPartyOf } from '../event-id-window.ts';
import { type Extent, WaitingAppends } from '../waiting-appends.ts';
import { mayRetryInParts, toStoreError, unavailable } from './store-faults.ts';

const LARGEST_GROUP: Extent = { events: 10_000, characters: 16_000_000 };
/** How many turns of the event loop a commit waits for others to join it, and how many events are enough to stop waiting. */
const MOST_TURNS = 32;
/** After this many turns without a further append it stops waiting: a request takes a few turns from its socket to here. */
const QUIET_TURNS = 3;
const ENOUGH_EVENTS = 1_000;

export interface AppendQueueOptions {
  /** Makes the events durable, all or none; the instant of the commit in milliseconds. */
  readonly commit: (events: readonly EventRecord[]) => Promise<number>;
  /** The ids of the stored events. */
  readonly storedIds: EventIdWindow;
  readonly clock: Clock;
  /** How many events may wait for a commit. */
  readonly mostWaiting: Extent;
  /** Called when no append waits any more; those that come until it resolves, wait for it. It never fails; null: nothing to wait for. */
  readonly whenIdle: () => Promise<void> | null;
}

interface Waiting {
  readonly events: readonly EventRecord[];
  readonly characters: number;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** The part of a group that has to be stored. */
interface FreshEvents {
  readonly events: EventRecord[];
  /** Those with an id, by that id. */
  readonly ids: Map<EventIdHash, EventRecord>;
  /** That of each append. */
  readonly outcomes: AppendOutcome[];
}

export class AppendQueue {
  readonly #options: AppendQueueOptions;
  readonly #waiting: WaitingAppends<Waiting>;
  #running: Promise<void> | null = null;
  #closed = false;
  /** Commits tried so far, for tests and metrics. */
  commits = 0;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
    this.#waiting = new WaitingAppends({ most: options.mostWaiting, largestGroup: LARGEST_GROUP });
  }

  /** Events that are waiting for a commit, without those in the running one. */
  get waitingEvents(): number {
    return this.#waiting.events;
  }

  /** Resolves when the events are durable. @throws ApiError SERVICE_UNAVAILABLE when too many wait or the queue is closed */
  async add(events: readonly EventRecord[], characters: number): Promise<AppendOutcome> {
    if (this.#closed) throw unavailable(new Error('the event store is closed'));
    this.#waiting.requireRoom(events.length, characters);
    return new Promise((resolve, reject) => {
      this.#waiting.add({ events, characters, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Accepts no more, and resolves when everything accepted is settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        await this.#gather();
        await this.#commitGroup(this.#waiting.takeGroup());
        if (this.#waiting.size === 0) await this.#options.whenIdle();
      }
    } finally {
      this.#running = null;
    }
  }

  /**
   * Waits while the turns of the event loop bring further appends: a commit costs as much as storing a hundred events,
   * so events on their way should share it. A lone caller waits for {@link QUIET_TURNS} turns.
   */
  async #gather(): Promise<void> {
    let quiet = 0;
    for (let turns = 0; turns < MOST_TURNS && quiet < QUIET_TURNS; turns++) {
      const seen = this.#waiting.size;
      await new Promise(setImmediate);
      if (this.#waiting.events >= ENOUGH_EVENTS) return;
      quiet = this.#waiting.size === seen ? quiet + 1 : 0;
    }
  }

  /**
   * A group that fails because of its content is retried request by request, so that only the bad one fails. After a
   * disk fault it is not, since the others would fail too.
   */
  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    const fresh = this.#withoutRepeats(group);
    try {
      if (fresh.events.length > 0) await this.#commit(fresh);
      for (const [i, request] of group.entries()) request.resolve(fresh.outcomes[i] ?? NO_REPEATS);
    } catch (error) {
      if (group.length > 1 && mayRetryInParts(error)) {
        for (const request of group) await this.#commitGroup([request]);
      } else {
        for (const request of group) request.reject(toStoreError(error));
      }
    }
  }

  #withoutRepeats(group: readonly Waiting[]): FreshEvents {
    const { storedIds, clock } = this.#options;
    const now = clock.now();
    const fresh: FreshEvents = { events: [], ids: new Map(), outcomes: [] };
    for (const { events } of group) {
      const repeats: number[] = [];
      for (const [position, event] of events.entries()) {
        const id = eventIdHash(event);
        if (id !== null && (fresh.ids.has(id) || storedIds.has(id, now))) {
          repeats.push(position);
          continue;
        }
        if (id !== null) fresh.ids.set(id, event);
        fresh.events.push(event);
      }
      fresh.outcomes.push(repeats.length === 0 ? NO_REPEATS : { repeats });
    }
    return fresh;
  }

  async #commit({ events, ids }: FreshEvents): Promise<void> {
    this.commits++;
    const at = await this.#options.commit(events);
    for (const [id, event] of ids) this.#options.storedIds.add(id, at, idPartyOf(event));
  }
}
