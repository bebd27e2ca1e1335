/** Copies of a website's events for custom queries: which rows, which columns, within which bounds, and what stays behind. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { type ExportSelection, TooManyBytes, TooManyRows } from '../../services/shared/ports/event-export.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventRecord } from '../support/query/event.ts';
import { rejection } from '../support/rejection.ts';

const SELECTION: ExportSelection = {
  organizationId: 'org_a',
  websiteId: 'web_a',
  from: null,
  to: null,
  columns: ['path'],
  maxRows: 100,
  maxBytes: 10_000_000,
};
const signal = new AbortController().signal;

describe('copies of events', () => {
  let directory: string;
  let store: DuckDbEventStore;
  const exports = () => readdirSync(join(directory, 'events.duckdb.exports'));

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-export-'));
    store = await createDuckDbEventStore({ path: join(directory, 'events.duckdb'), threads: 1 });
    await store.append([
      eventRecord({ at: '2025-01-01T00:00:00Z', path: '/1' }),
      eventRecord({ at: '2025-01-02T00:00:00Z', path: '/2' }),
      eventRecord({ at: '2025-01-03T00:00:00Z', path: '/3' }),
      eventRecord({ at: '2025-01-02T00:00:00Z', path: '/other', website_id: 'web_b' }),
      eventRecord({ at: '2025-01-02T00:00:00Z', path: '/foreign', organization_id: 'org_b' }),
      eventRecord({ at: '2025-01-02T00:00:00Z', path: '/none', website_id: null }),
    ]);
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function copied(selection: Partial<ExportSelection>): Promise<Record<string, unknown>[]> {
    const copy = await store.exporter.exportEvents({ ...SELECTION, ...selection }, signal);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const rows = await connection.runAndReadAll(`FROM read_parquet('${copy.file}') ORDER BY "timestamp"`);
    connection.closeSync();
    instance.closeSync();
    expect(statSync(copy.file).mode & 0o777).to.equal(0o600);
    await copy.discard();
    expect(rows.currentRowCount).to.equal(copy.rows);
    return rows.getRowObjects();
  }

  it('hold the rows of one website of one organization, in the columns asked for', async () => {
    const rows = await copied({});
    expect(rows.map(({ path }) => path)).to.deep.equal(['/1', '/2', '/3']);
    expect(Object.keys(rows[0] ?? {})).to.have.members(['timestamp', 'is_bot', 'path']);
  });

  it('keep to the range, its start within and its end without', async () => {
    const from = Date.UTC(2025, 0, 2);
    const to = Date.UTC(2025, 0, 3);
    expect((await copied({ from, to })).map(({ path }) => path)).to.deep.equal(['/2']);
  });

  it('take identifiers for values, whatever they hold', async () => {
    for (const evil of ["' OR true --", "web_a' OR '1'='1", 'web_a"; DROP TABLE events'])
      expect(await copied({ websiteId: evil })).to.deep.equal([]);
    expect(await copied({})).to.have.length(3);
  });

  it('are refused, not cut, when there are more rows than allowed', async () => {
    const fault = await rejection(store.exporter.exportEvents({ ...SELECTION, maxRows: 2 }, signal));
    expect(fault).to.be.instanceOf(TooManyRows).and.include({ rows: 3 });
    expect(exports()).to.deep.equal([]);
    expect(await copied({ maxRows: 3 })).to.have.length(3);
  });

  it('are refused and deleted when they grow larger than allowed', async () => {
    const fault = await rejection(store.exporter.exportEvents({ ...SELECTION, maxBytes: 100 }, signal));
    expect(fault).to.be.instanceOf(TooManyBytes);
    expect(exports()).to.deep.equal([]);
    expect(await copied({})).to.have.length(3);
  });

  it('end with the reason of the signal, and leave nothing behind', async () => {
    const left = new AbortController();
    const copy = store.exporter.exportEvents(SELECTION, left.signal);
    left.abort(new Error('left'));
    expect(await rejection(copy)).to.have.property('message', 'left');
    expect(exports()).to.deep.equal([]);
    expect(await copied({})).to.have.length(3);
  });

  it('are made one at a time, each of its own rows, while events come in', async () => {
    const copies = await Promise.all([
      store.exporter.exportEvents(SELECTION, signal),
      store.exporter.exportEvents({ ...SELECTION, websiteId: 'web_b' }, signal),
      store.append([eventRecord({ at: '2025-01-04T00:00:00Z' })]),
    ]);
    expect(copies[1].rows).to.equal(1);
    expect(copies[0].file).to.not.equal(copies[1].file);
  });

  it('that a killed process left behind are deleted when the store is opened', async () => {
    await store.close();
    const folder = join(directory, 'events.duckdb.exports');
    expect(existsSync(folder)).to.equal(false);
    store = await createDuckDbEventStore({ path: join(directory, 'events.duckdb'), threads: 1 });
    writeFileSync(join(folder, 'left.parquet'), 'x');
    await store.close();
    store = await createDuckDbEventStore({ path: join(directory, 'events.duckdb'), threads: 1 });
    expect(exports()).to.deep.equal([]);
  });
});
