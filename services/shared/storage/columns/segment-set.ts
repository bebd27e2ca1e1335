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
