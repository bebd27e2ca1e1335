/** What users keep on a website: own things are seen by their user alone, shared ones by everybody who reaches the website. */
import { expect } from 'chai';
import {
  KEY_CALLER,
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const MEMBER = sessionOf('member');
const OWNER = sessionOf('owner');
const SHOP_KEY = { ...KEY_CALLER, access: { level: 'website' as const, websiteIds: ['web_shop'] } };

describe('what users keep', () => {
  let service: ResourcesService;

  before(async () => {
    service = await startResourcesService();
    for (const id of ['web_shop', 'web_blog']) {
      await service.documents.websites.insert({
        ...{ id, organizationId: 'org_one', name: id, domain: `${id.slice(4)}.example.com` },
        ...{ isPublic: false, settings: {} },
      });
    }
  });
  after(() => service.close());

  const create = async (caller: typeof OWNER, body: object = {}) => {
    const asked = { websiteId: 'web_shop', at: '2026-01-15', text: 'Sale', ...body };
    const answer = await service.ask(caller, 'POST', '/v1/annotations', { body: asked });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.data;
  };
  const listed = async (caller: typeof OWNER, query = '') =>
    (await service.ask(caller, 'GET', `/v1/annotations${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  it('shows what is own to its user alone: to others, and to keys, it does not exist', async () => {
    const own = await create(MEMBER);
    expect(own).to.include({ shared: false, createdBy: 'usr_member' });
    expect(own).to.not.have.any.keys('ownerId', 'version');
    expect(await listed(MEMBER)).to.include(own.id);
    for (const caller of [OWNER, KEY_CALLER, SHOP_KEY]) {
      expect(await listed(caller)).to.not.include(own.id);
      for (const [method, body] of [['GET'], ['PATCH', { text: 'Mine' }], ['DELETE']] as const) {
        const answer = await service.ask(caller, method, `/v1/annotations/${own.id}`, body && { body });
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'NOT_FOUND']);
      }
    }
    expect((await service.ask(MEMBER, 'GET', `/v1/annotations/${own.id}`)).body.data).to.deep.equal(own);
  });

  it('shows what is shared to everybody who reaches its website', async () => {
    const shared = await create(MEMBER, { shared: true });
    for (const caller of [MEMBER, OWNER, KEY_CALLER, SHOP_KEY])
      expect(await listed(caller)).to.include(shared.id);
    const elsewhere = { ...SHOP_KEY, access: { level: 'website' as const, websiteIds: ['web_blog'] } };
    expect(await listed(elsewhere)).to.deep.equal([]);
    const answer = await service.ask(elsewhere, 'GET', `/v1/annotations/${shared.id}`);
    expect([answer.status, answer.body.code]).to.deep.equal([403, 'ACCESS_DENIED']);
  });

  it('refuses what would be own to a key, when it is written and when it is changed', async () => {
    const body = { websiteId: 'web_shop', at: '2026-01-15', text: 'Sale' };
    for (const shared of [undefined, false]) {
      const answer = await service.ask(KEY_CALLER, 'POST', '/v1/annotations', { body: { ...body, shared } });
      expect(answer.body.details).to.deep.equal([
        { field: 'shared', message: 'A key has no user who could own it. Allowed: true.' },
      ]);
    }
    const { id } = await create(KEY_CALLER, { shared: true });
    const taken = await service.ask(KEY_CALLER, 'PATCH', `/v1/annotations/${id}`, {
      body: { shared: false },
    });
    expect(taken.status).to.equal(400);
    const renamed = await service.ask(KEY_CALLER, 'PATCH', `/v1/annotations/${id}`, {
      body: { text: 'Late' },
    });
    expect(renamed.body.data).to.include({ text: 'Late', shared: true });
  });

  it('makes what is shared own to the user who says so, and shared again', async () => {
    const { id } = await create(MEMBER, { shared: true });
    const own = await service.ask(OWNER, 'PATCH', `/v1/annotations/${id}`, { body: { shared: false } });
    expect(own.body.data.shared).to.equal(false);
    expect(await listed(MEMBER)).to.not.include(id);
    await service.ask(OWNER, 'PATCH', `/v1/annotations/${id}`, { body: { shared: true } });
    expect(await listed(MEMBER)).to.include(id);
  });

  it('stays with its website, and lists those of one', async () => {
    const { id } = await create(OWNER, { websiteId: 'web_blog', shared: true });
    expect(await listed(OWNER, '?website_id=web_blog')).to.deep.equal([id]);
    expect(await listed(OWNER, '?website_id=web_shop')).to.not.include(id);
    const moved = await service.ask(OWNER, 'PATCH', `/v1/annotations/${id}`, {
      body: { websiteId: 'web_shop' },
    });
    expect(moved.body.details[0]).to.include({ field: 'websiteId' });
    for (const websiteId of ['web_none', 'web_shop ']) {
      const body = { websiteId, at: '2026-01-15', text: 'Sale' };
      const answer = await service.ask(OWNER, 'POST', '/v1/annotations', { body });
      expect([answer.status, answer.body.code]).to.deep.equal([403, 'ACCESS_DENIED']);
    }
  });

  it('sorts days and instants of annotations together', async () => {
    const at = ['2031-05-02T00:00:00+02:00', '2031-05-02', '2031-05-01', '2031-05-01T22:00:01Z'];
    for (const one of at) await create(OWNER, { at: one, text: 'sorted', shared: true });
    const found = await service.ask(OWNER, 'GET', '/v1/annotations?search=SORTED&sort=at');
    expect(found.body.data.map((one: { at: string }) => one.at)).to.deep.equal([
      '2031-05-01',
      '2031-05-01T22:00:00.000Z',
      '2031-05-01T22:00:01.000Z',
      '2031-05-02',
    ]);
  });

  it('goes with the member whose own it was, and no further', async () => {
    const { documents } = service;
    const org = await documents.organizations.get('org_one', 'org_one');
    if (org === null) {
      await documents.organizations.insert({
        id: 'org_one',
        organizationId: 'org_one',
        name: 'One',
        plan: 'free',
        limits: {},
      });
    }
    await documents.memberships.insert({
      id: 'mem_a',
      organizationId: 'org_one',
      userId: 'usr_owner',
      role: 'owner',
    });
    await documents.memberships.insert({
      id: 'mem_b',
      organizationId: 'org_one',
      userId: 'usr_leaver',
      role: 'member',
    });
    const leaver = sessionOf('member', { userId: 'usr_leaver' });
    const own = await create(leaver);
    const shared = await create(leaver, { shared: true });
    expect((await service.ask(OWNER, 'DELETE', '/v1/members/mem_b')).status).to.equal(204);
    expect(await documents.annotations.get('org_one', own.id)).to.equal(null);
    expect(await documents.annotations.get('org_one', shared.id)).to.include({ ownerId: 'org_one' });
  });
});
