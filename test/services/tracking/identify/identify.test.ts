/** POST /identify: what is kept of a person and its visitors, how traits grow, and what is refused (docs/decisions/0007). */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import {
  type ProfileScope,
  profileDocumentId,
  visitorProfileDocumentId,
} from '../../../../services/shared/model/profile.ts';
import { x } from '../event-bounds.ts';
import { createTrackingFixture, expectError, type TrackingFixture } from '../tracking-fixture.ts';

const WEBSITE: ProfileScope = { organizationId: 'org_a', websiteId: 'web_1' };
const traitsOf = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, i]));
/** One trait whose JSON has `bytes` bytes. */
const traitOf = (bytes: number) => ({ t: x(bytes - '{"t":""}'.length) });

describe('POST /identify', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
  });
  afterEach(() => service.close());

  const identify = (body: Readonly<Record<string, unknown>>) =>
    service.post('/identify', { profileId: 'user-1', websiteId: 'web_1', ...body });
  const profile = (profileId = 'user-1', scope = WEBSITE) =>
    service.documents.profiles.get(scope.organizationId, profileDocumentId(scope, profileId));
  const visitor = (anonymousId: string, scope = WEBSITE) =>
    service.documents.visitorProfiles.get(scope.organizationId, visitorProfileDocumentId(scope, anonymousId));

  it('keeps the person with its traits, and which visitor it is; it is no event', async () => {
    const answer = await identify({
      anonymousId: 'visitor-1',
      traits: { plan: 'pro', age: 7, paying: true },
    });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal({ status: 'success', success: true, type: 'identify' });
    expect(await profile()).to.include({ organizationId: 'org_a', websiteId: 'web_1', profileId: 'user-1' });
    expect((await profile())?.traits).to.deep.equal({ plan: 'pro', age: 7, paying: true });
    expect(await visitor('visitor-1')).to.include({ anonymousId: 'visitor-1', profileId: 'user-1' });
    expect(await service.count()).to.equal(0);
  });

  it('adds traits to those known, replaces those given, and removes one that is null', async () => {
    await identify({ traits: { plan: 'free', city: 'Ulm', age: 7 } });
    await identify({ traits: { plan: 'pro', city: null } });
    await identify({});
    expect((await profile())?.traits).to.deep.equal({ plan: 'pro', age: 7 });
  });

  it('lets a visitor be the person that was said last, and a person be several visitors', async () => {
    await identify({ anonymousId: 'visitor-1' });
    await identify({ anonymousId: 'visitor-2' });
    await identify({ profileId: 'user-2', anonymousId: 'visitor-1' });
    expect(
      [await visitor('visitor-1'), await visitor('visitor-2')].map((one) => one?.profileId),
    ).to.deep.equal(['user-2', 'user-1']);
  });

  it('writes nothing for what is known', async () => {
    await identify({ anonymousId: 'visitor-1', traits: { plan: 'pro' } });
    await identify({ anonymousId: 'visitor-1', traits: { plan: 'pro' } });
    expect([(await profile())?.version, (await visitor('visitor-1'))?.version]).to.deep.equal([1, 1]);
  });

  it('keeps the traits of 40 requests for one person at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => identify({ anonymousId: 'visitor-1', traits: { [`t${i}`]: i } })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect((await profile())?.traits).to.have.all.keys(traitsOf(40));
  });

  it('tells websites, organizations and the organization itself apart', async () => {
    await service.website('web_2', { domain: 'second.example' });
    await service.website('web_b', { organizationId: 'org_b', domain: 'example.com' });
    await identify({ traits: { at: 'web_1' } });
    await identify({ websiteId: 'web_2', traits: { at: 'web_2' } });
    await identify({ websiteId: undefined, traits: { at: 'organization' } });
    await service.post(
      '/identify',
      { profileId: 'user-1', websiteId: 'web_b', traits: { at: 'web_b' } },
      { caller: { organizationId: 'org_b' } },
    );
    const scopes: ProfileScope[] = [
      WEBSITE,
      { organizationId: 'org_a', websiteId: 'web_2' },
      { organizationId: 'org_a', websiteId: null },
      { organizationId: 'org_b', websiteId: 'web_b' },
    ];
    const found = await Promise.all(scopes.map((scope) => profile('user-1', scope)));
    expect(found.map((one) => one?.traits.at)).to.deep.equal(['web_1', 'web_2', 'organization', 'web_b']);
  });

  const bounds: Readonly<Record<string, { accepted: readonly unknown[]; refused: readonly unknown[] }>> = {
    profileId: { accepted: ['u', x(128)], refused: ['', ' ', x(129), null, 7, {}, 'a\0', '\ud800'] },
    anonymousId: { accepted: [null, '', x(256)], refused: [x(257), 7, ['a'], 'a\0', '\ud800'] },
    traits: {
      accepted: [null, {}, { a: null }, traitsOf(50), traitOf(2048), { '': '' }],
      refused: [traitsOf(51), traitOf(2049), { a: 'é'.repeat(1_024) }, 'text', 7, ['a']],
    },
  };
  for (const [field, { accepted, refused }] of Object.entries(bounds)) {
    it(`${field}: takes what is within its bounds and names it when it is beyond`, async () => {
      for (const [i, value] of accepted.entries()) {
        const answer = await identify({ profileId: `person ${i}`, [field]: value });
        expect(answer.status, JSON.stringify(answer.body.details)).to.equal(200);
      }
      for (const value of refused) {
        const answer = await identify({ profileId: 'beyond', [field]: value });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details?.map((detail) => detail.field)).to.deep.equal([field]);
      }
      expect(await profile('beyond')).to.equal(null);
    });
  }

  it('names the trait that is no scalar', async () => {
    const answer = await identify({ traits: { fine: 1, deep: { a: 1 }, list: [1] } });
    expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(['traits.deep', 'traits.list']);
    expect(await profile()).to.equal(null);
  });

  it('counts traits before it judges any: 7,000 of them that are none are one fault', async () => {
    const many = Object.fromEntries(Array.from({ length: 7_000 }, (_, i) => [`t${i}`, []]));
    const answer = await identify({ traits: many });
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.details).to.deep.equal([
      { field: 'traits', message: 'Expected at most 50 keys, received 7000.' },
    ]);
  });

  it('refuses traits that are too many with those known, and keeps those', async () => {
    await identify({ traits: traitsOf(50) });
    const answer = await identify({ traits: { more: 1 } });
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.details?.[0]).to.deep.equal({
      field: 'traits',
      message: 'Expected at most 50 traits, received 51. Those known of the profile count too.',
    });
    expect((await identify({ traits: { more: 1, t0: null } })).status).to.equal(200);
    expect((await profile())?.traits).to.have.property('more', 1);
  });

  describe('without a key', () => {
    const stranger = (traits: unknown) =>
      service.post(
        '/identify',
        { profileId: 'user-1', traits },
        { caller: PUBLIC_CALLER, search: '?client_id=web_1' },
      );

    it('leaves what a key set as it is, and adds to it', async () => {
      await identify({ traits: { plan: 'pro', seats: 3 } });
      expect((await stranger({ plan: 'free', seats: null, theme: 'dark' })).status).to.equal(200);
      expect((await profile())?.traits).to.deep.equal({ plan: 'pro', seats: 3, theme: 'dark' });
    });

    it('changes and removes what was set without one', async () => {
      await stranger({ theme: 'dark', size: 1 });
      await stranger({ theme: 'light', size: null });
      expect((await profile())?.traits).to.deep.equal({ theme: 'light' });
    });

    it('takes no room from those with one: theirs stay, the earliest of the others go', async () => {
      await stranger(traitsOf(50));
      expect((await identify({ traits: { plan: 'pro', t1: 'keyed' } })).status).to.equal(200);
      expect((await profile())?.traits).to.deep.equal({
        ...Object.fromEntries(Object.entries(traitsOf(50)).slice(1)),
        t1: 'keyed',
        plan: 'pro',
      });
      expect((await identify({ traits: traitOf(2_000) })).status).to.equal(200);
      expect((await profile())?.traits).to.include({ ...traitOf(2_000), plan: 'pro', t1: 'keyed' });
      expectError(await stranger({ more: x(100) }), 400, 'VALIDATION_ERROR');
    });

    it('takes no visitor from the person that a key named, and others from each other', async () => {
      const claim = (anonymousId: string, profileId: string) =>
        service.post(
          '/identify',
          { profileId, anonymousId },
          { caller: PUBLIC_CALLER, search: '?client_id=web_1' },
        );
      const personOf = async (anonymousId: string) => (await visitor(anonymousId))?.profileId;
      await identify({ profileId: 'user-1', anonymousId: 'visitor-1' });
      expect((await claim('visitor-1', 'stranger')).status).to.equal(200);
      expect(await personOf('visitor-1')).to.equal('user-1');
      await identify({ profileId: 'user-2', anonymousId: 'visitor-1' });
      expect(await personOf('visitor-1')).to.equal('user-2');

      await claim('visitor-2', 'stranger');
      await claim('visitor-2', 'user-1');
      expect(await personOf('visitor-2')).to.equal('user-1');
      await identify({ profileId: 'user-1', anonymousId: 'visitor-2' });
      await claim('visitor-2', 'stranger');
      expect(await personOf('visitor-2')).to.equal('user-1');
    });

    it('sets again what a key removed', async () => {
      await identify({ traits: { plan: 'pro' } });
      await identify({ traits: { plan: null } });
      await stranger({ plan: 'free' });
      expect((await profile())?.traits).to.deep.equal({ plan: 'free' });
    });
  });

  it('takes one object: 400 for an array, and for no object', async () => {
    for (const body of [[{ profileId: 'user-1' }], [], 7, null, '"text"']) {
      expectError(await service.post('/identify', body), 400, 'VALIDATION_ERROR');
    }
  });

  it('keeps lone halves of characters and NUL out of what it stores', async () => {
    const body = '{"profileId":"user-1","websiteId":"web_1","traits":{"k\\ud800":"\\udfff\\u0000v"}}';
    expect((await service.post('/identify', body)).status).to.equal(200);
    expect((await profile())?.traits).to.deep.equal({ 'k\uFFFD': '\uFFFDv' });
  });

  it('answers 503 UPSTREAM_UNAVAILABLE with Retry-After while the store is down', async () => {
    const down = await createTrackingFixture();
    await down.documents.close();
    const answer = await down.post('/identify', { profileId: 'user-1' });
    expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
    expect(answer.headers.get('retry-after')).to.equal('1');
    await down.close();
  });
});
