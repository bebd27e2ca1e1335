/** Who sees and writes which flags through the resources service, and how they are listed. */
import { expect } from 'chai';
import type { Caller } from '../../../../services/shared/access/caller.ts';
import { FOREIGN, startFlagService } from '../../../support/start-flag-service.ts';
import { KEY_CALLER, type ResourcesService } from '../../../support/start-resources-service.ts';

const SHOP_KEY: Caller = {
  ...KEY_CALLER,
  id: 'key_shop',
  access: { level: 'website', websiteIds: ['web_shop'] },
};
const RULE = { type: 'user_id', operator: 'equals', value: 'u1', enabled: true };

describe('the flags that a caller reaches', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startFlagService();
  });
  afterEach(() => service.close());

  const create = (body: object, caller: Caller = KEY_CALLER) =>
    service.ask(caller, 'POST', '/v1/flags', { body });
  const change = (id: string, body: object, caller: Caller) =>
    service.ask(caller, 'PATCH', `/v1/flags/${id}`, { body });
  const remove = (id: string, caller: Caller) => service.ask(caller, 'DELETE', `/v1/flags/${id}`);

  async function created(body: object, caller: Caller = KEY_CALLER) {
    const answer = await create(body, caller);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.data;
  }

  async function group(): Promise<string> {
    const body = { name: 'Beta', rules: [RULE] };
    return (await service.ask(KEY_CALLER, 'POST', '/v1/target-groups', { body })).body.data.id;
  }

  it('shows a website-specific key the flags of its websites, and refuses it every other one', async () => {
    const mine = await created({ key: 'mine', websiteId: 'web_shop' }, SHOP_KEY);
    const others = [await created({ key: 'org' }), await created({ key: 'blog', websiteId: 'web_blog' })];
    const list = await service.ask(SHOP_KEY, 'GET', '/v1/flags');
    expect(list.body.data.map(({ id }: { id: string }) => id)).to.deep.equal([mine.id]);
    const before = service.documents.text();
    for (const { id } of others) {
      const path = `/v1/flags/${id}`;
      for (const answer of [
        await service.ask(SHOP_KEY, 'GET', path),
        await change(id, { name: 'x' }, SHOP_KEY),
        await remove(id, SHOP_KEY),
      ]) {
        expect([answer.status, answer.body.code]).to.deep.equal([403, 'ACCESS_DENIED']);
      }
    }
    for (const websiteId of [undefined, null, 'web_blog', 'web_none']) {
      const answer = await create({ key: 'x', websiteId }, SHOP_KEY);
      expect([answer.status, answer.body.code]).to.deep.equal([403, 'ACCESS_DENIED']);
    }
    expect((await service.ask(SHOP_KEY, 'GET', '/v1/flags?website_id=web_blog')).status).to.equal(403);
    expect(service.documents.text()).to.equal(before);
    expect((await change(mine.id, { name: 'x' }, SHOP_KEY)).status).to.equal(200);
    expect((await remove(mine.id, SHOP_KEY)).status).to.equal(204);
  });

  it('is nothing to another organization and refuses a key without the scope: nothing leaks, nothing changes', async () => {
    const { id } = await created({ key: 'secret-flag' });
    const groupId = await group();
    const before = service.documents.text();
    const weak: Caller = { ...KEY_CALLER, scopes: ['read:data', 'manage:config'] };
    for (const [caller, status, code] of [
      [FOREIGN, 404, 'NOT_FOUND'],
      [weak, 403, 'INSUFFICIENT_SCOPE'],
    ] as const) {
      for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
        const answer = await service.ask(caller, method, `/v1/flags/${id}`, { body });
        expect([answer.status, answer.body.code], method).to.deep.equal([status, code]);
        expect(JSON.stringify(answer.body)).to.not.include('secret-flag');
      }
    }
    expect((await service.ask(FOREIGN, 'GET', '/v1/flags')).body.data).to.deep.equal([]);
    for (const body of [{ targetGroupIds: [groupId] }, { dependencies: ['secret-flag'] }]) {
      const answer = await create({ key: 'x', ...body }, FOREIGN);
      expect(answer.status).to.equal(400);
      expect(answer.body.details[0].suggestion).to.equal(undefined);
    }
    expect((await create({ key: 'x', websiteId: 'web_shop' }, FOREIGN)).status).to.equal(403);
    expect(service.documents.text()).to.equal(before);
  });

  it('lists by age, key or name, searched and filtered, in pages without gap or overlap', async () => {
    for (const [i, key] of ['delta', 'alpha', 'charlie', 'bravo'].entries()) {
      const given = i % 2 === 0 ? { websiteId: 'web_shop', status: 'inactive' } : { environment: 'staging' };
      await created({ key, name: `Flag ${i}`, description: i === 3 ? 'Needle' : '', ...given });
      service.clock.advance(1_000);
    }
    const keys = async (query: string) => {
      const { body } = await service.ask(KEY_CALLER, 'GET', `/v1/flags${query}`);
      return [body.data.map(({ key }: { key: string }) => key), body.nextCursor];
    };
    expect((await keys(''))[0]).to.deep.equal(['delta', 'alpha', 'charlie', 'bravo']);
    expect((await keys('?sort=-key'))[0]).to.deep.equal(['delta', 'charlie', 'bravo', 'alpha']);
    expect((await keys('?search=nEEdle'))[0]).to.deep.equal(['bravo']);
    expect((await keys('?website_id=web_shop&sort=name'))[0]).to.deep.equal(['delta', 'charlie']);
    expect((await keys('?status=inactive'))[0]).to.deep.equal(['delta', 'charlie']);
    expect((await keys('?status=active&environment=staging&website_id=web_shop'))[0]).to.deep.equal([]);
    const [first, cursor] = await keys('?sort=key&status=active&limit=1');
    expect([first, (await keys(`?sort=key&status=active&limit=1&cursor=${cursor}`))[0]]).to.deep.equal([
      ['alpha'],
      ['bravo'],
    ]);
    for (const query of ['?status=x', '?nonsense=1', '?sort=id', '?website_id=a&website_id=b']) {
      expect((await service.ask(KEY_CALLER, 'GET', `/v1/flags${query}`)).status, query).to.equal(400);
    }
  });
});
