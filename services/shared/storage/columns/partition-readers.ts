/** The partitions that queries ask for: each is followed while it is asked for, and forgotten some time after. */
import { type Partition, partitionId } from './partition.ts';
import { type PartitionPorts, PartitionReader } from './partition-reader.ts';

/** A partition is followed for this long after a query asked for it, in milliseconds. */
const FOLLOWED_MS = 60_000;

/** Its tail is forgotten after this long without a query, in milliseconds. */
const KEPT_MS = 600_000;

/** How many events all tails may hold before those that were asked for longest ago are forgotten. */
const MOST_EVENTS = 2_000_000;

export class PartitionReaders {
  readonly #ports: PartitionPorts;
  readonly #readers = new Map<string, PartitionReader>();

  constructor(ports: PartitionPorts) {
    this.#ports = ports;
  }

  of(partition: Partition): PartitionReader {
    const id = partitionId(partition);
    const known = this.#readers.get(id);
    if (known) return known;
    const reader = new PartitionReader(partition, this.#ports);
    this.#readers.set(id, reader);
    return reader;
  }

  /** How many partitions are held. */
  get size(): number {
    return this.#readers.size;
  }

  /** Reads what is new in those that were asked for lately, and forgets others. */
  async follow(): Promise<void> {
    const now = this.#ports.now();
    this.#forget(now);
    const followed = [...this.#readers.values()].filter(({ lookedAt }) => now - lookedAt < FOLLOWED_MS);
    await Promise.all(followed.map((reader) => reader.follow()));
  }

  #forget(now: number): void {
    const byUse = [...this.#readers].sort(([, a], [, b]) => a.lookedAt - b.lookedAt);
    let events = byUse.reduce((sum, [, reader]) => sum + reader.rows, 0);
    for (const [id, reader] of byUse) {
      const isOld = now - reader.lookedAt >= KEPT_MS;
      const isTooMuch = events > MOST_EVENTS && now - reader.lookedAt >= FOLLOWED_MS;
      const { rows } = reader;
      if ((!isOld && !isTooMuch) || !reader.forget()) continue;
      this.#readers.delete(id);
      events -= rows;
    }
  }
}
