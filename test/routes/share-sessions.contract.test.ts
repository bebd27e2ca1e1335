/** What readers of a share see of how sessions came, through the whole server: the numbers of the dashboard, and nothing that leads further. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { makeShare } from '../support/made-share.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const LISTS = [
  ...['session_channels', 'session_sources', 'session_referrers', 'session_entry_pages'],
  ...['session_utm_sources', 'session_utm_mediums', 'session_utm_campaigns', 'session_utm_terms'],
  ...['session_utm_contents', 'traffic_sources'],
];

describe('the sessions of a share', () => {
  let server: TestServer;
  const ask = (token: string, body: object) =>
    server.call('POST', `/public/v1/shares/${token}/query`, { body });

  before(async () => {
    server = await startTidegate();
    const views = [
      { path: '/?utm_source=newsletter&utm_campaign=may', referrer: 'https://www.google.com/' },
      { path: '/pricing', referrer: 'https://shop.example.com/' },
    ];
    const body = views.map((view) => ({
      ...{ name: 'screen_view', websiteId: 'web_shop', anonymousId: 'v1', sessionId: 's1' },
      ...view,
    }));
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
  });
  after(() => server.close());

  it('are those of POST /v1/query, beside the pageviews of a share that names them', async () => {
    const { token } = await makeShare(server, { datasets: LISTS }, { preset: 'today' });
    const answer = await ask(token, { parameters: LISTS });
    expectSuccess(answer);
    const body = { parameters: LISTS, preset: 'today' };
    const own = await server.call('POST', '/v1/query?website_id=web_shop', { key: server.keys.all, body });
    expectSuccess(own);
    expect(answer.body.data).to.deep.equal(own.body.data);
    expect(answer.body.data.map(({ data }: { data: object[] }) => data.length)).to.not.include(0);
  });

  it('are told of no goal, and filtered by nothing that other pageviews say', async () => {
    const { token } = await makeShare(server, { datasets: LISTS }, { preset: 'today' });
    const refused = await ask(token, { parameters: [{ name: 'session_channels', goalId: 'goa_1' }] });
    expectError(refused, 400, 'VALIDATION_ERROR');
    expect(refused.body.details).to.deep.equal([
      { field: 'parameters[0].goalId', message: 'Not for shares.' },
    ]);
    for (const field of ['channel', 'session_source', 'session_utm_campaign', 'entry_path']) {
      const filters = [{ field, op: 'eq', value: 'x' }];
      expectError(await ask(token, { parameters: LISTS, filters }), 400, 'VALIDATION_ERROR');
    }
  });

  it('are asked for the whole range alone where the view filters by how they came', async () => {
    const filters = [{ field: 'channel', op: 'eq', value: 'email' }];
    const { token } = await makeShare(server, {}, { preset: 'last_7d', filters });
    const parameters = ['top_pages'];
    expectSuccess(await ask(token, { parameters }));
    expectError(await ask(token, { parameters, preset: 'today' }), 400, 'INVALID_DATE_RANGE');
  });
});
