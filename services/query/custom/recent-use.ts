/**
 * How long each organization's custom queries ran lately, and how much of it in long ones, so that the one that ran least
 * goes first.
 */

/** Half-life of the memory in milliseconds, counted while no query waits. */
export const HALF_LIFE_MS = 2 * 60_000;

/** The time that a query runs beyond this is remembered separately, as long. */
export const LONG_MS = 2_000;

/** The most that is remembered, of all queries and of long ones: whoever stops asking is forgotten within minutes. */
export const MOST_MS = 10 * 60_000;
export const MOST_LONG_MS = 60_000;

/** Smaller values are forgotten altogether. */
const LEAST_MS = 50;

/** One organization's use, in milliseconds. */
interface Use {
  ms: number;
  longMs: number;
  /** The time for which both values are true. */
  atMs: number;
  /** Waiting queries: while there is one, nothing is forgotten. */
  waiting: number;
}

/** Organizations that used nothing lately, and ask for nothing, are forgotten. */
export class RecentUse {
  readonly #now: () => number;
  readonly #uses = new Map<string, Use>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many organizations are remembered. */
  get size(): number {
    return this.#uses.size;
  }

  /** A query of the organization ended after running this long. */
  add(organizationId: string, ranMs: number): void {
    this.#forget();
    const use = this.#asOfNow(organizationId);
    use.ms = Math.min(MOST_MS, use.ms + ranMs);
    use.longMs = Math.min(MOST_LONG_MS, use.longMs + pastLong(ranMs));
  }

  /** A query of the organization waits from now on; an organization that keeps asking for much is not forgotten. */
  waits(organizationId: string): void {
    this.#asOfNow(organizationId).waiting++;
  }

  /** The query no longer waits, whether it got its turn or not. */
  waitsNoMore(organizationId: string): void {
    this.#asOfNow(organizationId).waiting--;
  }

  /** How many milliseconds the organization's queries ran. */
  of(organizationId: string): number {
    const use = this.#uses.get(organizationId);
    return use ? use.ms * this.#left(use) : 0;
  }

  /** How many milliseconds its queries ran beyond {@link LONG_MS}, each query taken separately. */
  longOf(organizationId: string): number {
    const use = this.#uses.get(organizationId);
    return use ? use.longMs * this.#left(use) : 0;
  }

  /** The share that is still remembered. */
  #left({ atMs, waiting }: Use): number {
    return waiting > 0 ? 1 : 2 ** ((atMs - this.#now()) / HALF_LIFE_MS);
  }

  #asOfNow(organizationId: string): Use {
    const now = this.#now();
    const use = this.#uses.get(organizationId) ?? { ms: 0, longMs: 0, atMs: now, waiting: 0 };
    const left = this.#left(use);
    use.ms *= left;
    use.longMs *= left;
    use.atMs = now;
    this.#uses.set(organizationId, use);
    return use;
  }

  #forget(): void {
    for (const [id, use] of this.#uses) {
      if (use.waiting === 0 && use.ms * this.#left(use) < LEAST_MS) this.#uses.delete(id);
    }
  }
}

/** The part of this time that counts as long. */
export function pastLong(ranMs: number): number {
  return Math.max(0, ranMs - LONG_MS);
}
