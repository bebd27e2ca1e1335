/** One batch of an export for an operator: some megabytes of lines of JSON, and the cursor behind them. */
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { EventStore } from '../../shared/ports/event-store.ts';
import { readRange } from '../custom/date-range.ts';
import { createFaults } from '../stages/faults.ts';
import type { Reach } from '../stages/resolve.ts';
import type { TimeRange } from '../time/buckets.ts';
import { createZone } from '../time/zone.ts';
import type { ExportBatch, ExportedBatch } from './export-batch-schema.ts';
import { readCursor, writeCursor } from './export-cursor.ts';
import { cursorScope, exportEvents } from './export-events.ts';
import { MAX_EXPORTED } from './parse-export.ts';

/** A batch ends behind the page with which it has so many characters. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** How long a batch may take, in milliseconds: less than the command waits for the answer. */
const BATCH_MS = 50_000;

export interface ExportBatchPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
}

/** @throws ApiError VALIDATION_ERROR or INVALID_DATE_RANGE, SERVICE_UNAVAILABLE */
export async function exportBatch(
  asked: ExportBatch,
  { events, documents }: ExportBatchPorts,
  most = BATCH_CHARACTERS,
): Promise<ExportedBatch> {
  const range = rangeOf(asked);
  const reach = await reachOf(asked, documents);
  const scope = cursorScope(asked.organizationId, asked.websiteId, range);
  const after = asked.cursor === null ? null : readCursor(asked.cursor, scope);
  if (asked.cursor !== null && after === null) {
    throw fault({
      field: 'cursor',
      message: 'No cursor of this website and range, or one that an earlier version gave.',
    });
  }
  let [lines, count, nextCursor] = ['', 0, null as string | null];
  const selection = { reach, range, after, limit: MAX_EXPORTED };
  for await (const page of exportEvents(selection, events, AbortSignal.timeout(BATCH_MS))) {
    lines += page.lines;
    count += page.rows.length;
    nextCursor = page.next && writeCursor(page.next, scope);
    if (lines.length >= most) break;
  }
  return { events: count, lines, nextCursor };
}

function rangeOf(asked: ExportBatch): TimeRange {
  const faults = createFaults();
  const [start, end] = (['from', 'to'] as const).map((field) => ({ field, text: asked[field] }));
  const { from, to } = readRange(start ?? null, end ?? null, createZone('UTC'), faults);
  faults.throwIfAny();
  if (from === null || to === null) throw new Error('A range without faults has both ends.');
  return { from, to };
}

async function reachOf({ organizationId, websiteId }: ExportBatch, documents: DocumentStore): Promise<Reach> {
  if ((await documents.organizations.get(organizationId, organizationId)) === null) {
    throw fault({ field: 'organization', message: `There is no organization "${organizationId}".` });
  }
  if (websiteId === null) {
    const websites = await documents.websitesOf(organizationId);
    return { organizationId, websiteIds: websites.map(({ id }) => id), organizationEvents: true };
  }
  if ((await documents.websites.get(organizationId, websiteId)) === null) {
    const message = `The organization "${organizationId}" has no website "${websiteId}".`;
    throw fault({ field: 'website', message });
  }
  return { organizationId, websiteIds: [websiteId], organizationEvents: false };
}

function fault(detail: ErrorDetail) {
  return validationError([detail]);
}
