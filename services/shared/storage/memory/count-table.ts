/** The counts of all subjects and limits in typed arrays: 28 bytes each, found by hash, and swept when they end. */

/** No slot. */
export const NONE = -1;

/** Slots and buckets come in pages, so that growing copies nothing. */
const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;

/** A slot is three doubles, also accessed as words: the instant in the first double, the rest in the words after it. */
const DOUBLES = 3;
const WORDS = 6;
const SUBJECT = 2;
const LIMIT = 3;
const COUNT = 4;
const NEXT = 5;

/** One page of slots, in both views. */
interface Page {
  readonly doubles: Float64Array;
  readonly words: Int32Array;
}

/**
 * A count is the amount of a limit that a subject used, and the instant at which it leaves. The counts of one subject
 * and limit are linked from the newest on. The hash grows by one bucket at a time (linear hashing): no insertion stalls.
 */
export class CountTable {
  readonly #pages: Page[] = [];
  readonly #buckets: Int32Array[] = [new Int32Array(PAGE).fill(NONE)];
  #bucketCount = PAGE;
  /** The largest power of two that is not above the number of buckets. */
  #half = PAGE;
  /** Slots ever used, the list of free ones among them, and the next one that the sweep looks at. */
  #top = 0;
  #free = NONE;
  #size = 0;
  #hand = 0;

  /** How many counts are held, including ended ones that were not swept yet. */
  get size(): number {
    return this.#size;
  }

  leaveAt(slot: number): number {
    return (this.#pages[slot >> PAGE_BITS] as Page).doubles[(slot & IN_PAGE) * DOUBLES] as number;
  }

  count(slot: number): number {
    return this.#word(slot, COUNT) >>> 0;
  }

  /** Counts are kept in 32 bits: 4,294,967,295 is the most. */
  set(slot: number, leaveAt: number, count: number): void {
    const { doubles, words } = this.#pages[slot >> PAGE_BITS] as Page;
    doubles[(slot & IN_PAGE) * DOUBLES] = leaveAt;
    words[(slot & IN_PAGE) * WORDS + COUNT] = count;
  }

  /** The newest count of a subject and limit that has not left, or NONE. */
  newest(subject: number, limit: number, now: number): number {
    return this.#living(this.#bucket(this.#bucketOf(subject, limit)), subject, limit, now);
  }

  /** The next older count of the same subject and limit that has not left, or NONE. */
  older(slot: number, now: number): number {
    return this.#living(this.#word(slot, NEXT), this.#word(slot, SUBJECT), this.#word(slot, LIMIT), now);
  }

  /** Adds the newest count of a subject and limit, which leaves last; returns its slot. */
  insert(subject: number, limit: number, leaveAt: number, count: number): number {
    const slot = this.#takeSlot();
    this.set(slot, leaveAt, count);
    this.#setWord(slot, SUBJECT, subject);
    this.#setWord(slot, LIMIT, limit);
    const bucket = this.#bucketOf(subject, limit);
    this.#setWord(slot, NEXT, this.#bucket(bucket));
    this.#setBucket(bucket, slot);
    if (++this.#size > this.#bucketCount) this.#split();
    return slot;
  }

  /** Looks at the next `looks` slots and drops the counts that have left, reporting each. */
  sweep(now: number, looks: number, dropped: (subject: number, limit: number) => void): void {
    for (let look = Math.min(looks, this.#top); look > 0; look--) {
      if (this.#hand >= this.#top) this.#hand = 0;
      const slot = this.#hand++;
      if (this.leaveAt(slot) <= now) this.#drop(slot, dropped);
    }
  }

  /** Drops one count, whichever is next. */
  dropAny(dropped: (subject: number, limit: number) => void): void {
    for (let look = this.#top; look > 0; look--) {
      if (this.#hand >= this.#top) this.#hand = 0;
      const slot = this.#hand++;
      if (this.leaveAt(slot) === Number.POSITIVE_INFINITY) continue;
      this.#drop(slot, dropped);
      return;
    }
  }

  /** Newer counts of a subject and limit leave later, so behind one that has left there is none. */
  #living(from: number, subject: number, limit: number, now: number): number {
    for (let slot = from; slot !== NONE; ) {
      const { doubles, words } = this.#pages[slot >> PAGE_BITS] as Page;
      const at = (slot & IN_PAGE) * WORDS;
      if (words[at + SUBJECT] === subject && words[at + LIMIT] === limit) {
        return (doubles[(slot & IN_PAGE) * DOUBLES] as number) > now ? slot : NONE;
      }
      slot = words[at + NEXT] as number;
    }
    return NONE;
  }

  #drop(slot: number, dropped: (subject: number, limit: number) => void): void {
    const subject = this.#word(slot, SUBJECT);
    const limit = this.#word(slot, LIMIT);
    const next = this.#word(slot, NEXT);
    const bucket = this.#bucketOf(subject, limit);
    const first = this.#bucket(bucket);
    if (first === slot) this.#setBucket(bucket, next);
    else {
      let before = first;
      while (this.#word(before, NEXT) !== slot) before = this.#word(before, NEXT);
      this.#setWord(before, NEXT, next);
    }
    // A free slot never ends, so the sweep skips it.
    this.set(slot, Number.POSITIVE_INFINITY, 0);
    this.#setWord(slot, NEXT, this.#free);
    this.#free = slot;
    this.#size--;
    dropped(subject, limit);
  }

  #takeSlot(): number {
    if (this.#free !== NONE) {
      const slot = this.#free;
      this.#free = this.#word(slot, NEXT);
      return slot;
    }
    if (this.#top >> PAGE_BITS === this.#pages.length) {
      const doubles = new Float64Array(PAGE * DOUBLES);
      this.#pages.push({ doubles, words: new Int32Array(doubles.buffer) });
    }
    return this.#top++;
  }

  /** Adds a bucket and moves into it the matching counts of the bucket that it is split from; the order stays. */
  #split(): void {
    const added = this.#bucketCount++;
    const from = added - this.#half;
    if (added >> PAGE_BITS === this.#buckets.length) this.#buckets.push(new Int32Array(PAGE).fill(NONE));
    if (this.#bucketCount === this.#half * 2) this.#half *= 2;
    let slot = this.#bucket(from);
    let lastKept = NONE;
    let lastMoved = NONE;
    this.#setBucket(from, NONE);
    while (slot !== NONE) {
      const next = this.#word(slot, NEXT);
      this.#setWord(slot, NEXT, NONE);
      if (this.#bucketOf(this.#word(slot, SUBJECT), this.#word(slot, LIMIT)) === from) {
        if (lastKept === NONE) this.#setBucket(from, slot);
        else this.#setWord(lastKept, NEXT, slot);
        lastKept = slot;
      } else {
        if (lastMoved === NONE) this.#setBucket(added, slot);
        else this.#setWord(lastMoved, NEXT, slot);
        lastMoved = slot;
      }
      slot = next;
    }
  }

  #bucketOf(subject: number, limit: number): number {
    let hash = Math.imul(subject + 1, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    // The few limits of a subject lie in adjacent buckets: one line of the processor's cache holds them all.
    hash ^= (hash >>> 13) ^ limit;
    const bucket = hash & (this.#half * 2 - 1);
    return bucket < this.#bucketCount ? bucket : bucket - this.#half;
  }

  #bucket(bucket: number): number {
    return (this.#buckets[bucket >> PAGE_BITS] as Int32Array)[bucket & IN_PAGE] as number;
  }

  #setBucket(bucket: number, slot: number): void {
    (this.#buckets[bucket >> PAGE_BITS] as Int32Array)[bucket & IN_PAGE] = slot;
  }

  #word(slot: number, word: number): number {
    return (this.#pages[slot >> PAGE_BITS] as Page).words[(slot & IN_PAGE) * WORDS + word] as number;
  }

  #setWord(slot: number, word: number, value: number): void {
    (this.#pages[slot >> PAGE_BITS] as Page).words[(slot & IN_PAGE) * WORDS + word] = value;
  }
}
