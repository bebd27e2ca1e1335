/** Counts by labels in memory, per minute, and adds them to the store in batches, outside of the requests that are counted. */
import type { Logger } from 'pino';
import {
  ACTIVITY_GRAINS,
  type ActivityIncrement,
  type ActivitySeries,
  type ActivitySubject,
  activitySlot,
  GRAINS,
  newActivity,
} from '../model/activity.ts';
import type { Clock } from '../ports/clock.ts';
import type { DocumentStore } from '../ports/document-store.ts';
import { createWriteBehind } from './write-behind.ts';

/** How often counts are written, in milliseconds: how late they show, and what a killed process loses at most. */
const FLUSH_MS = 5_000;
/** Sets of labels of one subject within an hour; further ones are counted under those that the caller keeps for them. */
const MOST_LABELS = 400;
/** Counts of one subject within an hour, a set of labels in a minute being one; further ones are counted as the spare. */
const MOST_IN_AN_HOUR = 4_000;
/** Subjects that are told apart at a time; one more, and what was used within the hour is forgotten. */
const MOST_SUBJECTS = 20_000;
/** Sets of labels of all subjects that wait to be written; further counts are dropped, and told. */
const MOST_CELLS = 50_000;
/** Documents per write. */
const MOST_PER_WRITE = 200;
const HOUR_MS = ACTIVITY_GRAINS.minute.documentMs;

export interface ActivityCounterPorts {
  readonly documents: Pick<DocumentStore, 'addActivity'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Told of what was stored, outside of the requests that were counted. */
  written?(increments: readonly ActivityIncrement[]): void;
}

/** Several counters, of one process or of many, add up in the store. */
export interface ActivityCounter {
  /** Counts `count` more now. `labels`, joined by `|`, is counted as `spare` where the subject has too many. Cheap: every request calls it. */
  add(organizationId: string, websiteId: string | null, labels: string, spare: string, count: number): void;
  /** Writes counts that are not written yet; keeps for the next time what cannot be stored. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. Never rejects. */
  close(): Promise<void>;
}

interface Cell {
  count: number;
}

/** What one subject counted in the current minute, and the labels that it used within the hour. */
interface Live {
  readonly subject: ActivitySubject;
  readonly cells: Map<string, Cell>;
  /** The minute in which each was counted last. */
  readonly known: Map<string, number>;
  counts: number;
}

/** What waits to be added to one document. */
interface Waiting {
  readonly increment: Omit<ActivityIncrement, 'counts'>;
  readonly counts: Map<string, number>;
}

export function createActivityCounter(
  series: ActivitySeries,
  { documents, clock, logger, written }: ActivityCounterPorts,
): ActivityCounter {
  /** By website, else by organization. */
  const live = new Map<string, Live>();
  let waiting = new Map<string, Waiting>();
  let cells = 0;
  let lost = 0;
  /** The current minute begins and ends. */
  let startsAtMs = 0;
  let endsAtMs = 0;

  function liveOf(organizationId: string, websiteId: string | null): Live {
    const id = websiteId ?? organizationId;
    let found = live.get(id);
    if (found === undefined) {
      const subject = { organizationId, websiteId, series };
      if (live.size >= MOST_SUBJECTS) {
        endMinute();
        live.clear();
      }
      found = { subject, cells: new Map(), known: new Map(), counts: 0 };
      live.set(id, found);
    }
    return found;
  }

  function newCell(of: Live, labels: string, spare: string): Cell | null {
    const { cells: own, known } = of;
    const last = known.get(labels);
    const hasRoom = (last !== undefined || known.size < MOST_LABELS) && of.counts < MOST_IN_AN_HOUR;
    const isKnown = last === startsAtMs || hasRoom;
    const name = isKnown ? labels : spare;
    const spared = isKnown ? undefined : own.get(spare);
    if (spared !== undefined) return spared;
    if (cells >= MOST_CELLS) return null;
    cells++;
    if (isKnown && last !== startsAtMs) {
      known.set(labels, startsAtMs);
      of.counts++;
    }
    const cell = { count: 0 };
    own.set(name, cell);
    return cell;
  }

  function wait(increment: Omit<ActivityIncrement, 'counts'>, name: string, count: number): void {
    const { id } = newActivity({ ...increment, counts: {} });
    let found = waiting.get(id);
    if (found === undefined) {
      found = { increment, counts: new Map() };
      waiting.set(id, found);
    }
    const known = found.counts.get(name);
    if (known === undefined && cells >= MOST_CELLS) {
      lost += count;
      return;
    }
    if (known === undefined) cells++;
    found.counts.set(name, (known ?? 0) + count);
  }

  /** The counts of the minute wait for the store from now on. */
  function endMinute(): void {
    for (const [id, { subject, cells: own, known }] of live) {
      cells -= own.size;
      for (const [labels, { count }] of own) {
        for (const grain of GRAINS) {
          const { slot, startsAtMs: from } = activitySlot(grain, startsAtMs);
          wait({ ...subject, grain, startsAtMs: from }, `${slot}|${labels}`, count);
        }
      }
      own.clear();
      if (known.size === 0) live.delete(id);
    }
  }

  function beginMinute(nowMs: number): void {
    endMinute();
    const { slotMs } = ACTIVITY_GRAINS.minute;
    const begins = Math.floor(nowMs / slotMs) * slotMs;
    // What was used in the hour before is forgotten, and so are subjects that were silent in it.
    if (Math.floor(begins / HOUR_MS) !== Math.floor(startsAtMs / HOUR_MS)) live.clear();
    startsAtMs = begins;
    endsAtMs = begins + slotMs;
  }

  function takeAll(): ActivityIncrement[] {
    endMinute();
    const taken = [...waiting.values()].map(({ increment, counts }) => ({
      ...increment,
      counts: Object.fromEntries(counts),
    }));
    for (const { counts } of waiting.values()) cells -= counts.size;
    waiting = new Map();
    return taken;
  }

  async function write(): Promise<void> {
    const increments = takeAll();
    for (let from = 0; from < increments.length; from += MOST_PER_WRITE) {
      try {
        const some = increments.slice(from, from + MOST_PER_WRITE);
        await documents.addActivity(some);
        written?.(some);
      } catch (fault) {
        logger.warn({ err: fault, series }, 'counts could not be written; tried again');
        for (const { counts, ...increment } of increments.slice(from))
          for (const [name, count] of Object.entries(counts)) wait(increment, name, count);
        break;
      }
    }
    if (lost > 0) {
      logger.warn({ series, lost }, 'too many counts wait: these were dropped');
      lost = 0;
    }
  }

  const { flush, close } = createWriteBehind(write, FLUSH_MS);

  return {
    add(organizationId, websiteId, labels, spare, count) {
      const now = clock.now();
      if (now >= endsAtMs || now < startsAtMs) beginMinute(now);
      const of = liveOf(organizationId, websiteId);
      const cell = of.cells.get(labels) ?? newCell(of, labels, spare);
      if (cell === null) lost += count;
      else cell.count += count;
    },
    flush,
    close,
  };
}
