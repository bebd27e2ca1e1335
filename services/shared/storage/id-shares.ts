/**
 * Who holds how many of the remembered ids, and who gives one up when the window is full: whoever holds most. A flood
 * therefore takes room from itself, never from a party with less than a fair share.
 */
import { type HeapMember, IndexedHeap } from './indexed-heap.ts';

/** The party that an id belongs to. */
export interface IdParty {
  readonly organizationId: string;
  /** Null: the organization itself. */
  readonly websiteId: string | null;
  /** Whether it came without a key. */
  readonly isKeyless: boolean;
}

/** The share of an organization, within it those of its keyed and its keyless ids, and within these those of each website. */
export class Share implements HeapMember {
  place = 0;
  /** Ids that it holds. */
  count = 0;
  readonly name: string;
  readonly parent: Share | null;
  readonly children = new Map<string, Share>();
  readonly byCount = new IndexedHeap<Share>((one, other) => one.count > other.count);

  constructor(name: string, parent: Share | null) {
    this.name = name;
    this.parent = parent;
  }

  child(name: string): Share {
    let found = this.children.get(name);
    if (found === undefined) {
      found = new Share(name, this);
      this.children.set(name, found);
      this.byCount.add(found);
    }
    return found;
  }
}

export class IdShares {
  readonly #all = new Share('', null);

  /** The share of a website's keyed or keyless ids, created if there is none. */
  of({ organizationId, websiteId, isKeyless }: IdParty): Share {
    const organization = this.#all.child(organizationId);
    return organization.child(isKeyless ? 'keyless' : 'keyed').child(websiteId ?? '');
  }

  /** Counts one more id in a website's share. */
  grow(share: Share): void {
    for (let one: Share | null = share; one !== null; one = one.parent) {
      one.count++;
      one.parent?.byCount.moved(one);
    }
  }

  /** Counts one id less; an empty share is forgotten. */
  shrink(share: Share): void {
    for (let one: Share | null = share; one !== null; one = one.parent) {
      one.count--;
      const { parent } = one;
      if (parent === null) continue;
      if (one.count > 0) parent.byCount.moved(one);
      else {
        parent.byCount.remove(one);
        parent.children.delete(one.name);
      }
    }
  }

  /**
   * The website's share that gives up an id for one of `asking`: in the organization that holds most, there the keyed or
   * the keyless ids, whichever are more, and there the website with most. On a tie it is the one that asks.
   */
  giving(asking: IdParty): Share | null {
    const { organizationId, websiteId, isKeyless } = asking;
    let share = this.#all;
    let isOwn = true;
    for (const name of [organizationId, isKeyless ? 'keyless' : 'keyed', websiteId ?? '']) {
      const { first } = share.byCount;
      if (first === undefined) return null;
      const own: Share | undefined = isOwn ? share.children.get(name) : undefined;
      isOwn = own !== undefined && own.count === first.count;
      share = isOwn && own !== undefined ? own : first;
    }
    return share;
  }
}

/** How many each of several may keep of `most` in all, fairly: whoever has less than an equal share keeps all. */
export function fairParts(most: number, counts: readonly number[]): number[] {
  let left = most;
  let sharing = counts.length;
  const parts = new Map<number, number>();
  const ascending = [...counts.keys()].sort((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0));
  for (const index of ascending) {
    const part = Math.min(counts[index] ?? 0, Math.ceil(left / sharing));
    parts.set(index, part);
    left -= part;
    sharing--;
  }
  return counts.map((_, index) => parts.get(index) ?? 0);
}
