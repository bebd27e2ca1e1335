/** Where the column store reads from: what arrived, which segments there are, and their files. */
import type { EventRecord } from '../../model/event-record.ts';
import type { Partition } from './partition.ts';
import type { Positions } from './positions.ts';
import type { DamagedSegment, Segment, SegmentSet } from './segment-set.ts';

/** An event with its stamp. */
export interface Arrival {
  /** Tells it apart from every other event. */
  readonly id: string;
  readonly writer: number;
  readonly sequence: number;
  readonly event: EventRecord;
}

/** A writer that may still store events. */
export interface OpenWriter {
  readonly number: number;
  /** Every group up to this one has ended. */
  readonly settled: number;
  /** Either rises: it lives, or a group of it is to be read again. */
  readonly beats: number;
  readonly recheck: number;
}

/** All writers at one time. */
export interface Writers {
  /** A read of arrivals that begins after these were read finds every event that is ever acknowledged within them. */
  readonly positions: Positions;
  readonly open: readonly OpenWriter[];
}

/** Every method throws ApiError SERVICE_UNAVAILABLE, or the signal's reason. */
export interface ArrivalSource {
  writers(signal: AbortSignal): Promise<Writers>;
  /** The events that are not within `beyond`, but nothing of the writers `without`. */
  read(
    partition: Partition,
    selection: { readonly beyond: Positions; readonly without: ReadonlySet<number> },
    signal: AbortSignal,
  ): AsyncIterable<readonly Arrival[]>;
}

/** Which segments there are, and their files. */
export interface SegmentSource {
  /**
   * What queries may read: null when nothing was built yet, `unchanged` when the version is `known`. Every change that
   * was acknowledged before is in it. @throws ApiError SERVICE_UNAVAILABLE
   */
  read(partition: Partition, known?: number): Promise<SegmentSet | 'unchanged' | null>;
  /**
   * Brings a file to `path`, where it appears only when it is whole and right.
   * @throws DamagedSegment; ApiError SERVICE_UNAVAILABLE; the signal's reason
   */
  get(segment: Segment, path: string, signal: AbortSignal): Promise<void>;
}

/** Makes segments, elsewhere. */
export interface SegmentBuilds {
  /** Asks that what arrived is built soon; more often than needed does no harm. */
  ask(partition: Partition): void;
  /**
   * Asks for segments of a partition that has none, or has some of other columns; resolves once there are such.
   * @throws the signal's reason
   */
  first(partition: Partition, signal: AbortSignal): Promise<void>;
  /** Reports a segment that is missing or damaged: its partition must be built anew. */
  damaged(partition: Partition, cause: DamagedSegment): void;
}
