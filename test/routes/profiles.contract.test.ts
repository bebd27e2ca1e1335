/** The contract of what is known of a person and of its erasure, status by status, through the whole server. */
import { expect } from 'chai';
import { profileDocumentId } from '../../services/shared/model/profile.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { everythingStored, withStored } from '../support/open-stored.ts';
import { protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

/** Identifiers that need care in an address; the last three no path can carry. */
const STRANGE = ['a b+c', 'ä€😀', '%2F', '?x=1&y', 'auth0|1', 'o\'neill"', 'x'.repeat(128)];
const UNPATHABLE = ['a/b', 'a\\b', '..'];
const DAY = '2026-07-01T00:0';

describe('the contract of people', () => {
  let started: TestServer;
  const server = () => started;

  beforeEach(async () => {
    started = await startTidegate();
  });
  afterEach(() => started.close());

  const call = (method: string, path: string, key = server().keys.all) =>
    server().call(method, `/v1/profiles${path}`, { key });
  const post = async (path: string, body: unknown, key = server().keys.all) =>
    expectSuccess(await server().call('POST', path, { key, body }));
  const track = (event: object) => post('/track', { name: 'seen', ...event });
  async function namesOf(dataset: string, websiteId: string | null): Promise<string[]> {
    const answer = await server().call('POST', `/v1/query${websiteId ? `?website_id=${websiteId}` : ''}`, {
      key: server().keys.all,
      body: { parameters: [dataset], startDate: '2026-06-01', endDate: '2026-12-31', limit: 100 },
    });
    expectSuccess(answer);
    return answer.body.data[0].data.map((row: { anonymous_id: string }) => row.anonymous_id ?? null).sort();
  }

  /** Paula on two websites and for the organization, and others who must stay. */
  async function seed(): Promise<void> {
    const website = (websiteId: string, more: object) => track({ websiteId, ...more });
    await website('web_shop', { anonymousId: 'early', timestamp: `${DAY}1:00Z` });
    await post('/identify', {
      profileId: 'paula',
      anonymousId: 'early',
      websiteId: 'web_shop',
      traits: { mail: 'paula@example.com' },
    });
    await website('web_shop', { anonymousId: 'late', profileId: 'paula', timestamp: `${DAY}2:00Z` });
    await website('web_shop', { anonymousId: 'late', timestamp: `${DAY}3:00Z` });
    await website('web_shop', { anonymousId: 'late', profileId: 'other', timestamp: `${DAY}4:00Z` });
    await website('web_shop', { anonymousId: 'stranger', timestamp: `${DAY}5:00Z` });
    await post('/identify', {
      profileId: 'other',
      websiteId: 'web_shop',
      traits: { mail: 'other@example.com' },
    });
    await website('web_blog', { anonymousId: 'reader', profileId: 'paula', timestamp: `${DAY}6:00Z` });
    await track({ profileId: 'paula', timestamp: `${DAY}7:00Z` });
    await post('/track', { name: 'seen', profileId: 'paula', websiteId: 'web_free' }, server().keys.free);
  }
  const instant = (minute: number) => `${DAY}${minute}:00.000Z`;
  const shop = {
    websiteId: 'web_shop',
    traits: { mail: 'paula@example.com' },
    visitors: ['early', 'late'],
    events: 3,
    firstEventAt: instant(1),
    lastEventAt: instant(3),
  };

  it('tells traits, visitors and events of a person by website, wherever the caller reaches', async () => {
    await seed();
    const answer = await call('GET', '/paula');
    expectSuccess(answer);
    expect(answer.body).to.deep.equal({
      success: true,
      data: {
        profileId: 'paula',
        events: 5,
        firstEventAt: instant(1),
        lastEventAt: instant(7),
        websites: [
          {
            websiteId: null,
            traits: {},
            visitors: [],
            events: 1,
            firstEventAt: instant(7),
            lastEventAt: instant(7),
          },
          {
            websiteId: 'web_blog',
            traits: {},
            visitors: ['reader'],
            events: 1,
            firstEventAt: instant(6),
            lastEventAt: instant(6),
          },
          shop,
        ],
        visitorsOmitted: false,
      },
    });
    expect((await call('GET', '?profile_id=paula')).body).to.deep.equal(answer.body);
    expect((await call('GET', '/paula?website_id=web_shop')).body.data.websites).to.deep.equal([shop]);
    const foreign = await call('GET', '/paula', server().keys.free);
    expect(foreign.body.data.websites).to.have.length(1);
    expect(foreign.body.data.websites[0]).to.include({ websiteId: 'web_free', events: 1 });
  });

  it('tells somebody who is known by traits alone, with no event', async () => {
    await post('/identify', { profileId: 'quiet', websiteId: 'web_shop', traits: { a: 1 } });
    const { body } = await call('GET', '/quiet');
    expect(body.data).to.deep.include({ events: 0, firstEventAt: null, lastEventAt: null });
    expect(body.data.websites).to.deep.equal([
      {
        websiteId: 'web_shop',
        traits: { a: 1 },
        visitors: [],
        events: 0,
        firstEventAt: null,
        lastEventAt: null,
      },
    ]);
  });

  it('tells of at most 1,000 visitors, and that there are more', async () => {
    for (let page = 0; page < 11; page++) {
      const events = Array.from({ length: 100 }, (_, i) => ({
        name: 'seen',
        websiteId: 'web_shop',
        profileId: 'many',
        anonymousId: `v${page}-${i}`,
      }));
      await post('/track', events);
    }
    const { body } = await call('GET', '/many');
    expect(body.data.websites[0].visitors).to.have.length(1_000);
    expect(body.data).to.include({ events: 1_100, visitorsOmitted: true });
    expectSuccess(await call('DELETE', '/many'), 204);
    expectError(await call('GET', '/many'), 404, 'NOT_FOUND');
    expect(await namesOf('custom_events_recent', 'web_shop')).to.deep.equal([]);
  });

  it('erases traits, visitors and events of a person from the whole organization, and of nobody else', async () => {
    await seed();
    const answer = await call('DELETE', '/paula');
    expectSuccess(answer, 204);
    expect(answer.body).to.equal(null);
    expect(await namesOf('custom_events_recent', 'web_shop')).to.deep.equal(['late', 'stranger']);
    expect(await namesOf('custom_events_recent', 'web_blog')).to.deep.equal([]);
    expectError(await call('GET', '/paula'), 404, 'NOT_FOUND');
    expectSuccess(await call('GET', '/other'));
    expectSuccess(await call('GET', '/paula', server().keys.free));
    const [profiles, visitors, cleanups] = await withStored(server().dataDir, async (documents) => [
      await documents.profiles.all('org_main'),
      await documents.visitorProfiles.all('org_main'),
      await documents.allCleanups(),
    ]);
    expect(profiles?.map((one) => 'profileId' in one && one.profileId)).to.deep.equal(['other']);
    expect([visitors, cleanups]).to.deep.equal([[], []]);
    expectError(await call('DELETE', '/paula'), 404, 'NOT_FOUND');
  });

  it('takes the word of somebody without a key on one website only, and never against that of a key', async () => {
    for (const websiteId of ['web_shop', 'web_blog']) {
      for (const anonymousId of ['known', 'unknown']) await track({ websiteId, anonymousId });
    }
    await post('/identify', { profileId: 'other', anonymousId: 'known', websiteId: 'web_shop' });
    const said = ['known', 'unknown'].map((anonymousId) => ({
      name: 'said',
      anonymousId,
      profileId: 'mallory',
    }));
    expectSuccess(await server().call('POST', '/events?client_id=web_shop', { body: said }));
    const { body } = await call('GET', '/mallory');
    expect(body.data.websites).to.have.length(1);
    expect(body.data.websites[0]).to.deep.include({
      websiteId: 'web_shop',
      visitors: ['unknown'],
      events: 3,
    });
    expectSuccess(await call('DELETE', '/mallory'), 204);
    expect(await namesOf('custom_events_recent', 'web_shop')).to.deep.equal(['known']);
    expect(await namesOf('custom_events_recent', 'web_blog')).to.deep.equal(['known', 'unknown']);
  });

  it('erases only what one website holds where one is named', async () => {
    await seed();
    expectSuccess(await call('DELETE', '?profile_id=paula&website_id=web_shop', server().keys.all), 204);
    const { body } = await call('GET', '/paula');
    expect(body.data.websites.map(({ websiteId }: { websiteId: string }) => websiteId)).to.deep.equal([
      null,
      'web_blog',
    ]);
  });

  it("lets what comes after be stored: it is the person's own new doing", async () => {
    await seed();
    expectSuccess(await call('DELETE', '/paula'), 204);
    await track({ websiteId: 'web_shop', profileId: 'paula', anonymousId: 'late' });
    expect((await call('GET', '/paula')).body.data).to.include({ events: 1 });
  });

  it('takes every identifier that ingest takes, by the path or by profile_id', async () => {
    for (const id of [...STRANGE, ...UNPATHABLE]) await track({ websiteId: 'web_shop', profileId: id });
    for (const id of STRANGE) {
      expect((await call('GET', `/${encodeURIComponent(id)}`)).body.data.profileId).to.equal(id);
      expectSuccess(await call('DELETE', `/${encodeURIComponent(id)}`), 204);
    }
    for (const id of UNPATHABLE) {
      const query = new URLSearchParams({ profile_id: id, website_id: 'web_shop' });
      expect((await call('GET', `?${query}`)).body.data.profileId).to.equal(id);
      expectSuccess(await call('DELETE', `?${query}`), 204);
    }
    expect(await namesOf('custom_events_recent', 'web_shop')).to.deep.equal([]);
  });

  it('answers 400 VALIDATION_ERROR to no identifier, one that is too long, and unknown parameters', async () => {
    const long = 'x'.repeat(129);
    const paths = ['', '?profile_id=', `?profile_id=${long}`, `/${long}`, '?profile_id=a&profile_id=b'];
    const more = ['/a?profile_id=b', '/a?website=web_shop', '/a?website_id=', '/a?website_id=a&websiteId=b'];
    for (const path of [...paths, ...more]) {
      for (const method of ['GET', 'DELETE']) expectError(await call(method, path), 400, 'VALIDATION_ERROR');
    }
  });

  it('shows and erases nothing beyond the reach of a website-specific key', async () => {
    await seed();
    const before = await everythingStored(server().dataDir);
    const { shopOnly, readOnly } = server().keys;
    for (const method of ['GET', 'DELETE']) {
      for (const id of ['web_blog', 'web_free', 'web_none']) {
        expectError(await call(method, `/paula?website_id=${id}`, shopOnly), 403, 'ACCESS_DENIED');
      }
      expectError(await call(method, '/paula', readOnly), 403, 'INSUFFICIENT_SCOPE');
    }
    expectError(await call('DELETE', '/paula', shopOnly), 403, 'ACCESS_DENIED');
    expect(await everythingStored(server().dataDir)).to.deep.equal(before);
    const reached = await call('GET', '/paula', shopOnly);
    expect(reached.body.data.websites).to.deep.equal([shop]);
    expectSuccess(await call('DELETE', '/paula?website_id=web_shop', shopOnly), 204);
    expectError(await call('GET', '/paula', shopOnly), 404, 'NOT_FOUND');
    expectSuccess(await call('GET', '/paula'));
  });

  it('leaves an audit record that does not hold the identifier, and tells who knows it', async () => {
    await track({ websiteId: 'web_shop', profileId: 'anna-kournikova' });
    expectSuccess(await call('DELETE', '/anna-kournikova?website_id=web_shop'), 204);
    const records = await withStored(server().dataDir, (documents) => documents.auditRecords.all('org_main'));
    const scope = { organizationId: 'org_main', websiteId: 'web_shop' };
    expect(records.map(({ action, targetId }) => [action, targetId])).to.deep.equal([
      ['profile.erase', profileDocumentId(scope, 'anna-kournikova')],
    ]);
    expect(JSON.stringify(await everythingStored(server().dataDir))).to.not.include('kournikova');
  });
});

describe('the routes of people', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
    for (const profileId of ['ann', 'ben']) {
      const body = { name: 'seen', profileId, websiteId: 'web_shop' };
      await started.call('POST', '/track', { key: started.keys.all, body });
    }
  });
  after(() => started.close());

  for (const method of ['GET', 'DELETE']) {
    for (const path of [
      '/v1/profiles/ann?website_id=web_shop',
      '/v1/profiles?profile_id=ben&website_id=web_shop',
    ]) {
      describe(`${method} ${path}`, () => {
        const wrongMethods = ['POST', 'PUT', 'PATCH'];
        protectedRouteCases(server, { method, path, wrongMethods }, 'manage:websites', 'readOnly');
      });
    }
  }
});
