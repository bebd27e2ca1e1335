/** Removes audit records that are older than they are kept. */
import type { Logger } from 'pino';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';

const DAY_MS = 86_400_000;
/** Records read, and removed side by side, at a time. */
const AT_ONCE = 100;

export interface AuditRetentionParts {
  readonly documents: Pick<DocumentStore, 'allOrganizations' | 'auditRecords'>;
  /** Null: for ever. */
  readonly auditRetentionDays: number | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted when the process ends, which does not wait for the rest: the next start continues. */
  readonly signal: AbortSignal;
}

/** The oldest first, each organization by itself: a failure for one does not stop the others. */
export async function removeOldAuditRecords(parts: AuditRetentionParts): Promise<void> {
  const { documents, auditRetentionDays: days, clock, logger, signal } = parts;
  if (days === null) return;
  const before = new Date(clock.now() - days * DAY_MS).toISOString();
  for (const { id: organizationId } of await documents.allOrganizations()) {
    if (signal.aborted) return;
    try {
      const records = await removeBefore(documents.auditRecords, organizationId, before, signal);
      if (records > 0) logger.info({ organizationId, records, days, before }, 'old audit records removed');
    } catch (err) {
      logger.error({ err, organizationId }, 'old audit records could not be removed');
    }
  }
}

async function removeBefore(
  records: DocumentStore['auditRecords'],
  organizationId: string,
  before: string,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    // Identifiers begin with the time, so the oldest come first.
    const page = await records.list(organizationId, { limit: AT_ONCE });
    const old = page.filter(({ createdAt }) => createdAt < before);
    const gone = await Promise.all(old.map(({ id }) => records.remove(organizationId, id)));
    removed += gone.filter(Boolean).length;
    if (old.length < AT_ONCE) break;
  }
  return removed;
}
