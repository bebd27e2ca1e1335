/** Group commit: appends that arrive while a commit runs share the next one, so that one fsync serves many callers. */
import type { EventRecord } from '../../model/event-record.ts';
import { mayRetryInParts, toStoreError, unavailable } from './store-faults.ts';

/** Most events and most characters of text in one commit, so that none takes long. */
const LARGEST_GROUP_EVENTS = 10_000;
const LARGEST_GROUP_CHARACTERS = 16_000_000;
/** Most turns of the event loop that a commit waits for others to join it. */
const MOST_TURNS = 100;

export interface AppendQueueOptions {
  /** Makes the events durable, all or none. */
  readonly commit: (events: readonly EventRecord[]) => Promise<void>;
  /** Most events that wait for a commit. */
  readonly maxWaitingEvents: number;
  /** Most characters of text that wait for a commit. */
  readonly maxWaitingCharacters: number;
}

interface Waiting {
  readonly events: readonly EventRecord[];
  readonly characters: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class AppendQueue {
  readonly #options: AppendQueueOptions;
  #waiting: Waiting[] = [];
  #waitingEvents = 0;
  #waitingCharacters = 0;
  #running: Promise<void> | null = null;
  #closed = false;
  /** Commits tried so far, for tests and metrics. */
  commits = 0;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
  }

  /** Resolves when the events are durable. @throws ApiError SERVICE_UNAVAILABLE when too many wait or the queue is closed */
  add(events: readonly EventRecord[], characters: number): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable(new Error('the event store is closed')));
    if (!this.#hasRoom(events.length, characters)) {
      return Promise.reject(
        unavailable(
          new Error(`${this.#waitingEvents} events (${this.#waitingCharacters} characters) wait already`),
          'Too many events wait to be stored; try again shortly.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, characters, resolve, reject });
      this.#waitingEvents += events.length;
      this.#waitingCharacters += characters;
      this.#running ??= this.#drain();
    });
  }

  /** Takes no more and resolves when what was taken is settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  /** An append larger than the whole bound is taken when nothing else waits. */
  #hasRoom(events: number, characters: number): boolean {
    if (this.#waiting.length === 0) return true;
    return (
      this.#waitingEvents + events <= this.#options.maxWaitingEvents &&
      this.#waitingCharacters + characters <= this.#options.maxWaitingCharacters
    );
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#commitGroup(this.#takeGroup());
    }
    this.#running = null;
  }

  /**
   * Waits while each turn of the event loop brings further appends: a commit costs as much as storing a hundred events,
   * so that those which are on their way had better share it. A lone caller waits for one turn.
   */
  async #gather(): Promise<void> {
    let seen: number;
    let turns = 0;
    do {
      seen = this.#waiting.length;
      await new Promise(setImmediate);
    } while (this.#waiting.length > seen && ++turns < MOST_TURNS);
  }

  #takeGroup(): Waiting[] {
    let events = 0;
    let characters = 0;
    let size = 0;
    for (const request of this.#waiting) {
      events += request.events.length;
      characters += request.characters;
      if (size > 0 && (events > LARGEST_GROUP_EVENTS || characters > LARGEST_GROUP_CHARACTERS)) break;
      size++;
    }
    const group = this.#waiting.slice(0, size);
    this.#waiting = this.#waiting.slice(size);
    for (const request of group) {
      this.#waitingEvents -= request.events.length;
      this.#waitingCharacters -= request.characters;
    }
    return group;
  }

  /**
   * A group that fails for what it holds is tried again request by request, so that a bad one fails alone. After a
   * fault of the disk it is not: part of it might be stored twice.
   */
  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#commit(group.flatMap((request) => request.events));
      for (const request of group) request.resolve();
    } catch (error) {
      if (group.length > 1 && mayRetryInParts(error)) {
        for (const request of group) await this.#commitGroup([request]);
      } else {
        for (const request of group) request.reject(toStoreError(error));
      }
    }
  }

  #commit(events: readonly EventRecord[]): Promise<void> {
    this.commits++;
    return this.#options.commit(events);
  }
}
