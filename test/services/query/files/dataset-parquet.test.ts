/** A dataset as Parquet: the rows of the JSON answer, in types, bounded like CSV, and nothing but one dataset. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { MAX_FILE_ROWS } from '../../../../services/query/files/dataset-file.ts';
import { rowNames } from '../../../../services/query/stages/row-names.ts';
import type { EventStore } from '../../../../services/shared/ports/event-store.ts';
import { asked, datasetNames, SOME_ARGUMENTS } from '../../../support/query/asked-datasets.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../../support/query/golden-shop-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';
import { storedGoal } from '../../../support/query/stored-goal.ts';
import { withRun } from '../../../support/query/with-run.ts';
import { readParquet } from '../../../support/read-parquet.ts';

const TYPE = 'application/vnd.apache.parquet';
const DAYS = { startDate: '2025-01-01', endDate: '2025-03-31' };
const GIVEN = {
  ...SOME_ARGUMENTS,
  visitor_sessions: { visitorId: 'anna' },
  session_events: { sessionId: 'a1' },
};

describe('a dataset as Parquet', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: [...GOLDEN_LOG, ...GOLDEN_SHOP_LOG], now: GOLDEN_NOW });
  });
  after(() => service.close());

  const open = (body: unknown, from = service) =>
    from.open('/v1/query?website_id=web_a', { method: 'POST', body, headers: { accept: TYPE } });

  async function fileOf(body: unknown, from?: StartedQueryService) {
    const response = await open(body, from);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.status, Buffer.from(bytes).toString('utf8', 0, 300)).to.equal(200);
    expect(response.headers.get('content-type')).to.equal(TYPE);
    return { headers: response.headers, ...(await readParquet(bytes)) };
  }

  /** A cell of JSON as the reader shows that of the file. */
  function shownAs(value: unknown, type: string | undefined): unknown {
    if (value === null) return null;
    if (type === 'BIGINT') return String(value);
    if (type === 'TIMESTAMP') return Date.parse(String(value));
    return typeof value === 'object' ? JSON.stringify(value) : value;
  }
  const instant = (value: unknown) =>
    typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : value;

  for (const name of datasetNames()) {
    it(`has the rows and columns of the JSON answer of ${name}`, async () => {
      const request = { parameters: [asked(name, GIVEN)], ...DAYS, limit: 1000 };
      const rows = rowsOf(await service.query(request));
      const file = await fileOf(request);
      const wanted = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, shownAs(value, file.columns[column])]),
        ),
      );
      const found = file.rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [
            column,
            file.columns[column] === 'TIMESTAMP' ? instant(value) : value,
          ]),
        ),
      );
      expect(found).to.deep.equal(wanted);
      if (rows[0]) expect(Object.keys(file.columns)).to.deep.equal(Object.keys(rows[0]));
    });
  }

  it('has the columns of a goal where the parameter names one', async () => {
    const match = { op: 'eq', value: 'signup' } as const;
    const goal = {
      ...{ name: 'Signup', position: 0, type: 'event' as const, match },
      revenueProperty: 'seats',
    };
    await service.documents.goals.insert(storedGoal('gol_signup', goal));
    const request = { parameters: [{ name: 'session_channels', goalId: 'gol_signup' }], ...DAYS };
    const { columns, rows } = await fileOf(request);
    expect(columns).to.include({ conversions: 'BIGINT', revenue: 'DOUBLE' });
    const shown = rowsOf(await service.query(request)).map(({ name, conversions, revenue }) => [
      ...[name, String(conversions), revenue],
    ]);
    expect(shown.some(([, conversions]) => conversions !== '0')).to.equal(true);
    expect(rows.map(({ name, conversions, revenue }) => [name, conversions, revenue])).to.deep.equal(shown);
    const plain = await fileOf({ parameters: ['session_channels'], ...DAYS });
    expect(plain.columns).not.to.have.any.keys('conversions', 'revenue');
  });

  it('has types: counts BIGINT, shares DOUBLE, instants TIMESTAMP, texts and labels VARCHAR', async () => {
    const summary = await fileOf({
      parameters: ['summary'],
      ...DAYS,
      endDate: '2025-01-02',
      granularity: 'hourly',
    });
    expect(summary.columns).to.include({ date: 'VARCHAR', timestamp: 'TIMESTAMP', pageviews: 'BIGINT' });
    expect(summary.columns).to.include({ bounce_rate: 'DOUBLE' });
    expect(summary.headers.get('content-disposition')).to.equal(
      'attachment; filename="summary_2025-01-01_2025-01-02.parquet"',
    );
    const empty = await fileOf({ parameters: ['pages'], startDate: '2020-01-01', endDate: '2020-01-01' });
    expect(empty.columns).to.deep.equal({ path: 'VARCHAR', pageviews: 'BIGINT', visitors: 'BIGINT' });
    expect(empty.rows).to.deep.equal([]);
  });

  it('has what a row is compared with in columns of the same types', async () => {
    const january = { startDate: '2025-01-16', endDate: '2025-01-16' };
    const { columns, rows } = await fileOf({ parameters: ['pages'], ...january, compare: 'previous' });
    expect(columns).to.deep.equal({
      path: 'VARCHAR',
      pageviews: 'BIGINT',
      visitors: 'BIGINT',
      previous_pageviews: 'BIGINT',
      previous_visitors: 'BIGINT',
    });
    expect(rows).to.deep.equal([
      { path: '/', pageviews: '1', visitors: '1', previous_pageviews: '1', previous_visitors: '1' },
    ]);
  });

  it('takes properties of any name as columns', async () => {
    const key = `properties.x"; DROP 'y`;
    const { columns } = await fileOf({ parameters: ['custom_events'], ...DAYS, groupBy: [key] });
    expect(Object.keys(columns)[0]).to.equal(key);
  });

  it('is cut behind the most rows that a file has, and says so', async () => {
    const many = (events: EventStore): EventStore =>
      withRun(events, async () =>
        Array.from({ length: MAX_FILE_ROWS + 1 }, (_, index) => ({
          [rowNames.dimension('path')]: `/${index}`,
          [rowNames.measure('pageviews')]: 1,
          [rowNames.measure('visitors')]: 1,
        })),
      );
    const large = await startQueryService({ log: [], now: GOLDEN_NOW, wrapEvents: many });
    try {
      const { headers, rows } = await fileOf({ parameters: ['pages'], ...DAYS }, large);
      expect(headers.get('x-truncated')).to.equal('true');
      expect(rows).to.have.length(MAX_FILE_ROWS);
      expect(rows.at(-1)?.path).to.equal(`/${MAX_FILE_ROWS - 1}`);
      expect(readdirSync(join(large.directory, 'files', '0'))).to.deep.equal([]);
    } finally {
      await large.close();
    }
  }).timeout(120_000);

  it('refuses two datasets, a batch, one that fails, and callers who may not', async () => {
    for (const body of [
      { parameters: ['pages', 'countries'], ...DAYS },
      [
        { parameters: ['pages'], ...DAYS },
        { parameters: ['pages'], ...DAYS },
      ],
      { parameters: ['pages'], ...DAYS, sortBy: 'nothing' },
      { parameters: ['visitor_sessions'], ...DAYS },
    ]) {
      const response = await open(body);
      const answer = (await response.json()) as { code: string };
      expect([response.status, answer.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    const denied = await service.open('/v1/query?website_id=web_c', {
      method: 'POST',
      body: { parameters: ['pages'], ...DAYS },
      headers: { accept: TYPE },
    });
    expect(denied.status).to.equal(403);
  });
});
