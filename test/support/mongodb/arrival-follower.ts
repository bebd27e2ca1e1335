/** A reader that follows the arrivals of a partition by the protocol of docs/decisions/0023, as simply as it can be said. */
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import {
  isWithin,
  NO_POSITIONS,
  type Positions,
  type Stamp,
  union,
} from '../../../services/shared/storage/columns/positions.ts';
import type { OpenWriter } from '../../../services/shared/storage/columns/sources.ts';
import {
  type ArrivalReader,
  stampOf,
} from '../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import type { EventDocument } from '../../../services/shared/storage/mongodb/event-document.ts';

/** How long a writer must be seen without a change until it is passed over, in milliseconds. */
const SILENT_MS = 60_000;

interface Held {
  readonly title: string;
  readonly stamp: Stamp;
}

interface Seen {
  readonly state: string;
  readonly since: number;
  /** Its open groups were read after it fell silent. */
  isPassedOver: boolean;
}

export interface ArrivalFollower {
  /** The titles of all events that a query would count now, sorted. */
  sync(): Promise<string[]>;
}

/** `now`: milliseconds of its monotonic clock. */
export function followArrivals(
  reader: ArrivalReader,
  partition: Partition,
  now: () => number,
): ArrivalFollower {
  const seen = new Map<number, Seen>();
  const stable: Held[] = [];
  /** Beyond the positions up to which it read, by their writers. */
  let volatile: Held[] = [];
  let upTo: Positions = NO_POSITIONS;
  let readBefore: Positions = NO_POSITIONS;

  /** Those whose open groups need no look. */
  function passedOver(open: readonly OpenWriter[]): Set<number> {
    const silent = new Set<number>();
    for (const { number, beats, recheck } of open) {
      const state = `${beats} ${recheck}`;
      const before = seen.get(number);
      if (before?.state !== state) seen.set(number, { state, since: now(), isPassedOver: false });
      else if (before.isPassedOver) silent.add(number);
      else if (now() - before.since >= SILENT_MS) before.isPassedOver = true;
    }
    return silent;
  }

  return {
    async sync() {
      const { positions, open } = await reader.writers();
      const without = passedOver(open);
      const read: Held[] = [];
      for await (const batch of reader.read(partition, { beyond: upTo, without }))
        read.push(...batch.map(toHeld));
      const kept = volatile.filter(({ stamp }) => stamp.writer !== null && without.has(stamp.writer));
      upTo = union(upTo, readBefore);
      readBefore = positions;
      volatile = [];
      for (const held of [...kept, ...read]) (isWithin(held.stamp, upTo) ? stable : volatile).push(held);
      return [...stable, ...volatile].map(({ title }) => title).sort();
    },
  };
}

function toHeld(event: EventDocument): Held {
  return { title: String(event.title), stamp: stampOf(event) };
}
