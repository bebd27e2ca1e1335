/** Counts what keyless senders used of the daily budgets of websites, in total and per address: pure, without clock or store. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../shared/caches/at-most.ts';

/** The counted amounts; whole numbers. */
export interface Amounts {
  readonly bytes: number;
  readonly profiles: number;
}

/** The daily budget of a website. */
export type DayLimits = Amounts;

/** One address may use this part of a website's daily budget. */
export const ADDRESS_PART = 10;

/** Tracked addresses over all websites; the least recently used one is evicted with its count. */
const MOST_ADDRESSES = 100_000;

const NOTHING: Amounts = { bytes: 0, profiles: 0 };

/** The exceeded limit: a number of the website's daily budget, or the part of it that one address may use. */
export interface Excess {
  readonly of: keyof Amounts;
  readonly whose: 'website' | 'address';
  readonly limit: number;
}

interface Day {
  /** The stored amounts, of this process and others, as last read. */
  written: Amounts;
  /** What this process counted since then. */
  fresh: Amounts;
}

export class DayCounts {
  readonly #days = new Map<string, Day>();
  /** Takes megabytes, so it is made for the first of them. */
  #addresses: LRUCache<string, Amounts> | null = null;

  /** Whether the stored amounts of the website's day are known. */
  knows(websiteId: string): boolean {
    return this.#days.has(websiteId);
  }

  /** Sets the stored amounts; `included` of them were counted here and must not be counted again. */
  setWritten(websiteId: string, written: Amounts, included: Amounts = NOTHING): void {
    const fresh = this.#days.get(websiteId)?.fresh ?? NOTHING;
    this.#days.set(websiteId, { written, fresh: sum(fresh, negative(included)) });
  }

  /** What was counted here and is not stored yet. */
  fresh(websiteId: string): Amounts {
    return this.#days.get(websiteId)?.fresh ?? NOTHING;
  }

  /** Websites with amounts that are not stored yet. */
  unwritten(): string[] {
    return [...this.#days].filter(([, { fresh }]) => fresh.bytes + fresh.profiles > 0).map(([id]) => id);
  }

  /** Counts the amounts if they fit and returns null; else counts nothing and returns the exceeded limit. */
  take(websiteId: string, address: string, amounts: Amounts, limits: DayLimits): Excess | null {
    const { written, fresh } = this.#dayOf(websiteId);
    const name = `${websiteId}\n${address}`;
    const ofAddress = this.#addresses?.get(name) ?? NOTHING;
    for (const of of ['bytes', 'profiles'] as const) {
      if (amounts[of] === 0) continue;
      const limit = limits[of];
      if (written[of] + fresh[of] + amounts[of] > limit) return { of, whose: 'website', limit };
      const part = Math.floor(limit / ADDRESS_PART);
      if (ofAddress[of] + amounts[of] > part) return { of, whose: 'address', limit: part };
    }
    this.#add(websiteId, name, amounts);
    return null;
  }

  /** Undoes a count whose events were not stored. */
  giveBack(websiteId: string, address: string, amounts: Amounts): void {
    if (this.#days.has(websiteId)) this.#add(websiteId, `${websiteId}\n${address}`, negative(amounts));
  }

  #add(websiteId: string, name: string, amounts: Amounts): void {
    const { written, fresh } = this.#dayOf(websiteId);
    this.#days.set(websiteId, { written, fresh: sum(fresh, amounts) });
    this.#addresses ??= new LRUCache(atMost(MOST_ADDRESSES));
    this.#addresses.set(name, sum(this.#addresses.get(name) ?? NOTHING, amounts));
  }

  #dayOf(websiteId: string): Day {
    return this.#days.get(websiteId) ?? { written: NOTHING, fresh: NOTHING };
  }
}

/** The sum of both, never below 0. */
function sum(one: Amounts, other: Amounts): Amounts {
  return {
    bytes: Math.max(0, one.bytes + other.bytes),
    profiles: Math.max(0, one.profiles + other.profiles),
  };
}

function negative({ bytes, profiles }: Amounts): Amounts {
  return { bytes: -bytes, profiles: -profiles };
}
