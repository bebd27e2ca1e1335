/** The export as Parquet: the events of the lines of JSON, each once over all files, cut by number and by size. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parquetExport } from '../../../../services/query/export/parquet-export.ts';
import { DuckDbParquetFiles } from '../../../../services/shared/storage/duckdb/parquet-files.ts';
import { EVENT_COLUMNS } from '../../../../services/shared/storage/event-columns.ts';
import { allLines } from '../../../support/lines.ts';
import { describeOnEngines } from '../../../support/query/engines.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import type { StartedQueryService } from '../../../support/query/start-query-service.ts';
import { readParquet } from '../../../support/read-parquet.ts';

const NOW = Date.parse('2025-04-02T10:00:00.000Z');
const EXPORT = '/v1/export?website_id=web_a&start_date=2025-03-01&end_date=2025-03-02';
const LOG = Array.from({ length: 250 }, (_, index) =>
  eventRecord({
    at: new Date(Date.parse('2025-03-01T00:00:00.000Z') + Math.floor(index / 4) * 1_000).toISOString(),
    event_id: `e-${index}`,
    properties: index % 2 === 0 ? '{"plan":"pro"}' : null,
    load_time: index % 3 === 0 ? 12.5 : null,
    is_bot: index % 10 === 0,
  }),
);

describeOnEngines('an export as Parquet', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: [...LOG].reverse(), now: NOW });
  });

  async function fileOf(path: string) {
    const response = await service.open(path);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/vnd.apache.parquet');
    const file = await readParquet(new Uint8Array(await response.arrayBuffer()));
    return { ...file, cursor: response.headers.get('x-next-cursor') };
  }

  it('has the events of the lines of JSON in their order, over files that a cursor joins', async () => {
    const lines = await allLines<Record<string, unknown>>(await service.open(EXPORT));
    lines.pop();
    const rows: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    let files = 0;
    do {
      const file = await fileOf(`${EXPORT}&format=parquet&limit=100${cursor ? `&cursor=${cursor}` : ''}`);
      rows.push(...file.rows);
      cursor = file.cursor;
      files += 1;
    } while (cursor !== null);
    expect(files).to.equal(3);
    expect(rows.map(({ event_id }) => event_id)).to.deep.equal(lines.map(({ event_id }) => event_id));
    for (const [index, row] of rows.entries()) {
      const { properties, load_time, is_bot } = row;
      expect(properties === null ? undefined : JSON.parse(String(properties))).to.deep.equal(
        lines[index]?.properties,
      );
      expect([load_time ?? undefined, is_bot]).to.deep.equal([lines[index]?.load_time, lines[index]?.is_bot]);
      const instant = `${String(row.timestamp).replace(' ', 'T')}Z`;
      expect(Date.parse(instant)).to.equal(Date.parse(String(lines[index]?.timestamp)));
    }
    expect(readdirSync(join(service.directory, 'files', '0'))).to.deep.equal([]);
  });

  it('goes on in the other format with the same cursor', async () => {
    const first = await fileOf(`${EXPORT}&format=parquet&limit=60`);
    const rest = await allLines<Record<string, unknown>>(
      await service.open(`${EXPORT}&cursor=${first.cursor}`),
    );
    rest.pop();
    const ids = [...first.rows, ...rest].map(({ event_id }) => event_id);
    expect(new Set(ids).size).to.equal(LOG.length);
    expect(ids).to.have.length(LOG.length);
  });

  it('has every column in its type, also without any event', async () => {
    const { columns, rows, cursor } = await fileOf(
      '/v1/export?start_date=2020-01-01&end_date=2020-01-01&format=parquet',
    );
    expect(Object.entries(columns)).to.deep.equal(EVENT_COLUMNS.map(({ name, type }) => [name, type]));
    expect([rows, cursor]).to.deep.equal([[], null]);
  });

  it('ends a file behind a page that fills it, and the cursor goes on', async () => {
    const parquet = new DuckDbParquetFiles(join(service.directory, 'small-files'));
    try {
      const reach = { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false };
      const range = { from: Date.parse('2025-03-01'), to: Date.parse('2025-03-03') };
      const selection = { reach, range, after: null, limit: 1_000 };
      const { signal } = new AbortController();
      const { pieces, next } = await parquetExport(selection, { events: service.events, parquet }, signal, 1);
      const parts: Uint8Array[] = [];
      for await (const piece of pieces) parts.push(piece);
      const { rows } = await readParquet(Buffer.concat(parts));
      expect(rows).to.have.length(100);
      expect(next).to.not.equal(null);
    } finally {
      await parquet.close();
    }
  });

  it('needs global access, and refuses another format', async () => {
    for (const as of ['one-website', 'unscoped']) {
      const answer = await service.call(`${EXPORT}&format=parquet`, { as });
      expect(answer.status, as).to.equal(403);
    }
    const [detail] = expectError(await service.call(`${EXPORT}&format=csv`), 400, 'VALIDATION_ERROR');
    expect(detail).to.include({ field: 'format', message: '"csv" is not one of ndjson, parquet.' });
  });
});
