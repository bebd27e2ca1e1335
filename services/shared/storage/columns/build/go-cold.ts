/**
 * Lets the documents of old events leave: their segments become the record first, are read back whole, and are read back
 * once more before the first document goes (decision 26).
 */
import { isDeepStrictEqual } from 'node:util';
import type { EventDocument } from '../../mongodb/event-document.ts';
import type { Partition } from '../partition.ts';
import { type Positions, union } from '../positions.ts';
import type { ColdRange, Segment, SetState } from '../segment-set.ts';
import { type BuildKit, recordsOf } from './build-kit.ts';
import { isInRange, outsideOf } from './cold-range.ts';
import { levelOf } from './plan-merges.ts';
import { FIRST_INSTANT, Span } from './span.ts';

const DAY_MS = 86_400_000;

/**
 * How old a plan is when it is carried out, in milliseconds: longer than the 26 hours in which an append that was left
 * unfinished may look for its document. A much older one is made anew, since most late events are beyond it.
 */
const PLAN_MS = 2 * DAY_MS;
const STALE_MS = 7 * DAY_MS;

/** A partition goes cold by so many events at once, or when its oldest ones wait for so many days. */
const LEAST_EVENTS = 100_000;
const LONGEST_WAIT_MS = 30 * DAY_MS;

export interface GoCold {
  /** Events before this instant, in epoch milliseconds, may leave. */
  readonly before: number;
  /** The present instant, in epoch milliseconds. */
  readonly now: number;
  /** Events of one segment, about. */
  readonly spanEvents: number;
  /** Default 100,000. */
  readonly leastEvents?: number;
}

/** What went cold. */
export interface MovedEvents {
  readonly events: number;
  /** Of their segments. */
  readonly bytes: number;
}

/** Does what can be done now, in slices; what was done stays. @throws DamagedSegment */
export async function goCold(
  kit: BuildKit,
  partition: Partition,
  options: GoCold,
  signal: AbortSignal,
): Promise<MovedEvents> {
  let moved: MovedEvents = { events: 0, bytes: 0 };
  for (;;) {
    signal.throwIfAborted();
    const { events, bytes } = await dropDocuments(kit, partition, signal);
    moved = { events: moved.events + events, bytes: moved.bytes + bytes };
    const state = await kit.ports.sets.readState(partition);
    const { covered, plan } = state;
    if (covered === null || state.rebuild !== null) return moved;
    const age = plan === null ? 0 : options.now - plan.at;
    if (!isWorthwhile(state, options)) {
      if (age >= STALE_MS) await setPlan(kit, state, null);
      return moved;
    }
    if (plan === null || age >= STALE_MS) {
      await setPlan(kit, state, { within: covered, at: options.now });
      return moved;
    }
    if (age < PLAN_MS) return moved;
    const within = union(state.cold?.within ?? plan.within, plan.within);
    if (!(await moveSpan(kit, { ...state, covered }, within, options, signal))) return moved;
  }
}

function isWorthwhile({ segments, cold }: SetState, { before, leastEvents = LEAST_EVENTS }: GoCold): boolean {
  // A later setting, or a clock that was ahead.
  if (cold !== null && before <= cold.before) return false;
  const older = segments.filter((segment) => segment.cold === undefined && segment.from < before);
  const isLong = older.some(({ from }) => from < before - LONGEST_WAIT_MS);
  return isLong || older.reduce((sum, segment) => sum + rowsBefore(segment, before), 0) >= leastEvents;
}

/** Roughly. */
function rowsBefore({ from, to, rows }: Segment, before: number): number {
  return to < before ? rows : (rows * (before - from)) / (to - from + 1);
}

async function setPlan(
  kit: BuildKit,
  { partition, version }: SetState,
  plan: SetState['plan'],
): Promise<void> {
  await kit.change(partition, (state) => (state.version === version ? { ...state, plan } : null));
}

/** Makes the first events that are not cold yet so, with the files that then hold the others. False: nothing came of it. */
async function moveSpan(
  kit: BuildKit,
  state: SetState & { readonly covered: Positions },
  within: Positions,
  { before, spanEvents }: GoCold,
  signal: AbortSignal,
): Promise<boolean> {
  const { partition, covered } = state;
  await kit.ports.documents.stamp(partition, before, signal);
  const made: Segment[] = [];
  const span = new Span(spanEvents, state.cold?.before);
  const read = (to: number) =>
    kit.ports.arrivals.readByTime(partition, { from: FIRST_INSTANT, to, within: covered }, signal);
  let others = 0;
  const wanted = insideOf({ before, within }, span.of(read(before)), (count) => {
    others += count;
  });
  let isMoved = false;
  try {
    const record = await kit.write(recordsOf(wanted), signal);
    const cold = record && (await kit.storeRecord(record, levelOf(record.rows), signal));
    if (cold !== null) made.push(cold);
    const range: ColdRange = { before: span.next ?? before, within };
    if (others > 0) {
      const late = recordsOf(outsideOf(range, read(range.before)));
      const file = await kit.write(late, signal);
      if (file !== null) made.push(await kit.store(file, levelOf(file.rows), signal));
    }
    const reaching = state.segments.filter(
      (segment) => segment.cold === undefined && segment.from < range.before,
    );
    for (const segment of reaching) {
      if (segment.to < range.before) continue;
      const rest = await kit.withFiles([segment], signal, (files) =>
        kit.mergeFiles(files, { without: { ...ANYBODY, ...partition, before: range.before }, signal }),
      );
      if (rest !== null) made.push(await kit.store(rest, segment.level, signal));
    }
    const replaced = new Set(reaching.map(({ id }) => id));
    const changed = await kit.change(partition, (found) => {
      if (!isAsRead(found, state) || (cold !== null && kit.isStale(cold))) return null;
      const kept = found.segments.filter(({ id }) => !replaced.has(id));
      const marked = made.map((segment) =>
        segment === cold ? { ...segment, cold: 'leaving' as const } : segment,
      );
      return {
        ...found,
        segments: [...kept, ...marked],
        cold: range,
        plan: span.next === null ? null : found.plan,
      };
    });
    isMoved = changed !== null;
    return isMoved;
  } finally {
    if (!isMoved) await kit.remove(made);
  }
}

const ANYBODY = { anonymousId: null } as const;

/** Whether what was made of the state still fits: no erasure, no rebuild and no other builder came between. */
function isAsRead(found: SetState, state: SetState): boolean {
  const ids = new Set(found.segments.map(({ id }) => id));
  return (
    found.erasures === state.erasures &&
    found.rebuild === null &&
    isDeepStrictEqual(found.covered, state.covered) &&
    isDeepStrictEqual(found.cold, state.cold) &&
    state.segments.every(({ id }) => ids.has(id))
  );
}

/** Those that are in the range; of each batch the number of the others is told. */
async function* insideOf(
  range: ColdRange,
  batches: AsyncIterable<readonly EventDocument[]>,
  told: (others: number) => void,
): AsyncGenerator<readonly EventDocument[], void, undefined> {
  for await (const batch of batches) {
    const inside = batch.filter((document) => isInRange(document, range));
    told(batch.length - inside.length);
    yield inside;
  }
}

/** Removes the documents of segments that are the record by now, when each was read back once more. */
async function dropDocuments(kit: BuildKit, partition: Partition, signal: AbortSignal): Promise<MovedEvents> {
  const { segments, cold } = await kit.ports.sets.readState(partition);
  const leaving = segments.filter((segment) => segment.cold === 'leaving');
  if (cold === null || leaving.length === 0) return { events: 0, bytes: 0 };
  for (const segment of leaving) await kit.check(segment, signal);
  for await (const _ of kit.ports.documents.drop(partition, cold, signal)) await kit.tell('dropped');
  const gone = new Set(leaving.map(({ id }) => id));
  // One that an erasure has replaced meanwhile is looked at anew.
  await kit.change(partition, (state) => ({
    ...state,
    segments: state.segments.map((segment) =>
      gone.has(segment.id) ? { ...segment, cold: 'gone' } : segment,
    ),
  }));
  return {
    events: leaving.reduce((sum, { rows }) => sum + rows, 0),
    bytes: leaving.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
