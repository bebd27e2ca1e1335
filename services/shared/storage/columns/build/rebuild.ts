/** Makes the segments of a partition anew from its documents, in spans of time, going on where another process ended. */
import { randomUUID } from 'node:crypto';
import type { Partition } from '../partition.ts';
import type { Positions } from '../positions.ts';
import type { Rebuild, SetState } from '../segment-set.ts';
import { type BuildKit, recordsOf } from './build-kit.ts';
import { outsideOf } from './cold-range.ts';
import { levelOf } from './plan-merges.ts';
import { FIRST_INSTANT, Span } from './span.ts';

/** Every instant of an event lies before it. */
const AFTER_LAST_INSTANT = 8.64e15 + 1;

/**
 * The rebuild that a state then has, of everything that is not cold: its target is what the visible segments cover or,
 * without any, `positions`.
 */
export function newRebuild({ covered, segments }: SetState, positions: Positions): Rebuild {
  return {
    id: randomUUID(),
    target: covered ?? positions,
    until: null,
    segments: [],
    replaces: segments.flatMap(({ id, cold }) => (cold === undefined ? [id] : [])),
  };
}

/** Notes that the partition is to be rebuilt, from its first event on, if the state that is found needs it. */
export async function beginRebuild(
  kit: BuildKit,
  partition: Partition,
  isNeeded: (state: SetState) => boolean,
): Promise<void> {
  // Before any document is read: an erasure that follows finds the note, and one before it has left no document.
  const { positions } = await kit.ports.arrivals.writers();
  await kit.change(partition, (state) =>
    isNeeded(state) ? { ...state, rebuild: newRebuild(state, positions) } : null,
  );
}

/**
 * Adds the next span of about `spanRows` events to the rebuild of the partition; the last one makes all of it visible.
 * False: there is nothing to rebuild any more.
 */
export async function rebuildSpan(
  kit: BuildKit,
  partition: Partition,
  spanRows: number,
  signal: AbortSignal,
): Promise<boolean> {
  const before = await kit.ports.sets.readState(partition);
  const { rebuild } = before;
  if (rebuild === null) return false;
  const span = new Span(spanRows);
  const range = { from: rebuild.until ?? FIRST_INSTANT, to: AFTER_LAST_INSTANT, within: rebuild.target };
  const found = outsideOf(before.cold, kit.ports.arrivals.readByTime(partition, range, signal));
  const file = await kit.write(recordsOf(span.of(found)), signal);
  const segment = file && (await kit.store(file, levelOf(file.rows), signal));
  const made = segment === null ? [] : [segment];
  const change = (state: SetState) => {
    // An erasure may have taken events that the span still has.
    if (!isSame(state.rebuild, rebuild) || state.erasures !== before.erasures) return null;
    const segments = [...state.rebuild.segments, ...made];
    return span.next === null
      ? finished(state, { ...state.rebuild, segments })
      : { ...state, rebuild: { ...state.rebuild, until: span.next, segments } };
  };
  const changed = await kit.change(partition, change, { built: span.next === null });
  if (changed === null) await kit.remove(made);
  return changed === null || changed.rebuild !== null;
}

/** Segments that were built meanwhile stay: they hold what came after the target. */
function finished(state: SetState, { target, segments, replaces }: Rebuild): SetState {
  const kept = state.segments.filter(({ id }) => !replaces.includes(id));
  return {
    ...state,
    covered: state.covered ?? target,
    segments: [...segments, ...kept],
    rebuild: null,
  };
}

function isSame(found: Rebuild | null, expected: Rebuild): found is Rebuild {
  return found?.id === expected.id && found.until === expected.until;
}
