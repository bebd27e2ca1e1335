/** Batches of an operator's export: bounded, continued by their cursors, and of one tenant. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportBatch } from '../../../../services/query/export/export-batch.ts';
import type { ExportBatch } from '../../../../services/query/export/export-batch-schema.ts';
import { systemClock } from '../../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createSqliteDocumentStore } from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { eventRecord } from '../../../support/event-record.ts';

const DAY = { from: '2025-06-15', to: '2025-06-15' };
const SHOP: ExportBatch = { organizationId: 'org_a', websiteId: 'web_a', ...DAY, cursor: null };
const NOON = Date.parse('2025-06-15T12:00:00Z');

describe('a batch of an export', () => {
  let directory: string;
  let events: DuckDbEventStore;
  let documents: DocumentStore;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-export-batch-'));
    const path = join(directory, 'events.duckdb');
    events = await createDuckDbEventStore({ path, memoryLimit: '256MB', threads: 1 });
    documents = createSqliteDocumentStore({ path: join(directory, 'documents.sqlite'), clock: systemClock });
    for (const [id, organizationId] of [
      ['web_a', 'org_a'],
      ['web_b', 'org_b'],
    ] as const) {
      const organization = { id: organizationId, organizationId, name: id, plan: 'free', limits: {} };
      await documents.organizations.insert(organization);
      const website = { id, organizationId, name: id, domain: `${id}.example`, isPublic: false };
      await documents.websites.insert({ ...website, settings: {} });
    }
    const own = { organization_id: 'org_a', website_id: 'web_a', timestamp: NOON };
    await events.append([
      // All at one instant.
      ...Array.from({ length: 250 }, (_, i) => eventRecord({ ...own, event_id: `e${i}` })),
      eventRecord({ ...own, event_id: 'late', timestamp: Date.parse('2025-06-16T00:00:00Z') }),
      eventRecord({ ...own, event_id: 'own', website_id: null }),
      eventRecord({ ...own, event_id: 'foreign', organization_id: 'org_b', website_id: 'web_b' }),
    ]);
  });
  after(async () => {
    await events.close();
    await documents.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const idsOf = (lines: string) =>
    lines
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { event_id: string }).event_id);
  const shopIds = Array.from({ length: 250 }, (_, i) => `e${i}`);

  it('ends once it is large enough, and its cursor leads to every other event once', async () => {
    const ids: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const batch = await exportBatch({ ...SHOP, cursor }, { events, documents }, 1);
      expect(idsOf(batch.lines)).to.have.length(batch.events);
      ids.push(...idsOf(batch.lines));
      sizes.push(batch.events);
      cursor = batch.nextCursor;
    } while (cursor !== null);
    expect(sizes).to.deep.equal([100, 100, 50]);
    expect(ids).to.have.length(250).and.to.have.members(shopIds);
  });

  it('has the events of an organization without a website where no website is named, and never those of another', async () => {
    const { lines } = await exportBatch({ ...SHOP, websiteId: null }, { events, documents });
    expect(idsOf(lines)).to.have.members([...shopIds, 'own']);
  });

  it('refuses a cursor of another website or range, and a website of another organization', async () => {
    const { nextCursor: cursor } = await exportBatch(SHOP, { events, documents }, 1);
    const refused: [Partial<ExportBatch>, string][] = [
      [{ cursor, websiteId: null }, 'cursor: No cursor of this website and range'],
      [{ cursor, to: '2025-06-16' }, 'cursor: No cursor of this website and range'],
      [{ cursor: 'x' }, 'cursor: No cursor of this website and range'],
      [{ websiteId: 'web_b' }, 'The organization "org_a" has no website "web_b".'],
      [{ organizationId: 'org_none' }, 'There is no organization "org_none".'],
      [{ from: '2025-06-16' }, 'from: The start 2025-06-16 lies after the end 2025-06-15.'],
    ];
    for (const [asked, text] of refused) {
      const fault: unknown = await exportBatch({ ...SHOP, ...asked }, { events, documents }).catch(
        (thrown) => thrown,
      );
      expect(fault).to.have.property('status', 400);
      expect(String((fault as Error).message)).to.include(text);
    }
  });
});
