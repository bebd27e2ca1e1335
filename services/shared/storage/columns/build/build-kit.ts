/** What every change of segments works with: documents, engine, files, sets, and how a change becomes visible. */
import { rm } from 'node:fs/promises';
import type { EventRecord } from '../../../model/event-record.ts';
import type { EventSelection } from '../../../ports/event-store.ts';
import type { MadeFile, SegmentMaker } from '../../duckdb/segments/segment-maker.ts';
import type { ArrivalReader } from '../../mongodb/arrivals/arrival-reader.ts';
import type { ColdDocuments } from '../../mongodb/arrivals/cold-documents.ts';
import { type EventDocument, toEventRecord } from '../../mongodb/event-document.ts';
import type { Lease } from '../../mongodb/lease.ts';
import type { SegmentFiles } from '../../mongodb/segments/segment-files.ts';
import type { SegmentSets } from '../../mongodb/segments/segment-sets.ts';
import type { Partition } from '../partition.ts';
import { DamagedSegment, SEGMENT_SCHEMA, type Segment, type SetState } from '../segment-set.ts';
import { readAhead } from './read-ahead.ts';
import { faultIn } from './verify-segments.ts';

/** What a change has just done, in the order in which it happens; files are written first and removed last. */
export type BuildStep = 'read' | 'written' | 'stored' | 'checked' | 'visible' | 'dropped' | 'removed';

export interface BuildPorts {
  readonly arrivals: Pick<ArrivalReader, 'read' | 'readByTime' | 'writers'>;
  /** The documents that leave when their segments are the record. */
  readonly documents: Pick<ColdDocuments, 'stamp' | 'drop'>;
  readonly maker: SegmentMaker;
  readonly files: SegmentFiles;
  readonly sets: SegmentSets;
  readonly leases: { tryLease(name: string): Promise<Lease | null> };
  /** Told after each step; the work goes on when it resolves. */
  readonly told?: (step: BuildStep) => Promise<void> | void;
}

/** What no set names for six hours is garbage: a record that was stored longer ago than this is named no more, in milliseconds. */
const NAMED_WITHIN_MS = 4 * 3_600_000;

/** A file that this process made, not yet stored. */
export interface LocalFile extends MadeFile {
  readonly path: string;
}

export class BuildKit {
  readonly ports: BuildPorts;
  /** When records were about to be stored, by the clock of this process. */
  readonly #records = new WeakMap<Segment, number>();

  constructor(ports: BuildPorts) {
    this.ports = ports;
  }

  /** Writes events into a file; null when there are none. */
  async write(
    batches: AsyncIterable<readonly EventRecord[]>,
    signal: AbortSignal,
  ): Promise<LocalFile | null> {
    const path = this.ports.maker.newFile();
    return this.#local(path, await this.ports.maker.write(readAhead(batches), path, signal));
  }

  /** Merges files that are here into one, without the events of a selection; null when nothing is left. */
  async mergeFiles(
    files: readonly string[],
    options: NonNullable<Parameters<SegmentMaker['merge']>[2]>,
  ): Promise<LocalFile | null> {
    const path = this.ports.maker.newFile();
    return this.#local(path, await this.ports.maker.merge(files, path, options));
  }

  /** How many events of a selection the files have. */
  async count(files: readonly string[], selection: EventSelection, signal: AbortSignal): Promise<number> {
    let rows = 0;
    for (const file of files) rows += await this.ports.maker.count(file, selection, signal);
    return rows;
  }

  /** Brings the files of segments here for as long as `work` needs them. @throws DamagedSegment */
  async withFiles<R>(
    segments: readonly Segment[],
    signal: AbortSignal,
    work: (files: readonly string[]) => Promise<R>,
  ): Promise<R> {
    const brought: string[] = [];
    try {
      for (const segment of segments) {
        const path = this.ports.maker.newFile();
        await this.ports.files.get(segment, path, signal);
        brought.push(path);
      }
      return await work(brought);
    } finally {
      for (const path of brought) await rm(path, { force: true });
    }
  }

  /** Stores a file, and removes it here. */
  async store({ path, ...made }: LocalFile, level: number, signal: AbortSignal): Promise<Segment> {
    try {
      const id = await this.ports.files.put(path, signal);
      await this.tell('stored');
      return { id, level, ...made, schema: SEGMENT_SCHEMA };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Reads the file of a segment back whole. @throws DamagedSegment when it is not what the segment says */
  async check(segment: Segment, signal: AbortSignal): Promise<void> {
    const reason = await faultIn(this.ports, segment, signal);
    if (reason !== null) throw new DamagedSegment(segment.id, reason);
    await this.tell('checked');
  }

  /** Stores a file that becomes the only record of its events, and reads it back whole. */
  async storeRecord(file: LocalFile, level: number, signal: AbortSignal): Promise<Segment> {
    const at = performance.now();
    const segment = await this.store(file, level, signal);
    try {
      await this.check(segment, signal);
      this.#records.set(segment, at);
      return segment;
    } catch (fault) {
      await this.remove([segment]);
      throw fault instanceof DamagedSegment ? new Error(`${fault.message} after it was written`) : fault;
    }
  }

  /** Whether a record that was stored here can be garbage by now. */
  isStale(record: Segment): boolean {
    const at = this.#records.get(record);
    return at !== undefined && performance.now() - at > NAMED_WITHIN_MS;
  }

  /**
   * Makes a change visible: writes what `change` makes of the state that it finds, again and again until no other change
   * comes between. Null: `change` found that there is nothing to do any more.
   */
  async change(
    partition: Partition,
    change: (state: SetState) => Omit<SetState, 'version' | 'partition'> | null,
    options?: Parameters<SegmentSets['replace']>[1],
  ): Promise<SetState | null> {
    for (;;) {
      const state = await this.ports.sets.readState(partition);
      const changed = change(state);
      if (changed === null) return null;
      const next = { ...changed, partition, version: state.version + 1 };
      if (!(await this.ports.sets.replace(next, options))) continue;
      await this.tell('visible');
      return next;
    }
  }

  /** Removes files that no set names any more. What cannot be removed now is garbage. */
  async remove(segments: readonly Segment[]): Promise<void> {
    await this.ports.files.remove(segments.map(({ id }) => id)).catch(() => undefined);
    await this.tell('removed');
  }

  async tell(step: BuildStep): Promise<void> {
    await this.ports.told?.(step);
  }

  async #local(path: string, made: MadeFile | null): Promise<LocalFile | null> {
    await this.tell('written');
    return made === null ? null : { ...made, path };
  }
}

export async function* recordsOf(
  batches: AsyncIterable<readonly EventDocument[]>,
): AsyncGenerator<EventRecord[], void, undefined> {
  for await (const batch of batches) yield batch.map(toEventRecord);
}

/** The result of `work` or, if a file turns out to be damaged, the damage. */
export async function damageOr<R>(work: () => Promise<R>): Promise<R | DamagedSegment> {
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof DamagedSegment) return fault;
    throw fault;
  }
}
