/** Stores a batch of import lines, with records made as in every ingest route: all good lines, or none; or only validates them. */
import { ApiError } from '../../shared/errors/api-error.ts';
import type { EventRecord } from '../../shared/model/event-record.ts';
import type { Website } from '../../shared/model/website.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { EventStore } from '../../shared/ports/event-store.ts';
import { eventIdHash } from '../../shared/storage/event-id-window.ts';
import type { UsageCounter } from '../../shared/usage/usage-counter.ts';
import { makeRecord } from '../record/make-record.ts';
import { hashesVisitor } from '../record/put-visitor.ts';
import { writeEvents } from '../record/write-events.ts';
import { type DailySalts, NO_KEY } from '../salts/daily-salts.ts';
import { clientOf, readImportLine } from './read-import-line.ts';

/** Most lines of one batch. */
export const LARGEST_IMPORT_BATCH = 2_000;

export interface ImportLine {
  /** Its number in the file, counted from 1. */
  readonly number: number;
  readonly text: string;
  /** The eventId of a line that has none; the same whenever the file is read. */
  readonly eventId: string;
}

export interface ImportBatch {
  readonly organizationId: string;
  /** The website of events that name none; null: the organization. */
  readonly websiteId: string | null;
  readonly lines: readonly ImportLine[];
  /** With more bad lines than this, nothing of the batch is stored. */
  readonly faultsAllowed: number;
  /** True: the lines are validated and nothing is stored. */
  readonly dryRun?: boolean | undefined;
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
  /** In a dry run: every good line. */
  readonly goodLines?: readonly GoodLine[] | undefined;
}

/** A line that can be stored. */
export interface GoodLine {
  readonly number: number;
  /** Identifies its event, in base64: a line with the same id repeats it. */
  readonly id: string;
  /** Whether its event is already stored, by its eventId. */
  readonly isRepeat: boolean;
}

export interface ImportPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly salts: Pick<DailySalts, 'at'>;
  /** Counts stored events for their organization. */
  readonly usage: Pick<UsageCounter, 'addEvents'>;
}

/** @throws ApiError VALIDATION_ERROR for an unknown organization or default website, SERVICE_UNAVAILABLE when nothing was stored */
export async function importBatch(batch: ImportBatch, ports: ImportPorts): Promise<ImportOutcome> {
  const { organizationId } = batch;
  const now = ports.clock.now();
  const websiteOf = await websitesOf(batch, ports.documents);
  const badLines: BadLine[] = [];
  const records: EventRecord[] = [];
  const numbers: number[] = [];
  for (const { number, text, eventId } of batch.lines) {
    const read = readImportLine(text, now);
    if ('faults' in read) {
      const { field, message } = read.faults[0] ?? { field: 'line', message: 'Cannot be read.' };
      badLines.push({ number, field, message });
      continue;
    }
    const { event } = read;
    const website = await websiteOf(event.websiteId ?? batch.websiteId);
    if (website === undefined) {
      const message = `The organization "${organizationId}" has no website "${event.websiteId}".`;
      badLines.push({ number, field: 'websiteId', message });
      continue;
    }
    const isKeyless = event.is_keyless === true;
    const client = clientOf(event);
    const visitorKey = hashesVisitor(event, client) ? await ports.salts.at(now) : NO_KEY;
    const context = { now, visitorKey, client, isKeyless };
    const target = { organizationId, website };
    numbers.push(number);
    records.push(makeRecord({ ...event, eventId: event.eventId || eventId }, target, context));
  }
  if (batch.dryRun) return { stored: 0, badLines, goodLines: await judged(records, numbers, ports.events) };
  if (badLines.length > batch.faultsAllowed) return { stored: 0, badLines };
  const { repeats } = await writeEvents(ports.events, records);
  ports.usage.addEvents(organizationId, records.length - repeats.length);
  return { stored: records.length, badLines };
}

async function judged(
  records: readonly EventRecord[],
  numbers: readonly number[],
  events: EventStore,
): Promise<GoodLine[]> {
  const repeats = await events.findRepeats(records);
  return records.map((record, i) => ({
    number: numbers[i] ?? 0,
    id: Buffer.from(eventIdHash(record) ?? '', 'latin1').toString('base64'),
    isRepeat: repeats[i] ?? false,
  }));
}

/** Looks each website up once; undefined: the organization has no such one, null: none was named. */
async function websitesOf(
  { organizationId, websiteId }: ImportBatch,
  documents: DocumentStore,
): Promise<(id: string | null) => Promise<Website | null | undefined>> {
  const known = new Map<string | null, Website | null | undefined>([[null, null]]);
  const websiteOf = async (id: string | null) => {
    if (!known.has(id)) known.set(id, (await documents.websites.get(organizationId, id ?? '')) ?? undefined);
    return known.get(id);
  };
  if ((await documents.organizations.get(organizationId, organizationId)) === null) {
    throw refused('organization', `There is no organization "${organizationId}".`);
  }
  if ((await websiteOf(websiteId)) === undefined) {
    throw refused('website', `The organization "${organizationId}" has no website "${websiteId}".`);
  }
  return websiteOf;
}

function refused(field: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { text: `${field}: ${message}`, details: [{ field, message }] });
}
