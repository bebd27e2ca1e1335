/** Cold segments, the only record of their events: written anew from each other, and what is wrong with them noted. */
import type { Partition } from '../partition.ts';
import { SEGMENT_SCHEMA, type Segment } from '../segment-set.ts';
import type { BuildKit } from './build-kit.ts';
import { faultIn } from './verify-segments.ts';

/**
 * Writes cold segments of one state anew, into one of this level, which is read back whole before it comes in their place.
 * Their files stay until they are garbage. @throws DamagedSegment; they stay as they are
 */
export async function rewriteCold(
  kit: BuildKit,
  partition: Partition,
  list: readonly Segment[],
  level: number,
  signal: AbortSignal,
): Promise<void> {
  const file = await kit.withFiles(list, signal, (files) => kit.mergeFiles(files, { signal }));
  const rows = list.reduce((sum, segment) => sum + segment.rows, 0);
  if (file?.rows !== rows) throw new Error(`${rows} rows of cold segments became ${file?.rows ?? 0}`);
  const stored = await kit.storeRecord(file, level, signal);
  const ids = new Set(list.map(({ id }) => id));
  const changed = await kit.change(partition, (state) => {
    const found = state.segments.filter(({ id }) => ids.has(id));
    const cold = found[0]?.cold;
    const isAlike = found.every((segment) => segment.cold === cold);
    // An erasure came between, or not all of their documents are gone.
    if (found.length < ids.size || cold === undefined || !isAlike || kit.isStale(stored)) return null;
    const segment = { ...stored, cold };
    return { ...state, segments: [...state.segments.filter(({ id }) => !ids.has(id)), segment] };
  });
  if (changed === null) await kit.remove([stored]);
}

/** Those of other columns, which nobody can read before they are written anew. */
export function outdatedCold(segments: readonly Segment[]): Segment[] {
  return segments.filter(
    ({ cold, schema, damage }) => cold !== undefined && schema !== SEGMENT_SCHEMA && damage === undefined,
  );
}

/** Reads cold segments back, and notes in the set what is wrong with each, or that nothing is any more. */
export async function judgeCold(
  kit: BuildKit,
  partition: Partition,
  segments: readonly Segment[],
  signal: AbortSignal,
): Promise<void> {
  const faults = new Map<string, string | null>();
  for (const segment of segments) {
    if (segment.cold === undefined) continue;
    // Files of other columns are whole all the same.
    faults.set(segment.id, await faultIn(kit.ports, { ...segment, schema: SEGMENT_SCHEMA }, signal));
  }
  await kit.change(partition, (state) => {
    const isNews = ({ id, damage }: Segment) => faults.has(id) && (faults.get(id) ?? undefined) !== damage;
    if (!state.segments.some(isNews)) return null;
    return { ...state, segments: state.segments.map((segment) => judged(segment, faults)) };
  });
}

function judged(segment: Segment, faults: ReadonlyMap<string, string | null>): Segment {
  const fault = faults.get(segment.id);
  if (fault === undefined) return segment;
  const { damage: _, ...whole } = segment;
  return fault === null ? whole : { ...whole, damage: fault };
}
