/** The contract of GET /v1/export through the whole server, status by status. */
import { expect } from 'chai';
import { expectCommonHeaders, expectError, expectSuccess } from '../support/answers.ts';
import { allLines } from '../support/lines.ts';
import { readParquet } from '../support/read-parquet.ts';
import { protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const DAY = 'start_date=2025-01-15&end_date=2025-01-15';
const PATH = `/v1/export?website_id=web_shop&${DAY}`;

type Line = Readonly<Record<string, unknown>>;

describe('the contract of GET /v1/export', () => {
  let started: TestServer;
  const server = () => started;
  const route = { method: 'GET', path: PATH, wrongMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] };

  before(async () => {
    started = await startTidegate();
    const events = Array.from({ length: 30 }, (_, index) => ({
      name: index % 2 === 0 ? 'screen_view' : 'signup',
      eventId: `e${index}`,
      websiteId: index < 25 ? 'web_shop' : 'web_blog',
      anonymousId: 'ada',
      path: '/',
      properties: { index },
      timestamp: `2025-01-15T10:00:0${index % 3}Z`,
    }));
    expectSuccess(await started.call('POST', '/track', { key: started.keys.all, body: events }));
  });
  after(() => started.close());

  const open = (path: string, key = server().keys.readOnly) =>
    fetch(`${server().origin}${path}`, { headers: { 'x-api-key': key } });

  it('answers 200 with the events of the website in lines, and follows its cursors to each of them once', async () => {
    const found: Line[] = [];
    let cursor: unknown = '';
    for (let answers = 0; cursor !== null; answers++) {
      expect(answers).to.be.below(4);
      const response = await open(`${PATH}&limit=10${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);
      expect(response.status).to.equal(200);
      expectCommonHeaders(response.headers);
      expect(response.headers.get('content-type')).to.equal('application/x-ndjson');
      const lines = await allLines<Line>(response);
      cursor = lines.pop()?.nextCursor;
      found.push(...lines);
    }
    expect(new Set(found.map(({ event_id }) => event_id))).to.deep.equal(
      new Set(Array.from({ length: 25 }, (_, index) => `e${index}`)),
    );
    expect(found).to.have.length(25);
    expect(found[0]).to.include({
      organization_id: 'org_main',
      website_id: 'web_shop',
      timestamp: '2025-01-15T10:00:00.000Z',
      anonymous_id: 'ada',
    });
    expect(found[0]?.properties).to.have.property('index');
  });

  it('answers 200 with the events of all websites without website_id', async () => {
    const lines = await allLines<Line>(await open(`/v1/export?${DAY}&format=ndjson`));
    expect(lines.pop()).to.deep.equal({ nextCursor: null });
    expect(new Set(lines.map(({ website_id }) => website_id))).to.deep.equal(
      new Set(['web_shop', 'web_blog']),
    );
    expect(lines).to.have.length(30);
  });

  it('answers 200 with a Parquet file, and where it goes on in X-Next-Cursor', async () => {
    const response = await open(`${PATH}&format=parquet&limit=1`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/vnd.apache.parquet');
    const cursor = response.headers.get('x-next-cursor');
    expect(cursor).to.be.a('string').and.not.empty;
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect((await readParquet(bytes)).rows).to.have.length(1);
    const rest = await open(`${PATH}&format=parquet&cursor=${cursor}`);
    expect(rest.headers.get('x-next-cursor')).to.equal(null);
    const lines = await allLines<Line>(await open(PATH));
    const left = await readParquet(new Uint8Array(await rest.arrayBuffer()));
    // Without the first event and the line of the cursor.
    expect(left.rows).to.have.length(lines.length - 2);
  });

  it('counts in the windows of the plan', async () => {
    const response = await open(PATH, server().keys.free);
    expect(response.headers.get('x-ratelimit-limit')).to.equal('50');
    await response.text();
  });

  it('answers HEAD without events', async () => {
    const response = await fetch(`${server().origin}${PATH}`, {
      method: 'HEAD',
      headers: { 'x-api-key': server().keys.readOnly },
    });
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
  });

  it('refuses a website-specific key with 403 ACCESS_DENIED, and a foreign or missing website alike', async () => {
    for (const key of [server().keys.shopOnly, server().keys.twoWebsites])
      expectError(await server().call('GET', PATH, { key }), 403, 'ACCESS_DENIED');
    for (const id of ['web_none', 'web_free']) {
      const at = PATH.replace('web_shop', id);
      expectError(await server().call('GET', at, { key: server().keys.readOnly }), 403, 'ACCESS_DENIED');
    }
  });

  for (const [what, path, code, field] of [
    ['no range', '/v1/export?website_id=web_shop', 'VALIDATION_ERROR', 'start_date'],
    ['an unknown name', `${PATH}&webiste=x`, 'VALIDATION_ERROR', 'webiste'],
    ['a limit beyond the most', `${PATH}&limit=100001`, 'VALIDATION_ERROR', 'limit'],
    ['no limit at all', `${PATH}&limit=0`, 'VALIDATION_ERROR', 'limit'],
    ['a cursor that is none', `${PATH}&cursor=x`, 'VALIDATION_ERROR', 'cursor'],
    ['another format', `${PATH}&format=csv`, 'VALIDATION_ERROR', 'format'],
    ['two websites', `${PATH}&websiteId=web_blog`, 'VALIDATION_ERROR', 'website_id'],
    ['no zone', `${PATH}&timezone=Nowhere`, 'VALIDATION_ERROR', 'timezone'],
    [
      'a start after the end',
      '/v1/export?start_date=2025-01-16&end_date=2025-01-15',
      'INVALID_DATE_RANGE',
      'start_date',
    ],
  ] as const) {
    it(`refuses ${what} with 400 ${code}`, async () => {
      const answer = await server().call('GET', path, { key: server().keys.readOnly });
      expectError(answer, 400, code);
      expect(answer.body.details[0].field).to.equal(field);
    });
  }

  protectedRouteCases(server, route, 'read:data', 'trackOnly');
});
