/** The names by which events name their website, on every ingest route and in an import: what is misspelt loses no event. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { readImportLine } from '../../../../services/tracking/import/read-import-line.ts';
import { MISTAKEN_NAMES } from '../../../../services/tracking/record/website-names.ts';
import { createTrackingFixture, expectError, type TrackingFixture, toAnswer } from '../tracking-fixture.ts';

const EVENT = { name: 'seen', anonymousId: 'v1', path: '/' };
/** Every POST route with a body that it takes. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/track': EVENT,
  '/events': EVENT,
  '/vitals': { metricName: 'LCP', metricValue: 1 },
  '/errors': { message: 'broken' },
  '/identify': { profileId: 'user-1' },
  '/batch': { type: 'custom', ...EVENT },
  '/': { type: 'track', ...EVENT },
};
/** Routes that take no array. */
const SINGLE = new Set(['/identify', '/']);

describe('the website that an event names', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_2', { domain: 'second.example' });
  });
  after(() => service.close());

  const pixel = async (query: Readonly<Record<string, string>>) => {
    const headers = {
      'x-request-id': 'request-1',
      ...(await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif')),
    };
    return fetch(`${service.url}/px.gif?${new URLSearchParams(query)}`, { headers });
  };
  const websites = async () => {
    const rows = await service.events.run({
      engine: 'duckdb',
      sql: 'SELECT coalesce(website_id, $none) AS website, count(*) AS n FROM events GROUP BY 1 ORDER BY 1',
      params: { none: 'organization' },
    });
    return Object.fromEntries(rows.map(({ website, n }) => [website, n])) as Record<string, number>;
  };

  for (const [path, body] of Object.entries(BODIES)) {
    describe(`POST ${path}`, () => {
      const send = (sent: unknown, from = {}) => service.post(path, sent, from);

      it('may be named as website_id', async () => {
        const before = await websites();
        expect((await send({ ...body, website_id: 'web_1' })).status).to.equal(200);
        expect((await send({ ...body, websiteId: 'web_1', website_id: 'web_1' })).status).to.equal(200);
        expect((await send({ ...body, websiteId: null, website_id: 'web_1' })).status).to.equal(200);
        const after = await websites();
        if (path === '/identify') {
          expect(await service.documents.profiles.all('org_a')).to.have.length(1);
          expect((await service.documents.profiles.all('org_a'))[0]?.websiteId).to.equal('web_1');
        } else expect((after.web_1 ?? 0) - (before.web_1 ?? 0)).to.equal(3);
        expect(after.organization ?? 0).to.equal(before.organization ?? 0);
      });

      it('is refused with 400 when its two names differ', async () => {
        const answer = await send({ ...body, websiteId: 'web_1', website_id: 'web_2' });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(['website_id']);
      });

      it('is judged under the name by which it came', async () => {
        const answer = await send({ ...body, website_id: '' });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(['website_id']);
        expectError(await send({ ...body, website_id: 'web_none' }), 403, 'ACCESS_DENIED');
      });

      it('is refused with 400 under a name that was meant for websiteId, which is suggested', async () => {
        const before = await service.count();
        const wrong = Object.fromEntries(MISTAKEN_NAMES.map((name) => [name, 'web_1']));
        const answer = await send({ ...body, ...wrong });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details).to.deep.equal(
          MISTAKEN_NAMES.map((field) => ({
            field,
            message: 'An event names its website as websiteId, or website_id.',
            suggestion: 'websiteId',
          })),
        );
        if (!SINGLE.has(path)) {
          const inArray = await send([body, { ...body, site: 'web_1' }]);
          expectError(inArray, 400, 'VALIDATION_ERROR');
          expect(inArray.body.details?.map(({ field }) => field)).to.deep.equal(['events[1].site']);
        }
        expect(await service.count()).to.equal(before);
      });

      it('takes such a name when it is null, and clientId, client_id and whatever stands deeper', async () => {
        const inner = path === '/identify' ? 'traits' : 'properties';
        const more = {
          clientId: 'web_2',
          client_id: 'web_2',
          [inner]: { site: 'a', projectId: 'b', website: 'c' },
        };
        expect((await send({ ...body, websiteId: 'web_1', site: null, ...more })).status).to.equal(200);
      });

      if (path === '/track') return;
      it('is refused without a key with 403 when website_id is another than the request names', async () => {
        const from = { caller: PUBLIC_CALLER, search: '?client_id=web_1' };
        const answer = await send({ ...body, website_id: 'web_2' }, from);
        expectError(answer, 403, 'ACCESS_DENIED');
        expect(answer.body.error).to.match(/^website_id: /);
        expect((await send({ ...body, website_id: 'web_1' }, from)).status).to.equal(200);
      });
    });
  }

  it('is refused in the query string of the pixel alike', async () => {
    const wrong = await toAnswer(await pixel({ client_id: 'web_1', site: 'web_1', project_id: 'p' }));
    expectError(wrong, 400, 'VALIDATION_ERROR');
    expect(wrong.body.details?.map(({ field }) => field)).to.deep.equal(['site', 'project_id']);
    const differing = await toAnswer(await pixel({ website_id: 'web_1', websiteId: 'web_2' }));
    expectError(differing, 400, 'VALIDATION_ERROR');
    const before = await websites();
    for (const name of ['website_id', 'websiteId', 'client_id']) {
      expect((await pixel({ [name]: 'web_1' })).status).to.equal(200);
    }
    expect(((await websites()).web_1 ?? 0) - (before.web_1 ?? 0)).to.equal(3);
  });

  it('is judged alike in a line of an import', () => {
    const now = service.clock.now();
    const line = (more: object) => readImportLine(JSON.stringify({ ...EVENT, timestamp: now, ...more }), now);
    expect(line({ website_id: 'web_1' })).to.have.nested.property('event.websiteId', 'web_1');
    expect(line({ websiteId: 'web_1', website_id: 'web_2' })).to.have.nested.property(
      'faults[0].field',
      'website_id',
    );
    for (const name of MISTAKEN_NAMES) {
      expect(line({ [name]: 'web_1' })).to.have.nested.property('faults[0].field', name);
    }
  });
});
