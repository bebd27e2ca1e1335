/** Holds what a query reads until it has ended: the tails of its partitions, and the files that its range touches. */
import type { EventReach } from '../../ports/event-store.ts';
import type { EventsSource } from '../duckdb/columns/events-source.ts';
import { toStoreError, unavailable } from '../duckdb/store-faults.ts';
import type { Partition } from './partition.ts';
import type { PartitionView } from './partition-reader.ts';
import type { PartitionReaders } from './partition-readers.ts';
import type { HeldFiles, SegmentCache } from './segment-cache.ts';
import { DamagedSegment, type Segment } from './segment-set.ts';
import type { SegmentBuilds } from './sources.ts';

export interface HeldEvents {
  readonly source: EventsSource;
  /** Those whose files are held. */
  readonly segments: readonly Segment[];
  /** The query has ended. */
  release(): void;
}

export interface HoldPorts {
  readonly readers: PartitionReaders;
  readonly cache: SegmentCache;
  readonly builds: Pick<SegmentBuilds, 'damaged'>;
}

/**
 * Every event of the reach that was acknowledged before the call.
 * @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
 */
export async function holdEvents(
  { readers, cache, builds }: HoldPorts,
  reach: EventReach,
  signal: AbortSignal,
): Promise<HeldEvents> {
  const views: PartitionView[] = [];
  let files: HeldFiles | null = null;
  const release = () => {
    for (const view of views) view.release();
    files?.release();
  };
  try {
    const partitions = partitionsOf(reach);
    await allOf(
      partitions.map(async (partition) => {
        views.push(await readers.of(partition).look(signal));
      }),
    );
    const segments = views
      .flatMap(({ set }) => set.segments.filter((segment) => touches(segment, reach.range)))
      .sort((a, b) => a.from - b.from);
    files = await cache.hold(segments, signal);
    const tables = views.flatMap(({ tail }) => (tail ? [tail.name] : []));
    return { source: { files: files.files, tables }, segments, release };
  } catch (fault) {
    release();
    signal.throwIfAborted();
    if (!(fault instanceof DamagedSegment)) throw toStoreError(fault);
    const owner = views.find(({ set }) => set.segments.some(({ id }) => id === fault.segment));
    if (owner) builds.damaged(owner.set.partition, fault);
    throw unavailable(fault);
  }
}

function partitionsOf({ organizationId, websiteIds, organizationEvents }: EventReach): Partition[] {
  const owners = [...new Set(websiteIds), ...(organizationEvents ? [null] : [])];
  return owners.map((websiteId) => ({ organizationId, websiteId }));
}

function touches({ from, to }: Segment, range: EventReach['range']): boolean {
  return range === null || (to >= range.from && from < range.to);
}

/** Rejects only once every one has ended. */
async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(promises)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
