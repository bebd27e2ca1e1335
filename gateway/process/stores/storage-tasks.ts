/** Background work on the stores: sorts events for reading, and removes events and audit records past their retention. */
import type { Logger } from 'pino';
import type { Organization } from '../../../services/shared/model/organization.ts';
import type { Plan } from '../../../services/shared/plans/plans.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { EventEraser } from '../../../services/shared/ports/event-store.ts';
import type { Count, Metrics } from '../../../services/shared/ports/metrics.ts';
import type { Compactor } from '../../../services/shared/storage/duckdb/compaction/compactor.ts';
import { removeOldAuditRecords } from './audit-retention.ts';

const DAY_MS = 86_400_000;
/** How often what is past its retention is looked for, in milliseconds. */
const RETENTION_EVERY_MS = 3_600_000;

export interface RetentionParts {
  readonly events: EventEraser;
  readonly documents: DocumentStore;
  /** The current plans. */
  readonly plans: () => Readonly<Record<string, Plan>>;
  /** For organizations without days of their own or of their plan; null: unlimited. */
  readonly retentionDays: number | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the number of removed events. */
  readonly removed: Count;
  /** Aborted when the process ends, which does not wait for the rest: the next start continues. */
  readonly signal: AbortSignal;
}

/** For how many days the events of the organization are kept: its own number, else that of its plan, else `fallback`. */
export function retentionDaysOf(
  { retentionDays, plan }: Pick<Organization, 'retentionDays' | 'plan'>,
  plans: Readonly<Record<string, Plan>>,
  fallback: number | null,
): number | null {
  return retentionDays ?? plans[plan]?.retentionDays ?? fallback;
}

/** Removes every event older than its organization's retention. A failure for one organization does not stop the others. */
export async function applyRetention(parts: RetentionParts): Promise<void> {
  const { events, documents, plans, retentionDays, clock, logger, removed, signal } = parts;
  for (const organization of await documents.allOrganizations()) {
    if (signal.aborted) return;
    const days = retentionDaysOf(organization, plans(), retentionDays);
    if (days === null) continue;
    const before = clock.now() - days * DAY_MS;
    const organizationId = organization.id;
    try {
      const selection = { organizationId, websiteId: null, anonymousId: null, before };
      const count = await events.erase(selection, signal);
      removed.add(count);
      if (count > 0) {
        const until = new Date(before).toISOString();
        logger.info(
          { organizationId, events: count, days, before: until },
          'events past their retention removed',
        );
      }
    } catch (err) {
      if (signal.aborted) return;
      logger.error({ err, organizationId }, 'events past their retention could not be removed');
    }
  }
}

/** Starts both; `close` stops retention between two of its commits. Sorting ends with the store. */
export function startStorageTasks(
  parts: Omit<RetentionParts, 'removed' | 'signal'> & {
    /** Null where events are not sorted. */
    readonly compactor: Compactor | null;
    /** For audit records; null: unlimited. */
    readonly auditRetentionDays: number | null;
    readonly metrics: Metrics;
  },
): { close(): Promise<void> } {
  const { compactor, metrics, logger } = parts;
  if (compactor !== null) startSorting(compactor, metrics, logger);
  const removed = metrics.counter(
    'tidegate_retention_removed_events_total',
    'Events past their retention.',
    {},
  );

  const ended = new AbortController();
  const retention = { ...parts, removed: removed.of({}), signal: ended.signal };
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = running
      .then(() => applyRetention(retention))
      .then(() => removeOldAuditRecords(retention))
      .catch((err: unknown) => logger.error({ err }, 'retention could not be checked'));
  };
  const timer = setInterval(look, RETENTION_EVERY_MS);
  timer.unref();
  look();
  return {
    close: async () => {
      clearInterval(timer);
      ended.abort();
      await running;
    },
  };
}

function startSorting(compactor: Compactor, metrics: Metrics, logger: Logger): void {
  const sorted = metrics.counter(
    'tidegate_event_store_sorted_events_total',
    'Events sorted for reading.',
    {},
  );
  const sortedEvents = sorted.of({});
  compactor.start({
    compacted: (report) => {
      sortedEvents.add(report.events);
      logger.debug(report, 'events sorted for reading');
    },
    wiped: (report) => {
      sortedEvents.add(report.events);
      if (report.isDone) logger.info(report, 'erased events wiped from the file');
      else
        logger.warn(
          report,
          'erased events could not be wiped from the file yet: queries were in the way for too long; will try again in an hour',
        );
    },
    failed: (err) => logger.warn({ err }, 'events could not be sorted for reading, or wiped; will try again'),
  });
}
