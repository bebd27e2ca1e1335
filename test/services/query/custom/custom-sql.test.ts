/** What custom SQL answers: useful queries, their types and bounds, the structured form, freshness, and what the documentation says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { ALLOWED_FUNCTIONS, ALLOWED_OPERATORS } from '../../../../services/query/custom/allowed-functions.ts';
import { VIEWS } from '../../../../services/query/views.ts';
import { BASIC_CASES } from '../../../support/query/custom-sql-cases.ts';
import { FURTHER_CASES } from '../../../support/query/custom-sql-further-cases.ts';
import { CUSTOM_LOG } from '../../../support/query/custom-sql-log.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import {
  type Answer,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const CASES = [...BASIC_CASES, ...FURTHER_CASES];
const NOW = Date.UTC(2025, 1, 1);

function valuesOf(answer: Answer): unknown[][] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { columns } = answer.body.meta as { columns: { name: string }[] };
  return (answer.body.data as Record<string, unknown>[]).map((row) => columns.map(({ name }) => row[name]));
}

describe('custom SQL', () => {
  const clock = createTestClock(NOW);
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({
      log: CUSTOM_LOG,
      now: NOW,
      customSqlClock: clock,
      customSql: { maxRows: 1_000, maxInputRows: 100 },
    });
  });
  after(() => service.close());

  describe('answers queries that', () => {
    for (const { what, sql, body, rows } of CASES) {
      it(what, async () => {
        expect(valuesOf(await service.custom({ sql, ...body }))).to.deep.equal(rows);
      });
    }

    it('are at least 40', () => expect(CASES.length).to.be.at.least(40));
  });

  it('answers in the shape of the contract, with the types of the columns', async () => {
    const answer = await service.custom({
      sql: 'SELECT timestamp, path, load_time, is_bot FROM pageviews LIMIT 1',
    });
    expect(answer.body).to.have.all.keys('success', 'data', 'meta');
    const { columns, rowCount, truncated, executionTimeMs } = answer.body.meta as Record<string, unknown>;
    expect(columns).to.deep.equal([
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'path', type: 'VARCHAR' },
      { name: 'load_time', type: 'DOUBLE' },
      { name: 'is_bot', type: 'BOOLEAN' },
    ]);
    expect([rowCount, truncated]).to.deep.equal([1, false]);
    expect(executionTimeMs).to.be.at.least(0);
  });

  it('gives every view exactly the columns that /v1/query/types lists', async () => {
    for (const [view, columns] of Object.entries(VIEWS)) {
      const answer = await service.custom({ sql: `SELECT * FROM ${view} LIMIT 0` });
      const names = (answer.body.meta as { columns: { name: string }[] }).columns.map(({ name }) => name);
      expect(names, view).to.deep.equal(columns.map(({ name }) => name));
    }
  });

  it('cuts at the row limit, the own one and that of the setting, and says so', async () => {
    const wide = 'SELECT a.event_id FROM events a, events b, events c, events d';
    const own = await service.custom({ sql: 'SELECT path FROM events', limit: 4 });
    expect((own.body.data as unknown[]).length).to.equal(4);
    expect(own.body.meta).to.include({ rowCount: 4, truncated: true });
    expect((await service.custom({ sql: wide })).body.meta).to.include({ rowCount: 1_000, truncated: true });
    const whole = await service.custom({ sql: 'SELECT path FROM events', limit: 11 });
    expect(whole.body.meta).to.include({ rowCount: 11, truncated: false });
  });

  it('names the clause, what came and what is allowed', async () => {
    const text = async (sql: string, params = {}) => {
      const answer = await service.custom({ sql, params });
      expectError(answer, 400, 'QUERY_ERROR');
      return String(answer.body.error);
    };
    expect(await text('SELECT * FROM users')).to.match(
      /^FROM: the table "users" is not allowed\. Allowed: the views events/,
    );
    expect(await text("SELECT 1 FROM events WHERE read_text('a') = ''")).to.match(
      /^WHERE: the function "read_text"/,
    );
    expect(await text('SELECT mediann(load_time) FROM events')).to.include('perhaps median was meant');
    expect(await text('SELECT $a, $b', { a: 1 })).to.equal('Query: params has no value for $b.');
    expect(await text('SELECT nothing FROM events'))
      .to.include('nothing')
      .and.not.include('LINE');
    expect(await text('SELEC 1')).to.match(/syntax error/i);
    expect(await text("SELECT CAST('x' AS INTEGER)")).to.include('Could not convert');
  });

  it('tells every fault of the request at once', async () => {
    const answer = await service.custom({ sql: 1, limit: 20_000, params: { 'a b': 1 }, timezone: 7 });
    expectError(answer, 400, 'VALIDATION_ERROR');
    const fields = (answer.body.details as { field: string }[]).map(({ field }) => field.split('.')[0]);
    expect(fields).to.have.members(['sql', 'limit', 'params', 'timezone']);
    expectError(await service.custom({}), 400, 'VALIDATION_ERROR');
    const dates = { sql: 'SELECT 1', startDate: '2025-02-02', endDate: '2025-02-01' };
    expectError(await service.custom(dates), 400, 'INVALID_DATE_RANGE');
  });

  it('refuses a website out of reach, existing or not, and asks for one when there are several', async () => {
    const body = { sql: 'SELECT 1' };
    for (const id of ['web_c', 'web_none']) {
      const path = `/v1/query/custom?website_id=${id}`;
      expectError(await service.call(path, { method: 'POST', body }), 403, 'ACCESS_DENIED');
    }
    const call = (as: string) => service.call('/v1/query/custom', { method: 'POST', body, as });
    expectError(await call('global'), 400, 'MISSING_WEBSITE_ID');
    expectError(await call('no-websites'), 400, 'MISSING_WEBSITE_ID');
    expect((await call('one-website-left')).status).to.equal(200);
    expectError(await service.custom(body, '&organization_id=org_b'), 403, 'ACCESS_DENIED');
  });

  it('never answers from a cut input: more events than allowed is an error that says how many', async () => {
    const more = Array.from({ length: 101 }, () =>
      eventRecord({ at: '2025-01-10T00:00:00Z', website_id: 'web_b' }),
    );
    await service.events.append(more);
    const path = '/v1/query/custom?website_id=web_b';
    const body = { sql: 'SELECT count(*) FROM events' };
    const answer = await service.call(path, { method: 'POST', body });
    expectError(answer, 400, 'QUERY_ERROR');
    expect(answer.body.error).to.include('101 events').and.include('100');
  });

  it('is fresh: what was acknowledged a second ago is there', async () => {
    const path = '/v1/query/custom?website_id=web_b&start_date=2025-01-15';
    const body = { sql: 'SELECT count(*) FROM events' };
    const count = async () => valuesOf(await service.call(path, { method: 'POST', body }));
    expect(await count()).to.deep.equal([[0]]);
    await service.events.append([eventRecord({ at: '2025-01-20T00:00:00Z', website_id: 'web_b' })]);
    clock.advance(1_000);
    expect(await count()).to.deep.equal([[1]]);
  });

  describe('in the structured form', () => {
    const ask = async (query: object) => valuesOf(await service.custom({ query, endDate: '2025-01-03' }));
    const counted = [{ aggregate: 'count' }];

    it('groups, filters and aggregates', async () => {
      const selects = [
        { aggregate: 'count', alias: 'n' },
        { field: 'anonymous_id', aggregate: 'uniq' },
        { field: 'load_time', aggregate: 'median' },
      ];
      const filters = [{ field: 'is_bot', op: 'eq', value: false }];
      expect(await ask({ table: 'pageviews', selects, filters, groupBy: ['country'] })).to.deep.equal([
        ['DE', 3, 2, 200],
        ['US', 2, 1, 350],
      ]);
    });

    for (const [filter, count] of [
      [{ field: 'country', op: 'ne', value: 'DE' }, 5],
      [{ field: 'country', op: 'in', value: ['US', 'FR'] }, 4],
      [{ field: 'country', operator: 'notIn', value: ['US'] }, 7],
      [{ field: 'path', op: 'contains', value: 'a' }, 2],
      [{ field: 'path', op: 'not_contains', value: 'a' }, 9],
      [{ field: 'path', op: 'starts_with', value: '/b' }, 3],
      [{ field: 'load_time', op: 'gte', value: 300 }, 3],
      [{ field: 'load_time', op: 'lt', value: 300 }, 2],
      [{ field: 'timestamp', op: 'gt', value: '2025-01-03T12:00:05Z' }, 2],
      [{ field: 'properties.plan', op: 'eq', value: 'pro' }, 1],
      [{ field: 'properties.price', op: 'gt', value: 5 }, 1],
    ] as const) {
      it(`filters by ${JSON.stringify(filter)}`, async () => {
        expect(await ask({ table: 'events', selects: counted, filters: [filter] })).to.deep.equal([[count]]);
      });
    }

    it('knows every aggregate', async () => {
      const names = ['sum', 'avg', 'min', 'max', 'median', 'p95'];
      const selects = names.map((aggregate) => ({ field: 'load_time', aggregate }));
      const [row = []] = await ask({ table: 'pageviews', selects });
      expect(row.slice(0, 5)).to.deep.equal([2000, 400, 100, 1000, 300]);
      expect(row[5]).to.be.closeTo(880, 1e-9);
    });

    it('names the columns that are allowed when one is not, with the nearest', async () => {
      const query = { table: 'sessions', selects: [{ field: 'durations_seconds', aggregate: 'sum' }] };
      const answer = await service.custom({ query });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error).to.include('query.selects[0].field').and.include('duration_seconds');
    });
  });
});

describe('the documentation of custom SQL', () => {
  const text = readFileSync(join(PACKAGE_ROOT, 'docs/custom-sql.md'), 'utf8');

  it('lists every view with its columns, types and meanings', () => {
    for (const [view, columns] of Object.entries(VIEWS)) {
      expect(text).to.match(new RegExp(`^### .*\\b${view}\\b`, 'm'));
      for (const { name, type, description } of columns) {
        expect(text).to.include(`| \`${name}\` | ${type} | ${description} |`);
      }
    }
  });

  it('lists exactly the functions that are allowed', () => {
    const section = text.slice(text.indexOf('## Functions'), text.indexOf('Operators, LIKE'));
    for (const [kind, names] of Object.entries(ALLOWED_FUNCTIONS)) {
      const [, listed = ''] = new RegExp(`\\*\\*${kind}\\*\\*: ([^*]*)`).exec(section) ?? [];
      const found = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      expect(found, kind).to.have.members([...names]);
    }
  });

  it('allows only functions that the engine has', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const result = await connection.run('SELECT DISTINCT function_name FROM duckdb_functions()');
    const known = (await result.getRows()).map(([name]) => String(name));
    expect(known).to.include.members([...Object.values(ALLOWED_FUNCTIONS).flat(), ...ALLOWED_OPERATORS]);
  });
});
