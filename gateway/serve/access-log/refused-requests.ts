/** The last refused requests of this process, whatever the access log writes: `tidegate why` asks for them. */
import type { AccessEntry } from './access-entry.ts';

/** How many are kept. */
export const KEPT_REFUSALS = 10_000;

/** A ring: the newest takes the place of the oldest, so its memory is bounded. */
export class RefusedRequests {
  readonly #slots: (AccessEntry | undefined)[];
  #next = 0;

  constructor(kept: number = KEPT_REFUSALS) {
    this.#slots = new Array<AccessEntry | undefined>(kept).fill(undefined);
  }

  add(entry: AccessEntry): void {
    this.#slots[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#slots.length;
  }

  /** Those of this request id, the newest first: a client may send one id several times. */
  find(requestId: string): AccessEntry[] {
    const found: AccessEntry[] = [];
    for (const entry of this.newest()) if (entry.requestId === requestId) found.push(entry);
    return found;
  }

  /** All, the newest first. */
  *newest(): Generator<AccessEntry, void> {
    const { length } = this.#slots;
    for (let back = 1; back <= length; back++) {
      const entry = this.#slots[(this.#next - back + length) % length];
      if (entry === undefined) return;
      yield entry;
    }
  }
}
