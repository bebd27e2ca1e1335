/** Flags through the resources service: what may be written, by whom, and what stays as it was when it may not. */
import { expect } from 'chai';
import type { Caller } from '../../../../services/shared/access/caller.ts';
import { FOREIGN, startFlagService } from '../../../support/start-flag-service.ts';
import { KEY_CALLER, type ResourcesService } from '../../../support/start-resources-service.ts';

const RULE = { type: 'user_id', operator: 'equals', value: 'u1', enabled: true };

describe('the routes of flags', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startFlagService();
  });
  afterEach(() => service.close());

  const create = (body: object, caller: Caller = KEY_CALLER) =>
    service.ask(caller, 'POST', '/v1/flags', { body });
  const change = (id: string, body: object, headers: Record<string, string> = {}) =>
    service.ask(KEY_CALLER, 'PATCH', `/v1/flags/${id}`, { body, headers });
  const remove = (id: string, headers: Record<string, string> = {}) =>
    service.ask(KEY_CALLER, 'DELETE', `/v1/flags/${id}`, { headers });

  async function created(body: object) {
    const answer = await create(body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.data;
  }

  async function group(): Promise<string> {
    const body = { name: 'Beta', rules: [RULE] };
    return (await service.ask(KEY_CALLER, 'POST', '/v1/target-groups', { body })).body.data.id;
  }

  /** The fields that were found faulty. */
  async function faultyFields(body: object): Promise<string[]> {
    const before = service.documents.text();
    const answer = await create(body);
    expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([400, 'VALIDATION_ERROR']);
    expect(service.documents.text()).to.equal(before);
    return answer.body.details.map(({ field }: { field: string }) => field);
  }

  it('creates a flag with what is named and defaults for the rest', async () => {
    const answer = await create({ key: 'new-checkout' });
    expect(answer.status).to.equal(201);
    const { id, createdAt, updatedAt, ...rest } = answer.body.data;
    expect(rest).to.deep.equal({
      ...{ organizationId: 'org_one', websiteId: null, key: 'new-checkout', name: 'new-checkout' },
      ...{ description: '', type: 'boolean', status: 'active', defaultValue: false, payload: null },
      ...{ rolloutPercentage: 0, rolloutBy: 'user', rules: [], variants: [], dependencies: [] },
      ...{ environment: null, targetGroupIds: [], createdBy: 'key_all' },
    });
    expect(answer.headers.get('location')).to.equal(`/v1/flags/${id}`);
    expect(answer.headers.get('etag')).to.equal('"1"');
    expect(createdAt).to.equal(updatedAt);
    const read = await service.ask(KEY_CALLER, 'GET', `/v1/flags/${id}`);
    expect(read.body.data).to.deep.equal(answer.body.data);
  });

  it('keeps every field as it was written', async () => {
    await created({ key: 'base' });
    const full = {
      ...{ key: 'full', websiteId: 'web_shop', name: 'Full', description: 'all of it', type: 'multivariant' },
      ...{ status: 'inactive', defaultValue: true, payload: [1, { a: null }], rolloutPercentage: 12.5 },
      rolloutBy: 'team',
      rules: [
        RULE,
        { type: 'property', operator: 'in', field: 'plan', values: ['pro', 7, true], enabled: false },
        { type: 'property', operator: 'equals', value: 30, enabled: true },
        { type: 'email', operator: 'equals', batch: true, batchValues: ['a@x.de'], enabled: true },
      ],
      variants: [
        { key: 'a', value: 'green', type: 'string', weight: 33.3 },
        { key: 'b', value: 3, type: 'number', weight: 33.3 },
        { key: 'c', value: { x: [1] }, type: 'json', weight: 33.4 },
      ],
      ...{ dependencies: ['base'], environment: 'staging', targetGroupIds: [await group()] },
    };
    expect(await created(full)).to.deep.include(full);
  });

  it('names every fault at once, and writes nothing', async () => {
    const faulty = {
      ...{ key: 'a b', name: '', type: 'bool', rolloutPercentage: 101, colour: 'red' },
      ...{ rules: [{ type: 'user_id', operator: 'in', enabled: true }], dependencies: ['gone'] },
      ...{ targetGroupIds: ['tgt_none'], variants: [{ key: 'v', value: 1, type: 'string' }] },
    };
    const fields = ['key', 'name', 'type', 'rolloutPercentage', 'colour', 'rules[0].values'];
    fields.push('dependencies[0]', 'targetGroupIds[0]', 'variants[0].value');
    expect(await faultyFields(faulty)).to.have.members(fields);
    for (const body of [[], 'null', '7']) {
      const answer = await service.ask(KEY_CALLER, 'POST', '/v1/flags', { body });
      expect(answer.status).to.equal(400);
    }
    expect(await faultyFields({})).to.deep.equal(['key']);
  });

  it('refuses what a rule, a variant or a payload may not be', async () => {
    const rows: [given: object, field: string][] = [
      [{ rules: [{ ...RULE, operator: 'near' }] }, 'rules[0].operator'],
      [{ rules: [{ ...RULE, field: 'plan' }] }, 'rules[0].field'],
      [{ rules: [{ ...RULE, value: undefined }] }, 'rules[0].value'],
      [{ rules: [{ ...RULE, value: '' }] }, 'rules[0].value'],
      [{ rules: [{ ...RULE, values: ['u2'] }] }, 'rules[0].values'],
      [{ rules: [{ ...RULE, operator: 'exists' }] }, 'rules[0].value'],
      [{ rules: [{ ...RULE, type: 'property' }] }, 'rules[0].field'],
      [{ rules: [{ ...RULE, type: 'property', value: 101 }] }, 'rules[0].value'],
      [{ rules: [{ ...RULE, batch: true, batchValues: ['u2'] }] }, 'rules[0].value'],
      [{ rules: [{ ...RULE, value: undefined, batch: true }] }, 'rules[0].batchValues'],
      [{ rules: [{ ...RULE, batchValues: ['u2'] }] }, 'rules[0].batchValues'],
      [{ rules: [{ ...RULE, unknown: 1 }] }, 'rules[0].unknown'],
      [{ rules: Array(101).fill(RULE) }, 'rules'],
      [
        { rules: [{ ...RULE, operator: 'in', value: undefined, values: Array(1_001).fill('u') }] },
        'rules[0].values',
      ],
      [
        {
          rules: Array(11).fill({
            ...RULE,
            operator: 'in',
            value: undefined,
            values: Array(1_000).fill('u'),
          }),
        },
        'rules',
      ],
      [{ variants: [variant('a', 50), variant('b', 49)] }, 'variants'],
      [{ variants: [variant('a', 0)] }, 'variants'],
      [{ variants: [variant('a', 100), variant('b')] }, 'variants[1].weight'],
      [{ variants: [variant('a'), variant('a')] }, 'variants[1].key'],
      [{ variants: [{ ...variant('a'), type: 'number' }] }, 'variants[0].value'],
      [{ variants: [{ key: 'a', type: 'json' }] }, 'variants[0].value'],
      [{ type: 'multivariant' }, 'variants'],
      [{ payload: 'x'.repeat(16_384) }, 'payload'],
      [{ environment: 'a b' }, 'environment'],
      [{ dependencies: ['f'] }, 'dependencies'],
      [{ key: 'x'.repeat(101) }, 'key'],
    ];
    for (const [given, field] of rows) {
      const body = { key: 'f', ...given };
      expect(await faultyFields(body), JSON.stringify(given).slice(0, 200)).to.deep.equal([field]);
    }
    await created({ key: 'f', payload: 'x'.repeat(16_382) });
  });

  function variant(key: string, weight?: number) {
    return { key, value: 'v', type: 'string', ...(weight === undefined ? {} : { weight }) };
  }

  it('suggests the field and the flag that were probably meant', async () => {
    await created({ key: 'checkout' });
    const { body } = await create({ key: 'f', descripton: 'x', dependencies: ['chekout'] });
    const suggestions = body.details.map((detail: { suggestion?: string }) => detail.suggestion);
    expect(suggestions).to.deep.equal(['description', 'checkout']);
  });

  it('lets one of 100 parallel creates of a key win; the others are CONFLICT', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => create({ key: 'one', websiteId: 'web_shop' })),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'CONFLICT')).to.have.length(
      99,
    );
    expect(await service.documents.flags.all('org_one')).to.have.length(1);
    // The same key in another scope is another flag.
    await created({ key: 'one' });
    await created({ key: 'one', websiteId: 'web_blog' });
    await create({ key: 'one' }, FOREIGN).then(({ status }) => expect(status).to.equal(201));
  });

  it('changes what is named and keeps the rest; key and website never change', async () => {
    const { id } = await created({ key: 'f', description: 'old', rules: [RULE] });
    const answer = await change(id, { description: 'new', status: 'archived' });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('etag')).to.equal('"2"');
    expect(answer.body.data).to.deep.include({ description: 'new', status: 'archived', rules: [RULE] });
    for (const body of [
      { key: 'g' },
      { websiteId: 'web_shop' },
      { scopeId: 'web_shop' },
      { type: 'multivariant' },
    ]) {
      expect((await change(id, body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect((await change(id, {})).headers.get('etag')).to.equal('"2"');
  });

  it('lets one of two writers with If-Match win; the other gets 412', async () => {
    const { id } = await created({ key: 'f' });
    const answers = await Promise.all(['a', 'b'].map((name) => change(id, { name }, { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
    expect((await remove(id, { 'if-match': '"1"' })).status).to.equal(412);
    expect((await remove(id, { 'if-match': '"2"' })).status).to.equal(204);
    expect((await remove(id)).status).to.equal(404);
  });

  it('closes no circle of dependencies, by change or by creation', async () => {
    const a = await created({ key: 'a' });
    await created({ key: 'b', dependencies: ['a'] });
    await created({ key: 'c', dependencies: ['b'] });
    const answer = await change(a.id, { dependencies: ['c'] });
    expect([answer.status, answer.body.details]).to.deep.equal([
      400,
      [{ field: 'dependencies', message: 'They close a circle: a → c → b → a.' }],
    ]);
    // The website's own a would stand in place of the organization's, on which its w depends.
    await created({ key: 'w', websiteId: 'web_shop', dependencies: ['a'] });
    expect((await create({ key: 'a', websiteId: 'web_shop', dependencies: ['w'] })).status).to.equal(400);
    expect((await create({ key: 'o', dependencies: ['w'] })).status).to.equal(400);
  });

  it('closes no circle by parallel writes: one of two is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const [x, y] = [`x${round}`, `y${round}`];
      const [one, other] = [await created({ key: x }), await created({ key: y })];
      const answers = await Promise.all([
        change(one.id, { dependencies: [y] }),
        change(other.id, { dependencies: [x] }),
      ]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    }
  });

  it('deletes no flag that others depend on, and names them', async () => {
    const base = await created({ key: 'base' });
    const own = await created({ key: 'base', websiteId: 'web_blog' });
    await created({ key: 'needs', dependencies: ['base'] });
    await created({ key: 'shop-needs', websiteId: 'web_shop', dependencies: ['base'] });
    const blog = await created({ key: 'blog-needs', websiteId: 'web_blog', dependencies: ['base'] });
    const answer = await remove(base.id);
    expect([answer.status, answer.body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(answer.body.error).to.include('needs, shop-needs (web_shop).').and.not.include('blog-needs');
    expect((await remove(own.id)).body.error).to.include('blog-needs (web_blog)');
    expect((await remove(blog.id)).status).to.equal(204);
    expect((await remove(own.id)).status).to.equal(204);
  });

  it('leaves an audit record of each write, with the names of fields and never their values', async () => {
    const { id } = await created({ key: 'f', payload: 'hidden' });
    await change(id, { name: 'x' });
    await remove(id);
    const records = await service.documents.auditRecords.all('org_one');
    expect(records.map(({ action, targetId, fields }) => [action, targetId, fields])).to.deep.equal([
      ['flag.create', id, ['key', 'payload']],
      ['flag.change', id, ['name']],
      ['flag.delete', id, []],
    ]);
    expect(JSON.stringify(records)).to.not.include('hidden');
  });
});
