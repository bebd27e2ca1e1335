/** Counts the usage of organizations in memory and adds it to the store in batches, outside of requests. */
import type { Logger } from 'pino';
import { monthOf, nextMonthMs, type UsageIncrement } from '../model/organization-usage.ts';
import type { Clock } from '../ports/clock.ts';
import type { DocumentStore } from '../ports/document-store.ts';
import { createWriteBehind } from './write-behind.ts';

/** How often counts are written, in milliseconds: what a killed process loses at most. */
const FLUSH_MS = 30_000;
/** How many organizations and months are counted between two writes at most. */
const MOST_COUNTED = 100_000;
/** Increments per write: a few milliseconds. */
const MOST_PER_WRITE = 1_000;

export interface UsageCounterPorts {
  readonly documents: Pick<DocumentStore, 'addUsage'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Several counters, of one process or of many, add up in the store. */
export interface UsageCounter {
  /** Counts one more request of the organization, now. Cheap, since every request calls it. */
  addRequest(organizationId: string): void;
  /** Counts further stored events of the organization, now. */
  addEvents(organizationId: string, count: number): void;
  /** Writes counts that are not written yet; keeps for the next time what cannot be stored. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. Never rejects. */
  close(): Promise<void>;
}

interface Count {
  requests: number;
  events: number;
}

export function createUsageCounter({ documents, clock, logger }: UsageCounterPorts): UsageCounter {
  let counted = new Map<string, Map<string, Count>>();
  let size = 0;
  /** The current month, and its counts. */
  let startsAtMs = 0;
  let endsAtMs = 0;
  let month = '';
  let current = new Map<string, Count>();
  /** What was dropped for lack of room since the last write. */
  let lost: Count = { requests: 0, events: 0 };

  function countsOf(named: string): Map<string, Count> {
    let counts = counted.get(named);
    if (counts === undefined) {
      counts = new Map();
      counted.set(named, counts);
    }
    return counts;
  }

  function countIn(counts: Map<string, Count>, organizationId: string): Count {
    let count = counts.get(organizationId);
    if (count === undefined) {
      if (size >= MOST_COUNTED) return lost;
      size++;
      count = { requests: 0, events: 0 };
      counts.set(organizationId, count);
    }
    return count;
  }

  function countNow(organizationId: string): Count {
    const now = clock.now();
    if (now >= endsAtMs || now < startsAtMs) {
      month = monthOf(now);
      startsAtMs = Date.parse(`${month}-01T00:00:00.000Z`);
      endsAtMs = nextMonthMs(now);
      current = countsOf(month);
    }
    return countIn(current, organizationId);
  }

  function takeAll(): UsageIncrement[] {
    const increments: UsageIncrement[] = [];
    for (const [named, counts] of counted) {
      for (const [organizationId, count] of counts) {
        increments.push({ organizationId, month: named, ...count });
      }
    }
    counted = new Map();
    size = 0;
    endsAtMs = 0;
    return increments;
  }

  function keep(increments: readonly UsageIncrement[]): void {
    for (const { organizationId, month: named, requests, events } of increments) {
      const count = countIn(countsOf(named), organizationId);
      count.requests += requests;
      count.events += events;
    }
  }

  async function write(): Promise<void> {
    const increments = takeAll();
    for (let from = 0; from < increments.length; from += MOST_PER_WRITE) {
      try {
        await documents.addUsage(increments.slice(from, from + MOST_PER_WRITE));
      } catch (fault) {
        const left = increments.slice(from);
        logger.warn({ err: fault, organizations: left.length }, 'usage could not be written; tried again');
        keep(left);
        break;
      }
    }
    if (lost.requests + lost.events > 0) {
      logger.warn(lost, 'usage of too many organizations at a time: this much was not counted');
      lost = { requests: 0, events: 0 };
    }
  }

  const { flush, close } = createWriteBehind(write, FLUSH_MS);

  return {
    addRequest(organizationId) {
      countNow(organizationId).requests++;
    },
    addEvents(organizationId, count) {
      if (count > 0) countNow(organizationId).events += count;
    },
    flush,
    close,
  };
}
