/** Appends that wait for a group commit: how many may wait, and which form the next group. */
import { ApiError } from '../errors/api-error.ts';

/** A waiting append. */
export interface WaitingAppend {
  readonly events: readonly unknown[];
  /** Characters of its texts, roughly. */
  readonly characters: number;
}

/** Events, and characters of their texts. */
export interface Extent {
  readonly events: number;
  readonly characters: number;
}

export interface WaitingAppendsOptions {
  /** How much may wait. A larger append is accepted when nothing else waits. */
  readonly most: Extent;
  /** How much one group may hold, so that none takes long. A larger append is a group of its own. */
  readonly largestGroup: Extent;
}

export class WaitingAppends<A extends WaitingAppend> {
  readonly #options: WaitingAppendsOptions;
  #waiting: A[] = [];
  #events = 0;
  #characters = 0;

  constructor(options: WaitingAppendsOptions) {
    this.#options = options;
  }

  /** How many appends wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** How many events these have. */
  get events(): number {
    return this.#events;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE when too many are waiting already */
  requireRoom(events: number, characters: number): void {
    const { most } = this.#options;
    if (this.#waiting.length === 0) return;
    if (this.#events + events <= most.events && this.#characters + characters <= most.characters) return;
    throw new ApiError('SERVICE_UNAVAILABLE', {
      text: 'Too many events wait to be stored; try again shortly.',
      cause: new Error(`${this.#events} events (${this.#characters} characters) wait already`),
    });
  }

  add(append: A): void {
    this.#waiting.push(append);
    this.#events += append.events.length;
    this.#characters += append.characters;
  }

  /** The next group, which is removed from the queue: the oldest appends, at least one. */
  takeGroup(): readonly A[] {
    const { largestGroup } = this.#options;
    let events = 0;
    let characters = 0;
    let size = 0;
    for (const append of this.#waiting) {
      events += append.events.length;
      characters += append.characters;
      if (size > 0 && (events > largestGroup.events || characters > largestGroup.characters)) break;
      size++;
    }
    const group = this.#waiting.slice(0, size);
    this.#waiting = this.#waiting.slice(size);
    for (const append of group) {
      this.#events -= append.events.length;
      this.#characters -= append.characters;
    }
    return group;
  }
}
