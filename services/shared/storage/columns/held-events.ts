/** Holds what a query reads until it has ended: the tails of its partitions, and the files that its range touches. */
import type { EventReach } from '../../ports/event-store.ts';
import type { EventsSource } from '../duckdb/columns/events-source.ts';
import { toStoreError, unavailable } from '../duckdb/store-faults.ts';
import type { Partition } from './partition.ts';
import type { PartitionView } from './partition-reader.ts';
import type { PartitionReaders } from './partition-readers.ts';
import type { SegmentCache } from './segment-cache.ts';
import { DamagedSegment, SEGMENT_SCHEMA, type Segment } from './segment-set.ts';
import type { SegmentBuilds } from './sources.ts';

export interface HeldEvents {
  readonly source: EventsSource;
  /** Those whose files are held. */
  readonly segments: readonly Segment[];
  /** The same text as before: no event that the query reads has changed since. */
  readonly changes: string;
  /** The query has ended. */
  release(): void;
}

export interface HoldPorts {
  readonly readers: PartitionReaders;
  readonly cache: SegmentCache;
  readonly builds: Pick<SegmentBuilds, 'damaged'>;
}

/** A file may go while a query is about to read it, because others took its place; then the query looks again. */
const MOST_LOOKS = 3;

/**
 * Every event of the reach that was acknowledged before the call.
 * @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
 */
export async function holdEvents(
  ports: HoldPorts,
  reach: EventReach,
  signal: AbortSignal,
): Promise<HeldEvents> {
  const missed = new Set<string>();
  for (let look = 1; ; look++) {
    const views: PartitionView[] = [];
    const leave = () => {
      for (const view of views) view.release();
    };
    try {
      await allOf(
        partitionsOf(reach).map(async (partition) => {
          views.push(await ports.readers.of(partition).look(signal, reach.range));
        }),
      );
      return await holdFiles(ports.cache, views, reach, signal);
    } catch (fault) {
      leave();
      signal.throwIfAborted();
      if (!(fault instanceof DamagedSegment)) throw toStoreError(fault);
      // It is still one of those that answer.
      const owner = missed.has(fault.segment) ? ownerOf(fault, views) : undefined;
      if (owner) ports.builds.damaged(owner.set.partition, fault);
      if (owner || look === MOST_LOOKS) throw unavailable(fault);
      missed.add(fault.segment);
    }
  }
}

async function holdFiles(
  cache: SegmentCache,
  views: readonly PartitionView[],
  { range }: EventReach,
  signal: AbortSignal,
): Promise<HeldEvents> {
  const segments = views
    .flatMap(({ set }) => set.segments.filter((segment) => touches(segment, range)))
    .sort((a, b) => a.from - b.from);
  for (const { id, schema } of segments)
    if (schema !== SEGMENT_SCHEMA) throw new DamagedSegment(id, `has columns of version ${schema}`);
  const held = await cache.hold(segments, signal);
  const tables = views.flatMap(({ tail }) => (tail ? [tail.name] : []));
  const partition = views.length === 1 ? (views[0]?.set.partition ?? null) : null;
  const release = () => {
    for (const view of views) view.release();
    held.release();
  };
  return { source: { files: held.files, tables, partition }, segments, changes: changesOf(views), release };
}

function ownerOf({ segment }: DamagedSegment, views: readonly PartitionView[]): PartitionView | undefined {
  return views.find(({ set }) => set.segments.some(({ id }) => id === segment));
}

/** Numbers are never given twice, so that the order of the partitions does not matter. */
function changesOf(views: readonly PartitionView[]): string {
  return views
    .map(({ latest }) => latest)
    .sort((a, b) => a - b)
    .join(' ');
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
