/** What every exporter of events guarantees: which rows, which columns in which types, within which bounds, and what stays behind. */
import { statSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from '../../services/shared/model/event-record.ts';
import {
  type EventExporter,
  type ExportSelection,
  TooManyBytes,
  TooManyRows,
} from '../../services/shared/ports/event-export.ts';
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import { eventRecord } from '../support/query/event.ts';
import { rejection } from '../support/rejection.ts';
import { fullEventRecord } from './event-store.contract.ts';

export interface EventExporterFixture {
  readonly store: EventStore & { readonly exporter: EventExporter };
  /** Names of the files that copies left. */
  exports(): readonly string[];
  close(): Promise<void>;
}

export const EXPORT_SELECTION: ExportSelection = {
  organizationId: 'org_a',
  websiteId: 'web_a',
  from: null,
  to: null,
  columns: ['path'],
  maxRows: 100,
  maxBytes: 10_000_000,
};

/** The columns of a copy with their types, and its rows by instant. */
async function readCopy(
  file: string,
): Promise<{ types: Record<string, string>; rows: Record<string, unknown>[] }> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const copy = `read_parquet('${file}')`;
  const rows = await connection.runAndReadAll(`FROM ${copy} ORDER BY "timestamp"`);
  const described = await connection.runAndReadAll(`DESCRIBE FROM ${copy}`);
  connection.closeSync();
  instance.closeSync();
  const types = described.getRowObjects().map((row) => [String(row.column_name), String(row.column_type)]);
  return { types: Object.fromEntries(types), rows: rows.getRowObjectsJS() };
}

/** Declares the contract's tests for the adapter `name`. */
export function eventExporterContract(name: string, create: () => Promise<EventExporterFixture>): void {
  describe(`copies of events by ${name}`, () => {
    const signal = new AbortController().signal;
    let fixture: EventExporterFixture;
    let store: EventExporterFixture['store'];
    const exports = () => fixture.exports();

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
      await store.append([
        eventRecord({ at: '2025-01-01T00:00:00Z', path: '/1' }),
        eventRecord({ at: '2025-01-02T00:00:00Z', path: '/2' }),
        eventRecord({ at: '2025-01-03T00:00:00Z', path: '/3' }),
        eventRecord({ at: '2025-01-02T00:00:00Z', path: '/other', website_id: 'web_b' }),
        eventRecord({ at: '2025-01-02T00:00:00Z', path: '/foreign', organization_id: 'org_b' }),
        eventRecord({ at: '2025-01-02T00:00:00Z', path: '/none', website_id: null }),
      ]);
    });
    afterEach(() => fixture.close());

    async function copied(selection: Partial<ExportSelection>): Promise<Record<string, unknown>[]> {
      const copy = await store.exporter.exportEvents({ ...EXPORT_SELECTION, ...selection }, signal);
      const { rows } = await readCopy(copy.file);
      expect(statSync(copy.file).mode & 0o777).to.equal(0o600);
      await copy.discard();
      await copy.discard();
      expect(exports()).to.deep.equal([]);
      expect(rows).to.have.length(copy.rows);
      return rows;
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
      const fault = await rejection(store.exporter.exportEvents({ ...EXPORT_SELECTION, maxRows: 2 }, signal));
      expect(fault).to.be.instanceOf(TooManyRows).and.include({ rows: 3 });
      expect(exports()).to.deep.equal([]);
      expect(await copied({ maxRows: 3 })).to.have.length(3);
    });

    it('are refused and deleted when they grow larger than allowed', async () => {
      const fault = await rejection(
        store.exporter.exportEvents({ ...EXPORT_SELECTION, maxBytes: 100 }, signal),
      );
      expect(fault).to.be.instanceOf(TooManyBytes);
      expect(exports()).to.deep.equal([]);
      expect(await copied({})).to.have.length(3);
    });

    it('end with the reason of the signal, and leave nothing behind', async () => {
      const left = new AbortController();
      const copy = store.exporter.exportEvents(EXPORT_SELECTION, left.signal);
      left.abort(new Error('left'));
      expect(await rejection(copy)).to.have.property('message', 'left');
      expect(exports()).to.deep.equal([]);
      expect(await copied({})).to.have.length(3);
    });

    it('are made one at a time, each of its own rows, while events come in', async () => {
      const copies = await Promise.all([
        store.exporter.exportEvents(EXPORT_SELECTION, signal),
        store.exporter.exportEvents({ ...EXPORT_SELECTION, websiteId: 'web_b' }, signal),
        store.append([eventRecord({ at: '2025-01-04T00:00:00Z' })]),
      ]);
      expect(copies[1].rows).to.equal(1);
      expect(copies[0].file).to.not.equal(copies[1].file);
    });

    it('have every column in its type, and every value as it was stored', async () => {
      const full = { ...fullEventRecord(), organization_id: 'org_full', website_id: 'web_full' };
      await store.append([
        full,
        { ...full, event_id: 'sparse', path: null, lineno: null, timestamp: full.timestamp + 1 },
      ]);
      const columns = [...TEXT_COLUMNS, ...NUMBER_COLUMNS];
      const selection = { ...EXPORT_SELECTION, organizationId: 'org_full', websiteId: 'web_full', columns };
      const copy = await store.exporter.exportEvents(selection, signal);
      const { types, rows } = await readCopy(copy.file);
      await copy.discard();
      const whole = ['interaction_count', 'page_count', 'lineno', 'colno'];
      expect(types).to.deep.equal({
        timestamp: 'TIMESTAMP',
        is_bot: 'BOOLEAN',
        ...Object.fromEntries(TEXT_COLUMNS.map((column) => [column, 'VARCHAR'])),
        ...Object.fromEntries(
          NUMBER_COLUMNS.map((column) => [column, whole.includes(column) ? 'BIGINT' : 'DOUBLE']),
        ),
      });
      // Copies have the columns that queries read.
      const { organization_id: _, is_keyless: _keyless, ...stored } = full;
      const wide = Object.fromEntries(whole.map((column) => [column, BigInt(full[column as 'lineno'] ?? 0)]));
      expect(rows[0]).to.deep.equal({ ...stored, ...wide, timestamp: new Date(full.timestamp) });
      expect(rows[1]).to.include({ event_id: 'sparse', path: null, lineno: null });
    });
  });
}
