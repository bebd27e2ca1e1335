/** The older public client, unmodified and without a key, as a user of the whole server: its events are what queries answer. */
import { expect } from 'chai';
import { Databuddy } from 'databuddy-sdk-old/node';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('@databuddy/sdk 2.2.1, the node client', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  const client = (clientId: string, enableBatching: boolean) =>
    new Databuddy({ clientId, apiUrl: server.origin, enableBatching });

  /** The rows of a dataset, also when midnight passes meanwhile. */
  async function query(parameter: string, websiteId: string): Promise<Record<string, unknown>[]> {
    const answer = await server.call('POST', `/v1/query?website_id=${websiteId}`, {
      key: server.keys.readOnly,
      body: { parameters: [parameter], preset: 'last_7d', limit: 1000 },
    });
    expect(answer.status).to.equal(200);
    return answer.body.data[0].data;
  }

  it('sends events one by one to /?client_id=, and they are read back', async () => {
    const sdk = client('web_shop', false);
    const first = await sdk.track({
      name: 'signup',
      eventId: 'event-1',
      anonymousId: 'visitor-1',
      sessionId: 'session-1',
      timestamp: Date.now() - 1_000,
      properties: { plan: 'pro', seats: 3, trial: false, coupon: null },
    });
    expect(first).to.deep.equal({ success: true, eventId: 'event-1' });
    expect(await sdk.track({ name: 'purchase', anonymousId: 'visitor-1' })).to.include({ success: true });
    const rows = await query('custom_events', 'web_shop');
    expect(rows.map(({ name, total_events }) => [name, total_events])).to.have.deep.members([
      ['signup', 1],
      ['purchase', 1],
    ]);
  });

  it('sends batches to /batch?client_id=, and they are read back', async () => {
    const sdk = client('web_blog', true);
    for (let index = 0; index < 9; index++) {
      await sdk.track({ name: 'read', anonymousId: `visitor-${index % 3}` });
    }
    expect(await sdk.flush()).to.include({ success: true, processed: 9 });
    // Given at once, because this client takes events with an eventId for sent when they wait in its queue.
    const batch = await sdk.batch(
      ['a', 'b'].map((eventId) => ({ type: 'custom', name: 'read', eventId, anonymousId: 'visitor-1' })),
    );
    expect(batch).to.deep.equal({
      success: true,
      processed: 2,
      results: ['a', 'b'].map((eventId) => ({ status: 'success', type: 'custom', eventId })),
    });
    const [row] = await query('custom_events', 'web_blog');
    expect(row).to.include({ name: 'read', total_events: 11, unique_users: 3 });
  });

  it('has nothing that it sends taken for a misspelt website', async () => {
    const own = { site: 'a', siteId: 'b', projectId: 'c', website: 'd', clientId: 'e' };
    for (const enableBatching of [false, true]) {
      const sdk = client('web_shop', enableBatching);
      const event = { name: 'whole', anonymousId: 'v', sessionId: 's', properties: own };
      expect(await sdk.track(event)).to.include({ success: true });
      expect(await sdk.flush()).to.include({ success: true });
    }
    const rows = await query('custom_events', 'web_shop');
    expect(rows.find(({ name }) => name === 'whole')).to.include({ total_events: 2 });
  });

  it('tells its user the code of a refusal', async () => {
    const refused = await client('web_none', false).track({ name: 'lost' });
    expect(refused).to.deep.equal({ success: false, error: 'HTTP 403: ACCESS_DENIED' });
    const batch = await client('web_none', true).batch([{ type: 'custom', name: 'lost' }]);
    expect(batch).to.deep.equal({ success: false, error: 'HTTP 403: ACCESS_DENIED' });
  });
});
