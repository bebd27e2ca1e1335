/** Numbers for subjects, so that a count in memory names its subject in four bytes; unused numbers are reused. */

/** Names are spread over this many maps: a growing map moves all its entries, and a small one stalls no request. */
const SHARDS = 256;
/** The data of numbers comes in pages, so that growing copies nothing. */
const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;
/** No number. */
const NONE = -1;

interface Page {
  readonly names: (string | null)[];
  /** How many counts hold each number; for a free number, the next free one. */
  readonly held: Int32Array;
}

/** Counts hold the number that they name; a subject without counts is forgotten. */
export class SubjectIds {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, number>());
  readonly #pages: Page[] = [];
  /** Numbers ever given out, and the first free one among them. */
  #top = 0;
  #free = NONE;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a subject that has counts, else -1. */
  find(subject: string): number {
    return this.#shardOf(subject).get(subject) ?? NONE;
  }

  /** Its number, held until it was released as often. */
  hold(subject: string): number {
    const shard = this.#shardOf(subject);
    const known = shard.get(subject);
    if (known !== undefined) {
      const { held } = this.#pageOf(known);
      held[known & IN_PAGE] = (held[known & IN_PAGE] as number) + 1;
      return known;
    }
    const id = this.#take();
    const { names, held } = this.#pageOf(id);
    shard.set(subject, id);
    names[id & IN_PAGE] = subject;
    held[id & IN_PAGE] = 1;
    this.#size++;
    return id;
  }

  release(id: number): void {
    const { names, held } = this.#pageOf(id);
    const at = id & IN_PAGE;
    const left = (held[at] as number) - 1;
    held[at] = left;
    if (left > 0) return;
    const subject = names[at] as string;
    this.#shardOf(subject).delete(subject);
    names[at] = null;
    held[at] = this.#free;
    this.#free = id;
    this.#size--;
  }

  #take(): number {
    if (this.#free !== NONE) {
      const id = this.#free;
      this.#free = this.#pageOf(id).held[id & IN_PAGE] as number;
      return id;
    }
    if (this.#top >> PAGE_BITS === this.#pages.length) {
      this.#pages.push({ names: new Array<string | null>(PAGE).fill(null), held: new Int32Array(PAGE) });
    }
    return this.#top++;
  }

  #pageOf(id: number): Page {
    return this.#pages[id >> PAGE_BITS] as Page;
  }

  #shardOf(subject: string): Map<string, number> {
    let hash = 0;
    for (let at = 0; at < subject.length; at++) hash = Math.imul(hash, 31) + subject.charCodeAt(at);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return this.#shards[hash >>> 24] as Map<string, number>;
  }
}
