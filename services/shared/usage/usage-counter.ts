/** Counts what organizations use, in memory, and adds it to the store in batches, away from the requests. */
import type { Logger } from 'pino';
import { monthOf, nextMonthMs, type UsageIncrement } from '../model/organization-usage.ts';
import type { Clock } from '../ports/clock.ts';
import type { DocumentStore } from '../ports/document-store.ts';
import { createWriteBehind } from './write-behind.ts';

/** How often counts are written, in milliseconds: what a process that is killed loses at most. */
const FLUSH_MS = 30_000;
/** Organizations and months counted between two writes at most. */
const MOST_COUNTED = 100_000;
/** Increments of one write: some milliseconds. */
const MOST_PER_WRITE = 1_000;

export interface UsageCounterPorts {
  readonly documents: Pick<DocumentStore, 'addUsage'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Several counters, of one process or of many, add up in the store. */
export interface UsageCounter {
  /** One more request of the organization, now. Cheap: it stands in the way of every request. */
  addRequest(organizationId: string): void;
  /** So many more events of the organization were stored, now. */
  addEvents(organizationId: string, count: number): void;
  /** Writes down what was counted and not written yet; what cannot be stored is kept for the next time. Never rejects. */
  flush(): Promise<void>;
  /** Ends the timer and writes down the rest. Never rejects. */
  close(): Promise<void>;
}

interface Count {
  requests: number;
  events: number;
}

export function createUsageCounter({ documents, clock, logger }: UsageCounterPorts): UsageCounter {
  let counted = new Map<string, Map<string, Count>>();
  let size = 0;
  /** The month that counts now, and its counts. */
  let startsAtMs = 0;
  let endsAtMs = 0;
  let month = '';
  let current = new Map<string, Count>();
  /** What there was no room for since the last write. */
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
