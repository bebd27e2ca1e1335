/** Reads every file of a partition's segments back, and tells what is wrong with them. */
import { rm } from 'node:fs/promises';
import type { SegmentMaker } from '../../duckdb/segments/segment-maker.ts';
import type { SegmentFiles } from '../../mongodb/segments/segment-files.ts';
import type { SegmentSets } from '../../mongodb/segments/segment-sets.ts';
import type { Partition } from '../partition.ts';
import { DamagedSegment, SEGMENT_SCHEMA, type Segment } from '../segment-set.ts';

export interface VerifyPorts {
  readonly maker: Pick<SegmentMaker, 'newFile' | 'look'>;
  readonly files: Pick<SegmentFiles, 'get'>;
  readonly sets: Pick<SegmentSets, 'readState'>;
}

export interface SegmentFault {
  readonly segment: Segment;
  /** Such as "is missing". */
  readonly reason: string;
}

export interface VerifiedPartition {
  /** Segments that were looked at, with those of a rebuild under way. */
  readonly segments: number;
  readonly events: number;
  readonly bytes: number;
  readonly faults: readonly SegmentFault[];
}

/**
 * Compares the checksum, the rows and the version of the columns of each file, one after the other.
 * @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
 */
export async function verifyPartition(
  ports: VerifyPorts,
  partition: Partition,
  signal?: AbortSignal,
): Promise<VerifiedPartition> {
  const found = await segmentsOf(ports, partition);
  const faults: SegmentFault[] = [];
  for (const segment of found) {
    const reason = await faultIn(ports, segment, signal);
    if (reason !== null) faults.push({ segment, reason });
  }
  // Files go when others took their place meanwhile.
  const named = new Set(faults.length > 0 ? (await segmentsOf(ports, partition)).map(({ id }) => id) : []);
  return {
    segments: found.length,
    events: found.reduce((sum, { rows }) => sum + rows, 0),
    bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    faults: faults.filter(({ segment }) => named.has(segment.id)),
  };
}

/** What is wrong with the file of a segment; null: nothing. */
export async function faultIn(
  { maker, files }: Pick<VerifyPorts, 'maker' | 'files'>,
  segment: Segment,
  signal?: AbortSignal,
): Promise<string | null> {
  const path = maker.newFile();
  try {
    await files.get(segment, path, signal);
    const made = await maker.look(path, signal);
    if (made === null) return 'has no rows';
    if (made.rows !== segment.rows) return `has ${made.rows} rows instead of ${segment.rows}`;
    if (made.from !== segment.from || made.to !== segment.to) return 'has events of other instants';
  } catch (fault) {
    if (fault instanceof DamagedSegment) return fault.reason;
    throw fault;
  } finally {
    await rm(path, { force: true });
  }
  const { schema } = segment;
  return schema === SEGMENT_SCHEMA ? null : `has columns of version ${schema} instead of ${SEGMENT_SCHEMA}`;
}

async function segmentsOf({ sets }: Pick<VerifyPorts, 'sets'>, partition: Partition): Promise<Segment[]> {
  const { segments, rebuild } = await sets.readState(partition);
  return [...segments, ...(rebuild?.segments ?? [])];
}
