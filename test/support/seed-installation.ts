/** Makes an embedded installation in a folder, in a process of its own that ends: its files are as a stopped server leaves them. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dataPathsOf } from '../../config/data-directory.ts';
import { loadSecrets } from '../../gateway/process/secrets/secrets.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { importBatch } from '../../services/tracking/import/import-batch.ts';
import { createDailySalts } from '../../services/tracking/salts/daily-salts.ts';
import { generateEvents, type SampleEvent, zipfWebsites } from '../sample/generate-events.ts';
import { eventRecord } from './query/event.ts';
import { seedOrganization } from './seed-organization.ts';

const DAY_MS = 86_400_000;
/** Everything is as if it were made then, but for what comes last. */
const NOW = Date.parse('2025-06-30T12:00:00.000Z');
const WEBSITES = zipfWebsites(3);
const BATCH = 2_000;

/** Two organizations with everything that there is, and `events` sample events of org_a; the last of them came just now. */
export async function seedInstallation(dataDir: string, events: number): Promise<void> {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [script, dataDir, String(events)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the installation could not be made: exit code ${code}`);
}

async function seed(dataDir: string, count: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const paths = dataPathsOf(dataDir);
  const secrets = await loadSecrets(paths.secrets);
  const visitorSecret = Buffer.from(secrets.visitorSecret, 'base64url');
  const documents = createSqliteDocumentStore({ path: paths.documents, clock: systemClock });
  await seedDocuments(documents);
  let now = NOW;
  const clock = { now: () => now };
  const events = await createDuckDbEventStore({ path: paths.events, clock });
  const usage = { addEvents() {} };
  const salts = createDailySalts({ documents, clock, visitorSecret, randomBytes });
  const store = async (lines: readonly SampleEvent[]) => {
    await importBatch(
      {
        ...{ organizationId: 'org_a', websiteId: null, faultsAllowed: 0 },
        lines: lines.map((event, i) => ({ number: i + 1, text: JSON.stringify(event), eventId: '' })),
      },
      { events, documents, clock, salts, usage },
    );
  };
  let batch: SampleEvent[] = [];
  for (const event of generateEvents({ events: count, days: 30, end: NOW, websites: WEBSITES, seed: 1 })) {
    if (batch.push(event) < BATCH) continue;
    await store(batch);
    batch = [];
  }
  await store(batch);
  now = Date.now();
  await events.append(UNUSUAL);
  await events.close();
  await documents.close();
}

/** Events that sample events have not: no website, no id, characters of every width, numbers of every kind. */
const UNUSUAL = [
  eventRecord({ at: '2025-06-01T00:00:00.001Z', website_id: null, event_id: 'own-1', path: '/ä/😀' }),
  eventRecord({ at: '1969-12-31T23:59:59.999Z', website_id: null, organization_id: 'org_b', event_id: null }),
  eventRecord({ at: '2025-06-01T00:00:00.002Z', event_id: 'last-1', is_bot: true, metric_value: 0.1 + 0.2 }),
  eventRecord({
    ...{ at: '2025-06-01T00:00:00.003Z', event_id: 'last-2', lineno: 9_007_199_254_740_991, colno: -1 },
    ...{
      time_on_page: 1e300,
      properties: '{"$set":{"a.b":null},"":"x","k":[1,"😀"]}',
      href: 'https://a.example/x',
    },
  }),
];

async function seedDocuments(documents: SqliteDocumentStore): Promise<void> {
  for (const name of ['a', 'b']) await seedOrganization(documents, name);
  for (const { id, domain } of WEBSITES) {
    const website = { name: id, domain, isPublic: true, settings: { allowedOrigins: ['https://*.example'] } };
    await documents.websites.insert({ id, organizationId: 'org_a', ...website });
  }
  await documents.profiles.insert({
    ...{ id: 'prf_unusual', organizationId: 'org_a', websiteId: null, profileId: 'unusual' },
    traits: { $where: 1, 'a.b': null, '': '😀', $set: true },
  });
  // A document that was changed has a version and an instant of its own.
  await documents.organizations.update('org_b', 'org_b', 1, { name: 'Changed' });
  for (let i = 0; i < 1_200; i++) {
    await documents.auditRecords.insert({
      ...{ id: `aud_many_${i}`, organizationId: 'org_a', actor: { kind: 'cli', id: 'cli', userId: null } },
      ...{ action: 'website.create', targetId: 'web_a', fields: [], address: null, requestId: null },
    });
  }
  await documents.recordApiKeyUses([
    { apiKeyId: 'key_a', organizationId: 'org_a', lastUsedAt: new Date(NOW - DAY_MS).toISOString() },
  ]);
}

const [, script, dataDir, count] = process.argv;
if (script === fileURLToPath(import.meta.url)) await seed(dataDir ?? '', Number(count));
