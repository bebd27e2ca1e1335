/** The segments of a partition: immutable columnar files, and which arrivals they cover. */
import type { Partition } from './partition.ts';
import type { Positions } from './positions.ts';

/** A Parquet file of events of one partition, sorted by their instants. */
export interface Segment {
  /** Name of the file; a new file has a new one. */
  readonly id: string;
  /** How often its rows were merged: a merge of segments of one level makes one of the next. */
  readonly level: number;
  /** The first and the last instant of its events, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Version of the columns; {@link SEGMENT_SCHEMA}. */
  readonly schema: number;
  /**
   * A cold one is the record of its events, and no cache: their documents are about to leave, or gone. Absent: it can be
   * made anew from documents.
   */
  readonly cold?: 'leaving' | 'gone';
  /** What was found to be wrong with the file of a cold one, such as "is missing"; absent: nothing. */
  readonly damage?: string;
}

/** Every event before an instant, in epoch milliseconds, whose stamp is within the positions: cold segments have exactly these. */
export interface ColdRange {
  readonly before: number;
  readonly within: Positions;
}

/** What is to go cold: what these positions have, once the plan is old enough. */
export interface ColdPlan {
  readonly within: Positions;
  /** When it was made, in epoch milliseconds. */
  readonly at: number;
}

/** Raised when the columns of segments change: older ones are then rebuilt. */
export const SEGMENT_SCHEMA = 1;

/** The segments that answer for a partition at one time: each event within `covered` is in exactly one of them. */
export interface SegmentSet {
  readonly partition: Partition;
  /** Rises with each change. 0: nothing was built yet. */
  readonly version: number;
  /** Rises with each erasure: whoever holds events beyond `covered` reads them anew. */
  readonly erasures: number;
  readonly covered: Positions;
  readonly segments: readonly Segment[];
}

/** Segments that are made anew from the documents; visible once all are there, in place of others. */
export interface Rebuild {
  /** Tells one rebuild from another. */
  readonly id: string;
  /** The arrivals that it covers. */
  readonly target: Positions;
  /** Events before this instant, in epoch milliseconds, are in its segments; null: none yet. */
  readonly until: number | null;
  readonly segments: readonly Segment[];
  /** Ids of the visible segments in whose place they come. */
  readonly replaces: readonly string[];
}

/** All that is kept of a partition. */
export interface SetState extends Omit<SegmentSet, 'covered'> {
  /** Null: nothing is visible yet. */
  readonly covered: Positions | null;
  /** The rebuild that is under way or was interrupted; null for none. */
  readonly rebuild: Rebuild | null;
  /** Null: nothing is cold. */
  readonly cold: ColdRange | null;
  readonly plan: ColdPlan | null;
}

/** What queries may read of it; null when nothing is visible yet. */
export function visibleSet({ covered, rebuild, cold, plan, ...state }: SetState): SegmentSet | null {
  return covered === null ? null : { ...state, covered };
}

/** Whether queries need not wait for its columns to be made anew; of a damaged one nobody can make them. */
export function isReadable({ schema, damage }: Segment): boolean {
  return schema === SEGMENT_SCHEMA || damage !== undefined;
}

/** A file that is missing, or other than it was written. */
export class DamagedSegment extends Error {
  /** Its id. */
  readonly segment: string;
  /** Such as "is missing". */
  readonly reason: string;

  constructor(segment: string, reason: string) {
    super(`the segment ${segment} ${reason}`);
    this.name = 'DamagedSegment';
    this.segment = segment;
    this.reason = reason;
  }
}
