/** Stores a batch of lines of an import file, making records as every ingest route does; all good lines of it, or none. */
import { ApiError } from '../../shared/errors/api-error.ts';
import type { EventRecord } from '../../shared/model/event-record.ts';
import type { Website } from '../../shared/model/website.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { EventStore } from '../../shared/ports/event-store.ts';
import type { UsageCounter } from '../../shared/usage/usage-counter.ts';
import { makeRecord } from '../record/make-record.ts';
import { writeEvents } from '../record/write-events.ts';
import { clientOf, readImportLine } from './read-import-line.ts';

/** Most lines of one batch. */
export const LARGEST_IMPORT_BATCH = 2_000;

export interface ImportLine {
  /** Its number in the file, from 1. */
  readonly number: number;
  readonly text: string;
  /** Stands for an eventId that the line does not name, the same whenever the file is read. */
  readonly eventId: string;
}

export interface ImportBatch {
  readonly organizationId: string;
  /** Where events go that name no website; null: to the organization. */
  readonly websiteId: string | null;
  readonly lines: readonly ImportLine[];
  /** With more bad lines than these nothing of the batch is stored. */
  readonly faultsAllowed: number;
}

/** A line that cannot be stored, with its first fault. */
export interface BadLine {
  readonly number: number;
  readonly field: string;
  readonly message: string;
}

export interface ImportOutcome {
  /** Events that are durable now; 0 when there were too many bad lines. */
  readonly stored: number;
  readonly badLines: readonly BadLine[];
}

export interface ImportPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly visitorSecret: Uint8Array;
  /** Where stored events are counted for their organization. */
  readonly usage: Pick<UsageCounter, 'addEvents'>;
}

/** @throws ApiError VALIDATION_ERROR for an unknown organization or default website, SERVICE_UNAVAILABLE when nothing was stored */
export async function importBatch(batch: ImportBatch, ports: ImportPorts): Promise<ImportOutcome> {
  const { organizationId } = batch;
  const now = ports.clock.now();
  const siteOf = await websitesOf(batch, ports.documents);
  const badLines: BadLine[] = [];
  const records: EventRecord[] = [];
  for (const { number, text, eventId } of batch.lines) {
    const read = readImportLine(text, now);
    if ('faults' in read) {
      const { field, message } = read.faults[0] ?? { field: 'line', message: 'Cannot be read.' };
      badLines.push({ number, field, message });
      continue;
    }
    const { event } = read;
    const website = await siteOf(event.websiteId ?? batch.websiteId);
    if (website === undefined) {
      const message = `The organization "${organizationId}" has no website "${event.websiteId}".`;
      badLines.push({ number, field: 'websiteId', message });
      continue;
    }
    const context = { now, visitorSecret: ports.visitorSecret, client: clientOf(event) };
    const target = { organizationId, website };
    records.push(makeRecord({ ...event, eventId: event.eventId || eventId }, target, context));
  }
  if (badLines.length > batch.faultsAllowed) return { stored: 0, badLines };
  const { repeated } = await writeEvents(ports.events, records);
  ports.usage.addEvents(organizationId, records.length - repeated);
  return { stored: records.length, badLines };
}

/** Looks each website up once; undefined: the organization has no such one, null: none was named. */
async function websitesOf(
  { organizationId, websiteId }: ImportBatch,
  documents: DocumentStore,
): Promise<(id: string | null) => Promise<Website | null | undefined>> {
  const known = new Map<string | null, Website | null | undefined>([[null, null]]);
  const siteOf = async (id: string | null) => {
    if (!known.has(id)) known.set(id, (await documents.websites.get(organizationId, id ?? '')) ?? undefined);
    return known.get(id);
  };
  if ((await documents.organizations.get(organizationId, organizationId)) === null) {
    throw refused('organization', `There is no organization "${organizationId}".`);
  }
  if ((await siteOf(websiteId)) === undefined) {
    throw refused('website', `The organization "${organizationId}" has no website "${websiteId}".`);
  }
  return siteOf;
}

function refused(field: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { text: `${field}: ${message}`, details: [{ field, message }] });
}
