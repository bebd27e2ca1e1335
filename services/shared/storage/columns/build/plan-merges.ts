/** Which segments are merged: few segments answer faster, and no row is merged more often than there are levels. */
import { SEGMENT_SCHEMA, type Segment } from '../segment-set.ts';

/** How many segments of one level make one of the next. */
export const FAN_IN = 8;

/** Rows that a merged segment has at most, so that an erasure never writes more anew. */
export const MOST_ROWS = 4_000_000;

/** Rows from which a new segment counts as one of the level after the first, the second and so on. */
const ROWS_OF_LEVELS = [8_000, 64_000, 512_000];

/** The level of a segment that was not made by a merge. */
export function levelOf(rows: number): number {
  return ROWS_OF_LEVELS.filter((least) => rows >= least).length;
}

/**
 * Lists of segments, each to become one of the next level. No segment is in two; neighbours in time come together, cold
 * ones only with each other.
 */
export function planMerges(
  segments: readonly Segment[],
  { fanIn = FAN_IN, mostRows = MOST_ROWS } = {},
): Segment[][] {
  const levels = new Map<string, Segment[]>();
  for (const segment of segments) {
    const { schema, rows, cold, damage } = segment;
    if (schema !== SEGMENT_SCHEMA || rows >= mostRows || cold === 'leaving' || damage !== undefined) continue;
    const key = `${segment.level} ${cold ?? ''}`;
    levels.set(key, [...(levels.get(key) ?? []), segment]);
  }
  return [...levels.values()]
    .filter((level) => level.length >= fanIn)
    .flatMap((level) => inLists(level, fanIn, mostRows))
    .filter((list) => list.length > 1);
}

function inLists(level: readonly Segment[], fanIn: number, mostRows: number): Segment[][] {
  const byTime = [...level].sort((a, b) => a.from - b.from || a.to - b.to);
  const lists: Segment[][] = [];
  let rows = 0;
  for (const segment of byTime) {
    const last = lists.at(-1);
    if (last && last.length < fanIn && rows + segment.rows <= mostRows) {
      last.push(segment);
      rows += segment.rows;
    } else {
      lists.push([segment]);
      rows = segment.rows;
    }
  }
  return lists;
}
