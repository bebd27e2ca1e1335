/** The contract of POST /v1/query/custom, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { isDistributedRun } from '../support/distributed/test-mode.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTestClock } from '../support/test-clock.ts';

describe('the contract of custom queries', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  describe('POST /v1/query/custom', () => {
    const body = { sql: 'SELECT count(*) AS n FROM events WHERE country = $c', params: { c: 'DE' } };
    const path = '/v1/query/custom?website_id=web_shop';
    const route = { method: 'POST', path, body, wrongMethods: ['GET', 'PUT', 'DELETE'] };
    const call = (sent: unknown, at = path, key = server().keys.readOnly) =>
      server().call('POST', at, { key, body: sent });

    it('answers 200 with rows and what their columns are', async () => {
      const answer = await call(body);
      expectSuccess(answer);
      expect(answer.body.data).to.deep.equal([{ n: 0 }]);
      const { executionTimeMs, ...meta } = answer.body.meta;
      const columns = [{ name: 'n', type: 'BIGINT' }];
      expect(meta).to.deep.equal({ columns, rowCount: 1, truncated: false });
      expect(executionTimeMs).to.be.at.least(0);
    });

    it('answers 400 VALIDATION_ERROR with every fault at once, QUERY_ERROR naming the clause', async () => {
      const faulty = await call({ sql: 7, limit: 0, startDate: 'soon', params: [] });
      expectError(faulty, 400, 'VALIDATION_ERROR');
      expect(faulty.body.details.length).to.be.greaterThan(2);
      const text = await call({ query: 'SELECT 1' });
      expect(text.body.details).to.deep.include({ field: 'query', message: 'Allowed: an object.' });
      const refused = await call({ sql: "SELECT * FROM read_csv('/etc/passwd')" });
      expectError(refused, 400, 'QUERY_ERROR');
      expect(refused.body.error).to.match(/^FROM: the table function "read_csv" is not allowed/);
      expectError(await call({ ...body, startDate: '2026-02-30' }), 400, 'INVALID_DATE_RANGE');
    });

    it('answers 400 MISSING_WEBSITE_ID unless the caller reaches exactly one website', async () => {
      const { twoWebsites, shopOnly } = server().keys;
      expectError(await call(body, '/v1/query/custom', twoWebsites), 400, 'MISSING_WEBSITE_ID');
      expectError(await call(body, '/v1/query/custom'), 400, 'MISSING_WEBSITE_ID');
      expectSuccess(await call(body, '/v1/query/custom', shopOnly));
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
      for (const id of ['web_none', 'web_free', 'web_blog']) {
        const answer = await call(body, `/v1/query/custom?website_id=${id}`, server().keys.shopOnly);
        expectError(answer, 403, 'ACCESS_DENIED');
      }
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
    bodyCases(server, route, { maxBytes: 256 * 1024, acceptsText: false, streamed: true });
  });
});

describe('the limit on custom queries', () => {
  // Separate processes go by the clock of the machine.
  if (isDistributedRun()) return;

  it('admits 30 a minute of an organization; the 31st is 429', async () => {
    // The clock stands still, so that the minute lasts as long as the machine needs.
    const server = await startTidegate({ clock: createTestClock() });
    const key = server.keys.free;
    const ask = (sql: string) => server.call('POST', '/v1/query/custom', { key, body: { sql } });
    for (let at = 1; at <= 30; at++) {
      const answer = await ask(at % 3 === 0 ? 'DROP TABLE events' : 'SELECT count(*) AS n FROM events');
      expect(answer.status).to.equal(at % 3 === 0 ? 400 : 200);
    }
    const refused = await ask('SELECT 1');
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', Date.parse('2026-07-15T12:00:00.000Z'));
    expect(refused.body.limit).to.equal(30);
    await server.close();
  });

  it('counts what is sent away because as many wait as may: a flood is 503, then 429', async () => {
    const server = await startTidegate({
      clock: createTestClock(),
      settings: { CUSTOM_SQL_WAITING: '0' },
    });
    const key = server.keys.free;
    let sent = 0;
    const ask = (sql: string) => {
      sent++;
      return server.call('POST', '/v1/query/custom', { key, body: { sql } });
    };
    const digits = Array.from({ length: 10 }, (_, digit) => `(${digit})`).join();
    const all = Array.from({ length: 12 }, (_, index) => `digits AS d${index}`).join();
    const answers: Answer[] = [];
    /** Ends with the server; where another was before it, it is asked again. */
    async function runEndless(): Promise<void> {
      const sql = `WITH digits AS (VALUES ${digits}) SELECT count(*) FROM ${all}`;
      for (let answer: Answer | null = null; sent < 30 && answer?.status !== 200; ) {
        answer = await ask(sql).catch(() => null);
        if (answer === null) return;
        answers.push(answer);
      }
    }
    const endless = runEndless();
    while (sent < 30) answers.push(await ask('SELECT 1'));
    const sentAway = answers.filter(({ status }) => status === 503);
    // Before the first one has its turn others may.
    expect(sentAway.length).to.be.greaterThan(15);
    for (const answer of sentAway) {
      expectError(answer, 503, 'UPSTREAM_UNAVAILABLE', Date.parse('2026-07-15T12:00:00.000Z'));
      expect(answer.headers.get('retry-after')).to.equal('5');
    }
    const texts = new Set(sentAway.map(({ body }) => body.error));
    expect(texts).to.include(
      'As many requests of this organization as may wait here wait already; try again shortly.',
    );
    expectError(await ask('SELECT 1'), 429, 'RATE_LIMIT_EXCEEDED', Date.parse('2026-07-15T12:00:00.000Z'));
    await server.close();
    await endless;
  });
});
