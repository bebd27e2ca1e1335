/** Takes events out of segments: files with events of a selection are written anew without them, or left out. */
import { createHash, randomUUID } from 'node:crypto';
import type { EventSelection } from '../../../ports/event-store.ts';
import type { Partition } from '../partition.ts';
import { DamagedSegment, type Segment, type SetState } from '../segment-set.ts';
import { type BuildKit, damageOr, type LocalFile } from './build-kit.ts';
import { newRebuild } from './rebuild.ts';

/**
 * Takes the events out of every segment, those of rebuilds under way too; their documents must be gone by then. Each
 * partition changes at once. It may be repeated after any fault. A damaged file counts as gone for good: the partition
 * is rebuilt from its documents, and cannot answer for that time until then. A cold one stays as it is: nobody knows
 * whether the events are erased from it. The number of events that had no documents.
 * @throws DamagedSegment for a cold one, when everything else is erased
 */
export async function eraseFromSegments(
  kit: BuildKit,
  selection: EventSelection,
  signal: AbortSignal,
): Promise<number> {
  const { organizationId, websiteId } = selection;
  let rows = 0;
  let fault: DamagedSegment | null = null;
  for await (const { state } of kit.ports.sets.list(organizationId)) {
    const { partition } = state;
    if (websiteId !== null && partition.websiteId !== websiteId) continue;
    const erased = await damageOr(() => eraseFromPartition(kit, partition, selection, signal));
    if (erased instanceof DamagedSegment) fault ??= erased;
    else rows += erased;
  }
  if (fault !== null) throw fault;
  return rows;
}

async function eraseFromPartition(
  kit: BuildKit,
  partition: Partition,
  selection: EventSelection,
  signal: AbortSignal,
): Promise<number> {
  const erasure = new Erasure(kit, selection, signal);
  for (;;) {
    const state = await kit.ports.sets.readState(partition);
    const all = [...state.segments, ...(state.rebuild?.segments ?? [])];
    for (const segment of all) await erasure.work(segment);
    const next = await erasure.applyTo(state);
    await erasure.requireFresh();
    if (!(await kit.ports.sets.replace(next))) continue;
    await kit.tell('visible');
    const named = new Set([...next.segments, ...(next.rebuild?.segments ?? [])].map(({ id }) => id));
    await kit.remove([...all, ...erasure.made].filter(({ id }) => !named.has(id)));
    return erasure.coldRows(state);
  }
}

/** The segment as one that no process has: copies are known by their checksums, and may not go on to answer. */
function lost(segment: Segment): Segment {
  const id = `lost-${randomUUID()}`;
  return { ...segment, id, sha256: createHash('sha256').update(id).digest('hex') };
}

/** What comes in place of segments; kept while other changes come between, so that no file is written twice. */
class Erasure {
  readonly #kit: BuildKit;
  readonly #selection: EventSelection;
  readonly #signal: AbortSignal;
  /** By the id of the segment: itself, one without the events, or null where none are left. */
  readonly #outcomes = new Map<string, Segment | null>();
  /** Ids of segments that could not be read. */
  readonly #damaged = new Set<string>();
  /** By the id of the segment: how many events are taken out. */
  readonly #rows = new Map<string, number>();
  /** Of cold segments. */
  #fault: DamagedSegment | null = null;
  readonly made: Segment[] = [];
  readonly #records: Segment[] = [];

  constructor(kit: BuildKit, selection: EventSelection, signal: AbortSignal) {
    this.#kit = kit;
    this.#selection = selection;
    this.#signal = signal;
  }

  async work(segment: Segment): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#outcomes.has(segment.id)) return;
    const outcome = await damageOr(() => this.#without(segment));
    if (outcome instanceof DamagedSegment && segment.cold !== undefined) {
      this.#fault = outcome;
      this.#outcomes.set(segment.id, segment);
    } else if (outcome instanceof DamagedSegment) {
      this.#damaged.add(segment.id);
      this.#outcomes.set(segment.id, lost(segment));
    } else {
      if (outcome !== null && outcome !== segment) this.made.push(outcome);
      this.#outcomes.set(segment.id, outcome);
    }
  }

  async applyTo(state: SetState): Promise<SetState> {
    const { rebuild } = state;
    const next = {
      ...state,
      version: state.version + 1,
      erasures: state.erasures + 1,
      segments: state.segments.flatMap((segment) => this.#inPlaceOf(segment)),
      rebuild: rebuild && {
        ...rebuild,
        segments: rebuild.segments.flatMap((segment) => this.#inPlaceOf(segment)),
        replaces: rebuild.replaces.flatMap((id) => {
          const outcome = this.#outcomes.get(id);
          return outcome === undefined ? [id] : outcome === null ? [] : [outcome.id];
        }),
      },
    };
    const isLost = ({ id }: Segment) => this.#damaged.has(id);
    const isReplaced = ({ id }: Segment) => rebuild?.replaces.includes(id) === true;
    const isRebuilt =
      state.segments.filter(isLost).every(isReplaced) && !(rebuild?.segments ?? []).some(isLost);
    if (isRebuilt) return next;
    const { positions } = await this.#kit.ports.arrivals.writers(this.#signal);
    return { ...next, rebuild: newRebuild(next, positions) };
  }

  /** @throws Error when it took so long that what it stored may be garbage by now */
  async requireFresh(): Promise<void> {
    if (!this.#records.some((record) => this.#kit.isStale(record))) return;
    await this.#kit.remove(this.made);
    throw new Error('an erasure from segments took too long');
  }

  /** The events taken out of the segments of a state that had no documents. @throws DamagedSegment */
  coldRows({ segments }: SetState): number {
    if (this.#fault !== null) throw this.#fault;
    const gone = segments.filter(({ cold }) => cold === 'gone');
    return gone.reduce((sum, { id }) => sum + (this.#rows.get(id) ?? 0), 0);
  }

  #inPlaceOf(segment: Segment): Segment[] {
    const outcome = this.#outcomes.get(segment.id);
    return outcome ? [outcome] : [];
  }

  async #without(segment: Segment): Promise<Segment | null> {
    const { anonymousId, profileId, visitors, before } = this.#selection;
    if (before !== undefined && segment.from >= before) return segment;
    const isOfAll = anonymousId === null && profileId === undefined && visitors === undefined;
    if (isOfAll && (before === undefined || segment.to < before)) {
      this.#rows.set(segment.id, segment.rows);
      return null;
    }
    const [selection, signal] = [this.#selection, this.#signal];
    return this.#kit.withFiles([segment], signal, async (files) => {
      const selected = await this.#kit.count(files, selection, signal);
      if (selected === 0) return segment;
      this.#rows.set(segment.id, selected);
      const left = await this.#kit.mergeFiles(files, { without: selection, signal });
      return left && this.#storeInPlaceOf(segment, left);
    });
  }

  async #storeInPlaceOf({ level, cold }: Segment, file: LocalFile): Promise<Segment> {
    if (cold === undefined) return this.#kit.store(file, level, this.#signal);
    const record = await this.#kit.storeRecord(file, level, this.#signal);
    this.#records.push(record);
    return { ...record, cold };
  }
}
