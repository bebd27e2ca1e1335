/** The public client, unmodified, as a user of the whole server: what it sends is what queries answer. */
import { Databuddy } from '@databuddy/sdk/node';
import { expect } from 'chai';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('@databuddy/sdk 2.6.0, the node client', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  const client = (options: { apiKey?: string; websiteId?: string; enableBatching?: boolean }) =>
    new Databuddy({
      apiKey: server.keys.trackOnly,
      websiteId: 'web_shop',
      apiUrl: server.origin,
      ...options,
    });

  /** The rows of a dataset, also when midnight passes meanwhile. */
  async function query(parameter: string, websiteId = 'web_shop'): Promise<Record<string, unknown>[]> {
    const answer = await server.call('POST', `/v1/query?website_id=${websiteId}`, {
      key: server.keys.readOnly,
      body: { parameters: [parameter], preset: 'last_7d', limit: 1000 },
    });
    expect(answer.status).to.equal(200);
    return answer.body.data[0].data;
  }

  it('tracks events one by one, and they are read back', async () => {
    const sdk = client({ enableBatching: false });
    for (const name of ['signup', 'signup', 'purchase']) {
      const result = await sdk.track({
        name,
        anonymousId: 'visitor-1',
        sessionId: 'session-1',
        properties: { plan: 'pro' },
      });
      expect(result).to.deep.include({ success: true });
    }
    const rows = await query('custom_events');
    expect(
      rows.map(({ name, total_events, unique_users }) => [name, total_events, unique_users]),
    ).to.deep.equal([
      ['signup', 2, 1],
      ['purchase', 1, 1],
    ]);
  });

  it('tracks batches, and they are read back', async () => {
    const sdk = client({ websiteId: 'web_blog' });
    for (let index = 0; index < 25; index++) {
      expect(
        await sdk.track({ name: 'read', anonymousId: `visitor-${index % 5}`, sessionId: `session-${index}` }),
      ).to.include({
        success: true,
      });
    }
    for (const path of ['/a', '/b']) {
      await sdk.track({
        name: 'screen_view',
        anonymousId: 'visitor-1',
        sessionId: 'session-1',
        properties: { path },
      });
    }
    const flushed = await sdk.flush();
    expect(flushed).to.deep.include({ success: true });

    const [custom] = await query('custom_events', 'web_blog');
    expect(custom).to.include({
      name: 'read',
      total_events: 25,
      unique_users: 5,
      unique_sessions: 25,
      percentage: 100,
    });
    const [metrics] = await query('summary_metrics', 'web_blog');
    expect(metrics).to.include({ pageviews: 2, visitors: 5, sessions: 25, total_events: 27 });
  });

  it('has nothing that it sends taken for a misspelt website, one by one or in batches', async () => {
    const own = { site: 'a', siteId: 'b', projectId: 'c', website: 'd', clientId: 'e' };
    for (const enableBatching of [false, true]) {
      const sdk = client({ enableBatching });
      sdk.setGlobalProperties?.(own);
      const event = {
        eventId: `whole-${enableBatching}`,
        anonymousId: 'v',
        sessionId: 's',
        timestamp: Date.now(),
      };
      const full = { ...event, name: 'whole', namespace: 'n', source: 'backend', websiteId: 'web_shop' };
      expect(await sdk.track({ ...full, properties: own })).to.include({ success: true });
      expect(await sdk.flush()).to.include({ success: true });
    }
    expect(await client({}).identify({ profileId: 'user-1', traits: own })).to.deep.equal({ success: true });
    const rows = await query('custom_events');
    expect(rows.find(({ name }) => name === 'whole')).to.include({ total_events: 2 });
  });

  it('identifies a visitor, with traits, for its website', async () => {
    const sdk = client({});
    const known = await sdk.identify({
      profileId: 'user-42',
      anonymousId: 'visitor-1',
      traits: { plan: 'pro', seats: 3, trial: false, coupon: null },
    });
    expect(known).to.deep.equal({ success: true });
    expect(await sdk.identify({ profileId: 'user-42', anonymousId: null, traits: null })).to.deep.equal({
      success: true,
    });
    const elsewhere = await sdk.identify({ profileId: 'user-42', websiteId: 'web_free' });
    expect(elsewhere).to.deep.equal({ success: false, error: 'HTTP 403: ACCESS_DENIED' });
    const lacking = await client({ apiKey: server.keys.readOnly }).identify({ profileId: 'user-42' });
    expect(lacking).to.deep.equal({ success: false, error: 'HTTP 403: INSUFFICIENT_SCOPE' });
  });

  it('anonymizes visitors when its user says so, in either of its words', async () => {
    for (const anonymizeVisitorIds of [true, 'auto'] as const) {
      const sdk = client({ enableBatching: false });
      const result = await sdk.track({ name: 'quiet', anonymousId: 'visitor-9', anonymizeVisitorIds });
      expect(result).to.include({ success: true });
    }
    const rows = await query('custom_events');
    expect(rows.find(({ name }) => name === 'quiet')).to.include({ total_events: 2, unique_users: 1 });
  });

  it('tells its user the code of a refusal, because the client shows nothing but the reason phrase', async () => {
    const lacking = await client({ apiKey: server.keys.readOnly, enableBatching: false }).track({
      name: 'x',
    });
    expect(lacking).to.deep.equal({ success: false, error: 'HTTP 403: INSUFFICIENT_SCOPE' });
    const unknown = await client({ apiKey: server.keys.unknown, enableBatching: false }).track({ name: 'x' });
    expect(unknown).to.deep.equal({ success: false, error: 'HTTP 401: INVALID_API_KEY' });
    const foreign = await client({ websiteId: 'web_free', enableBatching: false }).track({ name: 'x' });
    expect(foreign).to.deep.equal({ success: false, error: 'HTTP 403: ACCESS_DENIED' });
  });
});
