/** `npm run bench:size`: what an event takes in MongoDB, over events of the sample; docs/sizing.md calculates with it. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { mongo } from 'mongoose';
import { toEventDocument } from '../../services/shared/storage/mongodb/event-document.ts';
import { clientOf, readImportLine } from '../../services/tracking/import/read-import-line.ts';
import { makeRecord } from '../../services/tracking/record/make-record.ts';
import { generateEvents, zipfWebsites } from '../sample/generate-events.ts';

const EVENTS = 50_000;
/** What WiredTiger compresses at once, in bytes: a leaf page (leaf_page_max). */
const PAGE_BYTES = 32_768;
const ORGANIZATION = 'org_01m8189676e2x5krwedt1c5031';
const END = Date.UTC(2026, 0, 31);

/** Ids as long as those that the service makes. */
const websites = zipfWebsites(20).map((website, i) => ({
  ...website,
  id: `web_01m8189676et6fg9qc0stwhx${String(i).padStart(2, '0')}`,
}));

/** An id as clients make them, at random: those of the sample are counted up, and compress better than any real ones. */
function randomLike(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/** The BSON of each event, in order of time. */
function* eventDocuments(): Generator<Uint8Array> {
  const context = { now: END, visitorKey: () => new Uint8Array(32) };
  for (const event of generateEvents({ events: EVENTS, days: 1, end: END, websites, seed: 1 })) {
    const ids = {
      eventId: randomLike(event.eventId),
      anonymousId: `anon_${randomLike(event.anonymousId)}`,
      sessionId: `sess_${randomLike(event.sessionId)}`,
    };
    const read = readImportLine(JSON.stringify({ ...event, ...ids }), END);
    if ('faults' in read) throw new Error(JSON.stringify(read.faults));
    const website = websites.find(({ id }) => id === event.websiteId) ?? null;
    const target = { organizationId: ORGANIZATION, website };
    const record = makeRecord(read.event, target, {
      ...context,
      client: clientOf(read.event),
      isKeyless: false,
    });
    const id = new mongo.ObjectId();
    yield mongo.BSON.serialize({ _id: id, ...toEventDocument(record) });
  }
}

/** How much smaller pages become by deflate at the level that MongoDB's `zlib` uses. */
function deflatedBytes(documents: readonly Uint8Array[]): number {
  let bytes = 0;
  let page: Uint8Array[] = [];
  let pageBytes = 0;
  const close = (): void => {
    bytes += deflateSync(Buffer.concat(page), { level: 6 }).length;
    page = [];
    pageBytes = 0;
  };
  for (const document of documents) {
    if (pageBytes + document.length > PAGE_BYTES) close();
    page.push(document);
    pageBytes += document.length;
  }
  close();
  return bytes;
}

const documents = [...eventDocuments()];
const sizes = documents.map(({ length }) => length).sort((a, b) => a - b);
const total = sizes.reduce((sum, size) => sum + size, 0);
const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))];
process.stdout.write(
  [
    `events                    ${documents.length}, of ${websites.length} websites in one day`,
    `BSON bytes per event      ${Math.round(total / documents.length)} (median ${at(0.5)}, p99 ${at(0.99)})`,
    `deflated in 32 KB pages   ${Math.round(deflatedBytes(documents) / documents.length)} bytes per event, ${(total / deflatedBytes(documents)).toFixed(1)} times smaller`,
    '',
  ].join('\n'),
);
