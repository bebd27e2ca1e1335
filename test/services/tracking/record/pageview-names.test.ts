/** What other clients call a pageview: stored as one on every ingest route, unless its website says otherwise. */

import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { importBatch } from '../../../../services/tracking/import/import-batch.ts';
import { testSalts } from '../../../support/test-salts.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const ALIASES = ['pageview', 'page_view', '$pageview'];

describe('events that other clients call pageviews', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_apart', { domain: 'apart.example', settings: { pageviewAliases: false } });
    await service.website('web_said', { domain: 'said.example', settings: { pageviewAliases: true } });
  });
  afterEach(() => service.close());

  /** How many events of each name are stored. */
  async function names(): Promise<Record<string, number>> {
    const rows = await service.events.run({
      engine: 'duckdb',
      sql: 'SELECT event_name, count(*) AS n FROM events GROUP BY 1 ORDER BY 1',
      params: {},
    });
    return Object.fromEntries(rows.map(({ event_name, n }) => [event_name, n])) as Record<string, number>;
  }

  for (const name of ALIASES) {
    it(`are screen_view on every route: ${name}`, async () => {
      const event = { name, path: '/pricing', websiteId: 'web_1' };
      const bodies: readonly (readonly [path: string, body: unknown])[] = [
        ['/track', event],
        ['/track', [{ ...event, websiteId: 'web_said' }]],
        ['/track', { name, path: '/pricing' }],
        ['/events', [{ ...event, name: undefined, eventName: name }]],
        ['/batch', [{ ...event, type: 'custom' }]],
        ['/', { ...event, type: 'track' }],
      ];
      for (const [path, body] of bodies) expect((await service.post(path, body)).status, path).to.equal(200);
      const query = new URLSearchParams({ client_id: 'web_1', name, path: '/pricing' });
      const headers = await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif');
      expect((await fetch(`${service.url}/px.gif?${query}`, { headers })).status).to.equal(200);
      expect(await names()).to.deep.equal({ screen_view: bodies.length + 1 });
    });

    it(`stay what they are without a path, and where the website keeps them apart: ${name}`, async () => {
      await service.track([
        { name, websiteId: 'web_1' },
        { name, path: '', websiteId: 'web_1' },
        { name, path: '/', websiteId: 'web_apart' },
        { name: name.toUpperCase(), path: '/', websiteId: 'web_1' },
      ]);
      expect(await names()).to.deep.equal({ [name]: 3, [name.toUpperCase()]: 1 });
    });
  }

  it('are screen_view in an import', async () => {
    const { clock } = service;
    await service.documents.organizations.insert({
      id: 'org_a',
      organizationId: 'org_a',
      name: 'A',
      plan: 'free',
      limits: {},
    });
    const lines = ALIASES.map((name, i) => ({
      number: i + 1,
      eventId: `line-${i}`,
      text: JSON.stringify({ name, path: '/', timestamp: clock.now() }),
    }));
    await importBatch(
      { organizationId: 'org_a', websiteId: 'web_1', lines, faultsAllowed: 0 },
      { ...service, salts: testSalts(service.documents, clock) },
    );
    expect(await names()).to.deep.equal({ screen_view: 3 });
  });
});
