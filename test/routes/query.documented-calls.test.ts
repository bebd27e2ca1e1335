/** The calls that the documentation of the API shows, through the whole server: each is answered in its shape. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { asked, inParts } from '../support/query/asked-datasets.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const DAY_MS = 86_400_000;
const SUMMARY = [
  'date',
  'pageviews',
  'visitors',
  'sessions',
  'bounce_rate',
  'median_session_duration',
  'pages_per_session',
];

interface Dataset {
  readonly parameter: string;
  readonly success: boolean;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

describe('the documented calls', () => {
  let server: TestServer;
  /** The day of the events, in UTC. */
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

  before(async () => {
    server = await startTidegate();
    const event = { name: 'screen_view', websiteId: 'web_shop', timestamp: `${yesterday}T10:30:00.000Z` };
    const events = [
      { ...event, anonymousId: 'v1', sessionId: 's1', path: '/' },
      { ...event, anonymousId: 'v1', sessionId: 's1', path: '/pricing' },
      { ...event, anonymousId: 'v2', sessionId: 's2', path: '/', referrer: 'https://www.google.com/' },
      { ...event, name: 'signup', anonymousId: 'v1', sessionId: 's1', properties: { plan: 'pro' } },
    ];
    expectSuccess(await server.call('POST', '/track', { key: server.keys.trackOnly, body: events }));
  });
  after(() => server.close());

  const post = async (body: unknown, queryString = '') => {
    const path = `/v1/query?website_id=web_shop${queryString}`;
    const answer = await server.call('POST', path, { key: server.keys.readOnly, body });
    expectSuccess(answer);
    expect(answer.body.success).to.equal(true);
    expect(answer.body.requestId).to.be.a('string').and.not.equal('');
    return answer.body;
  };

  it('one request: several datasets over calendar dates', async () => {
    const parameters = ['summary', 'pages', 'traffic'];
    const { data, meta } = await post({ parameters, startDate: yesterday, endDate: yesterday });
    expect((data as Dataset[]).map(({ parameter, success }) => [parameter, success])).to.deep.equal(
      parameters.map((name) => [name, true]),
    );
    expect(Object.keys(data[0].data[0])).to.deep.equal(SUMMARY);
    expect(data[0].data[0]).to.include({ date: yesterday, pageviews: 3, visitors: 2, sessions: 2 });
    expect(data[1].data).to.deep.equal([
      { path: '/', pageviews: 2, visitors: 2 },
      { path: '/pricing', pageviews: 1, visitors: 1 },
    ]);
    expect(Object.keys(data[2].data[0])).to.deep.equal([
      'source',
      'referrer',
      'pageviews',
      'visitors',
      'percentage',
    ]);
    const counts = { page: 1, limit: 100, filters_applied: 0, failed: 0 };
    expect(meta).to.deep.equal({ parameters, total_parameters: 3, ...counts });
  });

  it('a batch: an array of requests with presets, answered in order', async () => {
    const body = [
      { id: 'headline', parameters: ['summary_metrics'], preset: 'last_7d' },
      {
        id: 'audience',
        parameters: ['country', 'device_types', 'browser_name'],
        preset: 'last_30d',
        limit: 10,
      },
      { id: 'quiet', parameters: ['custom_events'], preset: 'last_90d' },
    ];
    const { batch, results } = await post(body, '&timezone=UTC');
    expect(batch).to.equal(true);
    expect(results.map(({ queryId }: { queryId: string }) => queryId)).to.deep.equal(
      body.map(({ id }) => id),
    );
    expect(results[0].data[0].data).to.have.length(1);
    expect(results[0].data[0].data[0]).to.include({ pageviews: 3, unique_visitors: 2, total_events: 4 });
    expect(results[1].data.map(({ parameter }: Dataset) => parameter)).to.deep.equal(body[1]?.parameters);
    for (const { data } of results[1].data as Dataset[]) {
      expect(data.reduce((sum, row) => sum + Number(row.pageviews), 0)).to.equal(3);
    }
    expect(results[2].data[0].data[0]).to.include({ name: 'signup', total_events: 1, percentage: 100 });
  });

  it('dates in the query string, as older clients send them', async () => {
    const dates = `&start_date=${yesterday}&end_date=${yesterday}&timezone=America/New_York`;
    const { data, meta } = await post({ parameters: ['events_by_date', 'pages'], limit: 1 }, dates);
    expect(data[0].data).to.have.length(1);
    // 10:30 in UTC is the same day in New York, early in the morning.
    expect(data[0].data[0]).to.include({ date: yesterday, pageviews: 3 });
    expect(data[1].data).to.have.length(1);
    expect(meta.limit).to.equal(1);
  });

  it('filters: on a country, and by several values', async () => {
    const filters = [
      { field: 'country', op: 'ne', value: 'US' },
      { field: 'path', op: 'in', value: ['/', '/docs'] },
    ];
    const { data, meta } = await post({ parameters: ['top_pages'], preset: 'last_7d', filters });
    expect(data[0].data).to.deep.equal([{ name: '/', pageviews: 2, visitors: 2, percentage: 100 }]);
    expect(meta.filters_applied).to.equal(2);
    const nowhere = [{ field: 'country', op: 'eq', value: 'ZZ' }];
    const none = await post({ parameters: ['countries'], preset: 'last_7d', filters: nowhere });
    expect(none.data[0].data).to.deep.equal([]);
  });

  it('hours: a row for each of a day, with its label and its instant', async () => {
    const range = { startDate: yesterday, endDate: yesterday, granularity: 'hourly' };
    const { data } = await post({ parameters: ['events_by_date'], ...range });
    expect(data[0].data).to.have.length(24);
    expect(Object.keys(data[0].data[0])).to.have.members([...SUMMARY, 'timestamp']);
    expect(data[0].data[10]).to.include({
      date: `${yesterday} 10:00:00`,
      timestamp: `${yesterday}T10:00:00.000Z`,
      pageviews: 3,
    });
    const aliased = [{ name: 'events_by_date', id: 'by_hour', granularity: 'hour' }];
    const again = await post({ parameters: aliased, startDate: yesterday, endDate: yesterday });
    expect(again.data[0]).to.deep.equal({ ...data[0], parameter: 'by_hour' });
  });

  it('a property of custom events, as filter and as dimension', async () => {
    const filters = [{ field: 'properties.plan', op: 'eq', value: 'pro' }];
    const request = {
      parameters: ['custom_events'],
      preset: 'last_7d',
      filters,
      groupBy: ['properties.plan'],
    };
    const { data } = await post(request);
    expect(data[0].data[0]).to.include({ 'properties.plan': 'pro', name: 'signup', total_events: 1 });
  });

  it('clicks of a short link: read:links lets ask under link_id, and nowhere else', async () => {
    const body = { parameters: ['link_total_clicks'], preset: 'last_7d' };
    const ask = (path: string, key: string) => server.call('POST', path, { key, body });
    const { linksOnly, readOnly, trackOnly } = server.keys;
    for (const key of [linksOnly, readOnly]) {
      expectError(await ask('/v1/query?link_id=lnk_none', key), 403, 'ACCESS_DENIED');
    }
    expectError(await ask('/v1/query?link_id=lnk_none', trackOnly), 403, 'INSUFFICIENT_SCOPE');
    expectError(await ask('/v1/query?website_id=web_shop', linksOnly), 403, 'INSUFFICIENT_SCOPE');
  });

  it('every dataset that the list of types names is answered', async () => {
    const types = await server.call('GET', '/v1/query/types?include_meta=true');
    const names: string[] = types.body.types;
    const body = inParts(names).map((some) => ({
      parameters: some.map((name) => asked(name)),
      preset: 'last_7d',
    }));
    const { results } = await post(body);
    const answered: Dataset[] = results.flatMap(({ data }: { data: Dataset[] }) => data);
    expect(answered.map(({ parameter }) => parameter)).to.deep.equal(names);
    for (const { parameter, success, data } of answered) {
      expect(success, parameter).to.equal(true);
      const fields: { name: string }[] = types.body.configs[parameter].meta.output_fields;
      for (const row of data) expect(fields.map(({ name }) => name)).to.include.members(Object.keys(row));
    }
  });
});
