/** Target groups through the resources service, and how much of groups and flags an organization may have. */
import { expect } from 'chai';
import type { Caller } from '../../../../services/shared/access/caller.ts';
import type { FlagRule } from '../../../../services/shared/model/flag.ts';
import { flagOf, groupOf } from '../../../support/flag-verdicts.ts';
import {
  KEY_CALLER,
  type ResourcesService,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const SHOP_KEY: Caller = {
  ...KEY_CALLER,
  id: 'key_shop',
  access: { level: 'website', websiteIds: ['web_shop'] },
};
const FOREIGN: Caller = { ...KEY_CALLER, id: 'key_two', organizationId: 'org_two' };
const WEAK: Caller = { ...KEY_CALLER, scopes: ['read:data', 'manage:config'] };
const RULE = { type: 'user_id', operator: 'equals', value: 'u1', enabled: true } as const;

describe('the routes of target groups', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startResourcesService();
  });
  afterEach(() => service.close());

  const create = (body: object, caller: Caller = KEY_CALLER) =>
    service.ask(caller, 'POST', '/v1/target-groups', { body });
  const change = (id: string, body: object, headers: Record<string, string> = {}) =>
    service.ask(KEY_CALLER, 'PATCH', `/v1/target-groups/${id}`, { body, headers });
  const remove = (id: string, headers: Record<string, string> = {}) =>
    service.ask(KEY_CALLER, 'DELETE', `/v1/target-groups/${id}`, { headers });

  it('creates, changes and lists groups, and names every fault at once', async () => {
    const { body } = await create({ name: 'Beta', color: '#2563eb', rules: [RULE] });
    expect(body.data).to.deep.include({ name: 'Beta', description: '', color: '#2563eb', rules: [RULE] });
    const changed = await change(body.data.id, { rules: [], description: 'none' });
    expect(changed.body.data).to.deep.include({ name: 'Beta', rules: [], description: 'none' });
    await create({ name: 'Alpha' });
    const list = await service.ask(KEY_CALLER, 'GET', '/v1/target-groups?sort=name');
    expect(list.body.data.map(({ name }: { name: string }) => name)).to.deep.equal(['Alpha', 'Beta']);
    const faulty = await create({ color: 'red', rules: [{ ...RULE, operator: 'in' }], colour: 1 });
    const fields = faulty.body.details.map(({ field }: { field: string }) => field);
    expect(fields).to.have.members(['name', 'color', 'rules[0].value', 'rules[0].values', 'colour']);
    const [record] = await service.documents.auditRecords.all('org_one');
    expect(record).to.deep.include({ action: 'target-group.create', targetId: body.data.id });
  });

  it('lets one of two writers with If-Match win; the other gets 412', async () => {
    const { id } = (await create({ name: 'Beta' })).body.data;
    const answers = await Promise.all(['a', 'b'].map((name) => change(id, { name }, { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
    expect((await remove(id, { 'if-match': '"1"' })).status).to.equal(412);
    expect((await remove(id, { 'if-match': '"2"' })).status).to.equal(204);
  });

  it('deletes no group that flags use, and names them', async () => {
    const { id } = (await create({ name: 'Beta' })).body.data;
    const flag = await service.ask(KEY_CALLER, 'POST', '/v1/flags', {
      body: { key: 'f', targetGroupIds: [id] },
    });
    const answer = await remove(id);
    expect([answer.status, answer.body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(answer.body.error).to.equal('The target group "Beta" cannot be deleted: these flags use it: f.');
    await service.ask(KEY_CALLER, 'PATCH', `/v1/flags/${flag.body.data.id}`, {
      body: { targetGroupIds: [] },
    });
    expect((await remove(id)).status).to.equal(204);
  });

  it('is closed to website-specific keys, keys without the scope and other organizations: nothing leaks, nothing changes', async () => {
    const { id } = (await create({ name: 'Secret group' })).body.data;
    const before = service.documents.text();
    for (const [caller, status, code] of [
      [SHOP_KEY, 403, 'ACCESS_DENIED'],
      [WEAK, 403, 'INSUFFICIENT_SCOPE'],
      [FOREIGN, 404, 'NOT_FOUND'],
    ] as const) {
      for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
        const answer = await service.ask(caller, method, `/v1/target-groups/${id}`, { body });
        expect([answer.status, answer.body.code], `${caller.id} ${method}`).to.deep.equal([status, code]);
        expect(JSON.stringify(answer.body)).to.not.include('Secret');
      }
    }
    for (const caller of [SHOP_KEY, WEAK]) {
      expect((await create({ name: 'x' }, caller)).status).to.equal(403);
      expect((await service.ask(caller, 'GET', '/v1/target-groups')).status).to.equal(403);
    }
    expect((await service.ask(FOREIGN, 'GET', '/v1/target-groups')).body.data).to.deep.equal([]);
    expect(service.documents.text()).to.equal(before);
  });

  describe('room', () => {
    const values = Array<string>(8_000).fill('x'.repeat(256));
    const rules: FlagRule[] = [{ type: 'user_id', operator: 'in', values, enabled: true }];

    it('is for 1,000 flags of a scope, and 500 groups', async () => {
      for (let i = 0; i < 1_000; i++) await service.documents.flags.insert(flagOf(`f${i}`));
      for (let i = 0; i < 500; i++) await service.documents.targetGroups.insert(groupOf(`tgt_${i}`, []));
      const flag = await service.ask(KEY_CALLER, 'POST', '/v1/flags', { body: { key: 'more' } });
      expect([flag.status, flag.body.code]).to.deep.equal([409, 'CONFLICT']);
      expect((await create({ name: 'more' })).status).to.equal(409);
      // What is there may still be changed.
      expect((await change('tgt_7', { name: 'x' })).status).to.equal(200);
      const path = '/v1/flags/flg_f7';
      expect((await service.ask(KEY_CALLER, 'PATCH', path, { body: { name: 'x' } })).status).to.equal(200);
    });

    it('is for 4 MiB of JSON in each', async () => {
      for (const i of [1, 2]) {
        await service.documents.flags.insert(flagOf(`f${i}`, { rules }));
        await service.documents.targetGroups.insert(groupOf(`tgt_${i}`, rules));
      }
      const more = [
        { type: 'user_id', operator: 'in', values: Array(1_000).fill('x'.repeat(256)), enabled: true },
      ];
      const flag = await service.ask(KEY_CALLER, 'POST', '/v1/flags', { body: { key: 'g', rules: more } });
      expect([flag.status, flag.body.code]).to.deep.equal([409, 'CONFLICT']);
      const group = await create({ name: 'g', rules: more });
      expect([group.status, group.body.code]).to.deep.equal([409, 'CONFLICT']);
      expect((await create({ name: 'small' })).status).to.equal(201);
    });
  });
});
