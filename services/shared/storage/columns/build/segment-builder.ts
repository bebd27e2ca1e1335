/** Builds the segments of partitions: takes in what arrived, merges, rebuilds, erases, and removes files that nothing names. */
import { isDeepStrictEqual } from 'node:util';
import type { EventSelection } from '../../../ports/event-store.ts';
import { stampOf } from '../../mongodb/arrivals/arrival-reader.ts';
import type { EventDocument } from '../../mongodb/event-document.ts';
import { type Partition, partitionId } from '../partition.ts';
import { type Stamp, union } from '../positions.ts';
import { DamagedSegment, SEGMENT_SCHEMA, type Segment, type SetState } from '../segment-set.ts';
import { BuildKit, type BuildPorts, damageOr, recordsOf } from './build-kit.ts';
import { judgeCold, outdatedCold, rewriteCold } from './cold-segments.ts';
import { coveredUpTo } from './covered-up-to.ts';
import { eraseFromSegments } from './erase-segments.ts';
import { removeGarbage } from './garbage.ts';
import { type GoCold, goCold, type MovedEvents } from './go-cold.ts';
import { levelOf, planMerges } from './plan-merges.ts';
import { beginRebuild, rebuildSpan } from './rebuild.ts';

export interface SegmentBuilderOptions extends BuildPorts {
  /** Events that one new segment takes in, about: groups of appends come whole. Default 200,000. */
  readonly sliceEvents?: number;
  /** Events of one segment of a rebuild, about. Default 500,000. */
  readonly spanEvents?: number;
  /** How many segments of one level make one of the next. Default 8. */
  readonly fanIn?: number;
}

/** Any number of them, in any processes, may work on one database. Faults are ApiError SERVICE_UNAVAILABLE, or the engine's. */
export class SegmentBuilder {
  readonly #kit: BuildKit;
  readonly #sliceEvents: number;
  readonly #spanEvents: number;
  readonly #fanIn: { readonly fanIn?: number };

  constructor({ sliceEvents = 200_000, spanEvents = 500_000, fanIn, ...ports }: SegmentBuilderOptions) {
    this.#kit = new BuildKit(ports);
    this.#sliceEvents = sliceEvents;
    this.#spanEvents = spanEvents;
    this.#fanIn = fanIn === undefined ? {} : { fanIn };
  }

  /**
   * Brings a partition up to date: goes on with a rebuild, or begins one where nothing was built, the columns changed, or
   * a file is damaged; takes in what arrived; merges. False: another process is at it. Ends early with the signal's
   * reason; what was done by then stays.
   */
  buildPartition(partition: Partition, signal?: AbortSignal): Promise<boolean> {
    return this.#leased(partition, signal, async (until) => {
      await beginRebuild(this.#kit, partition, isUnbuilt);
      await this.#rebuild(partition, until);
      const { segments } = await this.#kit.ports.sets.readState(partition);
      await this.#rewriteCold(partition, outdatedCold(segments), until);
      await this.#takeIn(partition, until);
      await this.#merge(partition, until);
    });
  }

  /**
   * Makes every segment of the partition anew, from documents and, where these are gone, from the segments; then does as
   * {@link buildPartition}.
   */
  async rebuildPartition(partition: Partition, signal?: AbortSignal): Promise<boolean> {
    await beginRebuild(this.#kit, partition, () => true);
    const isBuilt = await this.#leased(partition, signal, async (until) => {
      const { segments } = await this.#kit.ports.sets.readState(partition);
      await this.#rewriteCold(
        partition,
        segments.filter(({ cold }) => cold !== undefined),
        until,
      );
    });
    return isBuilt && this.buildPartition(partition, signal);
  }

  /** Lets documents leave, under the lease of the partition; none of one that has to be built first. Null: another process is at it, or died at it. */
  async coolPartition(
    partition: Partition,
    options: Omit<GoCold, 'spanEvents'>,
    signal?: AbortSignal,
  ): Promise<MovedEvents | null> {
    let moved: MovedEvents = { events: 0, bytes: 0 };
    const isOurs = await this.#leased(partition, signal, async (until) => {
      if (isUnbuilt(await this.#kit.ports.sets.readState(partition))) return;
      const work = () => goCold(this.#kit, partition, { ...options, spanEvents: this.#spanEvents }, until);
      const outcome = await damageOr(work);
      if (outcome instanceof DamagedSegment) {
        await this.noteDamage(partition, outcome.segment, until);
        const { segments } = await this.#kit.ports.sets.readState(partition);
        if (segments.some(({ id }) => id === outcome.segment)) throw outcome;
        // Something else came in its place meanwhile: the next time has it.
        return;
      }
      moved = outcome;
    });
    return isOurs ? moved : null;
  }

  /**
   * Notes that the file of this segment is damaged: the next build makes it anew. A cold one is looked at first, and noted
   * as something that an operator must restore.
   */
  async noteDamage(
    partition: Partition,
    segment: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const { segments } = await this.#kit.ports.sets.readState(partition);
    const found = segments.find(({ id }) => id === segment);
    if (found?.cold !== undefined) return judgeCold(this.#kit, partition, [found], signal);
    await beginRebuild(this.#kit, partition, (state) => {
      const isVisible = state.segments.some(({ id }) => id === segment);
      return isVisible && state.rebuild?.replaces.includes(segment) !== true;
    });
  }

  /** Looks again at the cold segments that are noted as damaged: they may have been restored. */
  judgeAgain({ partition, segments }: SetState, signal: AbortSignal): Promise<void> {
    return judgeCold(
      this.#kit,
      partition,
      segments.filter(({ damage }) => damage !== undefined),
      signal,
    );
  }

  /**
   * Takes events out of all segments, once their documents are gone; it resolves when no query can find them there, with
   * the number of those that had no documents.
   */
  eraseFromSegments(
    selection: EventSelection,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<number> {
    return eraseFromSegments(this.#kit, selection, signal);
  }

  /** Removes files that no set names, of uploads that began before this instant; their number. */
  removeGarbage(before: number, signal?: AbortSignal): Promise<number> {
    return removeGarbage(this.#kit, before, signal);
  }

  async #leased(
    partition: Partition,
    signal: AbortSignal | undefined,
    work: (until: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const lease = await this.#kit.ports.leases.tryLease(`segments ${partitionId(partition)}`);
    if (lease === null) return false;
    try {
      await work(signal ? AbortSignal.any([signal, lease.signal]) : lease.signal);
      return true;
    } finally {
      await lease.release();
    }
  }

  async #rebuild(partition: Partition, signal: AbortSignal): Promise<void> {
    while (await rebuildSpan(this.#kit, partition, this.#spanEvents, signal)) {
      signal.throwIfAborted();
      // What is visible stays fresh however long the rebuild takes.
      await this.#takeIn(partition, signal);
    }
  }

  /** Makes segments of what arrived; where nothing is visible yet, the rebuild does. */
  async #takeIn(partition: Partition, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const { covered, erasures } = await this.#kit.ports.sets.readState(partition);
      if (covered === null) return;
      const target = union(covered, (await this.#kit.ports.arrivals.writers(signal)).positions);
      const bounds = { beyond: covered, within: target, limit: this.#sliceEvents };
      const slice = new Slice();
      const arrivals = slice.of(this.#kit.ports.arrivals.read(partition, bounds, signal));
      const file = await this.#kit.write(recordsOf(arrivals), signal);
      if (file === null) return this.#kit.ports.sets.resetFresh(partition);
      const segment = await this.#kit.store(file, levelOf(file.rows), signal);
      const isWhole = slice.events < this.#sliceEvents;
      const next = isWhole ? target : coveredUpTo(covered, target, slice.last);
      const changed = await this.#kit.change(
        partition,
        (state) =>
          // An erasure may have taken events that the segment still has.
          state.erasures === erasures && isDeepStrictEqual(state.covered, covered)
            ? { ...state, covered: next, segments: [...state.segments, segment] }
            : null,
        { built: isWhole },
      );
      if (changed === null) await this.#kit.remove([segment]);
      else if (isWhole) return;
    }
  }

  async #merge(partition: Partition, signal: AbortSignal): Promise<void> {
    for (;;) {
      const state = await this.#kit.ports.sets.readState(partition);
      const [list] = planMerges(mergeable(state), this.#fanIn);
      if (list === undefined) return;
      const outcome = await damageOr(() => this.#mergeList(partition, list, signal));
      if (!(outcome instanceof DamagedSegment)) continue;
      await this.noteDamage(partition, outcome.segment, signal);
      await this.#rebuild(partition, signal);
    }
  }

  /** Writes each anew; one that is damaged is noted and passed over. */
  async #rewriteCold(partition: Partition, segments: readonly Segment[], signal: AbortSignal): Promise<void> {
    for (const segment of segments) {
      signal.throwIfAborted();
      const outcome = await damageOr(() =>
        rewriteCold(this.#kit, partition, [segment], segment.level, signal),
      );
      if (outcome instanceof DamagedSegment) await this.noteDamage(partition, outcome.segment, signal);
    }
  }

  /** The files that it replaces stay for those who are about to read them, until they are garbage. */
  async #mergeList(partition: Partition, list: readonly Segment[], signal: AbortSignal): Promise<void> {
    const level = Math.max(...list.map((segment) => segment.level)) + 1;
    if (list[0]?.cold) return rewriteCold(this.#kit, partition, list, level, signal);
    const file = await this.#kit.withFiles(list, signal, (files) => this.#kit.mergeFiles(files, { signal }));
    if (file === null) throw new Error('a merge of segments with rows has none');
    const segment = await this.#kit.store(file, level, signal);
    const merged = new Set(list.map(({ id }) => id));
    const changed = await this.#kit.change(partition, (state) => {
      const others = mergeable(state).filter(({ id }) => merged.has(id));
      if (others.length < merged.size) return null;
      return { ...state, segments: [...state.segments.filter(({ id }) => !merged.has(id)), segment] };
    });
    if (changed === null) await this.#kit.remove([segment]);
  }
}

/** Whether only a rebuild can make it answer. */
function isUnbuilt({ covered, segments, rebuild }: SetState): boolean {
  if (rebuild !== null) return rebuild.segments.some(({ schema }) => schema !== SEGMENT_SCHEMA);
  return (
    covered === null || segments.some(({ schema, cold }) => cold === undefined && schema !== SEGMENT_SCHEMA)
  );
}

/** Those that a rebuild is about to replace are left alone. */
function mergeable({ segments, rebuild }: SetState): Segment[] {
  return segments.filter(({ id }) => rebuild?.replaces.includes(id) !== true);
}

/** Counts arrivals on their way, and notes the stamp of the last. */
class Slice {
  events = 0;
  last: { writer: number; sequence: number } = { writer: 0, sequence: 0 };

  async *of(
    batches: AsyncIterable<readonly EventDocument[]>,
  ): AsyncGenerator<readonly EventDocument[], void> {
    for await (const batch of batches) {
      this.events += batch.length;
      const last = batch.at(-1);
      const stamp: Stamp = last === undefined ? { writer: null, sequence: null } : stampOf(last);
      if (stamp.writer !== null && stamp.sequence !== null)
        this.last = { writer: stamp.writer, sequence: stamp.sequence };
      yield batch;
    }
  }
}
