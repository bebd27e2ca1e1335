/** Group commit: appends that arrive while a commit runs share the next one, so that one fsync serves many callers. */
import { mayRetryInParts, toStoreError, unavailable } from './store-faults.ts';

/** Most events and most characters of JSON in one commit, so that none takes long. */
const LARGEST_GROUP_EVENTS = 10_000;
const LARGEST_GROUP_CHARACTERS = 16_000_000;

export interface AppendQueueOptions {
  /** Makes the events of a JSON array durable, all or none. */
  readonly commit: (json: string) => Promise<void>;
  /** Most events that wait for a commit. */
  readonly maxWaitingEvents: number;
  /** Most characters of JSON that wait for a commit. */
  readonly maxWaitingCharacters: number;
}

interface Waiting {
  readonly events: number;
  /** JSON objects joined by commas. */
  readonly json: string;
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
  add(events: number, json: string): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable(new Error('the event store is closed')));
    if (!this.#hasRoom(events, json.length)) {
      return Promise.reject(
        unavailable(
          new Error(`${this.#waitingEvents} events (${this.#waitingCharacters} characters) wait already`),
          'Too many events wait to be stored; try again shortly.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, json, resolve, reject });
      this.#waitingEvents += events;
      this.#waitingCharacters += json.length;
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
    // Callers of one turn of the event loop share the first commit.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#commitGroup(this.#takeGroup());
    this.#running = null;
  }

  #takeGroup(): Waiting[] {
    let events = 0;
    let characters = 0;
    let size = 0;
    for (const request of this.#waiting) {
      events += request.events;
      characters += request.json.length;
      if (size > 0 && (events > LARGEST_GROUP_EVENTS || characters > LARGEST_GROUP_CHARACTERS)) break;
      size++;
    }
    const group = this.#waiting.slice(0, size);
    this.#waiting = this.#waiting.slice(size);
    for (const request of group) {
      this.#waitingEvents -= request.events;
      this.#waitingCharacters -= request.json.length;
    }
    return group;
  }

  /**
   * A group that fails for what it holds is tried again request by request, so that a bad one fails alone. After a
   * fault of the disk it is not: part of it might be stored twice.
   */
  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#commit(group.map((request) => request.json).join(','));
      for (const request of group) request.resolve();
    } catch (error) {
      if (group.length > 1 && mayRetryInParts(error)) {
        for (const request of group) await this.#commitGroup([request]);
      } else {
        for (const request of group) request.reject(toStoreError(error));
      }
    }
  }

  #commit(json: string): Promise<void> {
    this.commits++;
    return this.#options.commit(`[${json}]`);
  }
}
