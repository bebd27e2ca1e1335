/** POST /v1/query as CSV, through the whole server: the rows of the JSON answer with a file's headers, and the usual errors. */
import { expect } from 'chai';
import { expectCommonHeaders, expectSuccess } from '../support/answers.ts';
import { readCsv } from '../support/read-csv.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PATH = '/v1/query?website_id=web_shop';
const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };
const NAMES = ['signup', '=HYPERLINK("https://evil.example")', 'a,"b"\nc'];

describe('POST /v1/query as CSV, through the gateway', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
    const events = NAMES.map((name) => ({
      name,
      websiteId: 'web_shop',
      anonymousId: 'ada',
      path: '/',
      timestamp: '2025-01-15T10:00:00Z',
    }));
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body: events }));
  });
  after(() => server.close());

  const openAs = (key: string, parameters: readonly string[]) =>
    fetch(`${server.origin}${PATH}`, {
      method: 'POST',
      headers: {
        accept: 'text/csv',
        'content-type': 'application/json',
        origin: 'https://localhost',
        'x-api-key': key,
      },
      body: JSON.stringify({ parameters, ...DAY }),
    });

  it('has the rows of the JSON answer, with no formula among them, and the headers of a file', async () => {
    const body = { parameters: ['custom_events'], ...DAY };
    const json = await server.call('POST', PATH, { key: server.keys.readOnly, body });
    expectSuccess(json);
    const rows: Record<string, string | number>[] = json.body.data[0].data;
    expect(new Set(rows.map(({ name }) => name))).to.deep.equal(new Set(NAMES));
    const response = await openAs(server.keys.readOnly, ['custom_events']);
    expectCommonHeaders(response.headers);
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).to.equal(
      'attachment; filename="custom_events_2025-01-15_2025-01-15.csv"',
    );
    const guarded = (value: string | number) => `${value}`.replace(/^=/, "'=");
    expect(readCsv(await response.text())).to.deep.equal([
      Object.keys(rows[0] ?? {}),
      ...rows.map((row) => Object.values(row).map(guarded)),
    ]);
  });

  for (const [what, key, parameters, status, code] of [
    ['several datasets', 'readOnly', ['pages', 'summary'], 400, 'VALIDATION_ERROR'],
    ['an unknown dataset', 'readOnly', ['nonsense'], 400, 'INVALID_QUERY_TYPE'],
    ['a key without the scope', 'trackOnly', ['pages'], 403, 'INSUFFICIENT_SCOPE'],
  ] as const) {
    it(`is the usual error for ${what}`, async () => {
      const response = await openAs(server.keys[key], parameters);
      const answer = (await response.json()) as { code: string };
      expect([response.status, answer.code]).to.deep.equal([status, code]);
      expect(response.headers.get('content-disposition')).to.equal(null);
    });
  }
});
