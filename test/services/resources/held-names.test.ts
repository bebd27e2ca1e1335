/** Writes of links, websites, flags, target groups, integrations and the organization lose nothing unsaid: every name and text is kept as it came, or refused. */
import { expect } from 'chai';
import {
  KEY_CALLER,
  type ResourcesService,
  startResourcesService,
} from '../../support/start-resources-service.ts';

describe('what writes of resources hold', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startResourcesService();
  });
  afterEach(() => service.close());

  /** The body as text, for names and texts that no literal says. */
  const ask = (method: string, path: string, json: string) =>
    service.ask(KEY_CALLER, method, path, { body: JSON.parse(json) });
  const faultsOf = async (method: string, path: string, json: string) => {
    const { status, body } = await ask(method, path, json);
    expect(status, JSON.stringify(body)).to.equal(400);
    return body.details.map(({ field }: { field: string }) => field);
  };
  async function integration(config: object): Promise<{ id: string; config: Record<string, unknown> }> {
    const body = { type: 'generic', name: 'Other', config };
    const answer = await service.ask(KEY_CALLER, 'POST', '/v1/integrations', { body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.data;
  }
  const numbered = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'long-enough-text']));

  it('the name "__proto__" is refused wherever it is no field, and creates nothing', async () => {
    expect(await faultsOf('POST', '/v1/flags', '{"key":"f","__proto__":{"a":1}}')).to.include('__proto__');
    for (const [field, value] of [
      ['payload', '{"a":[{"__proto__":1}]}'],
      ['variants', '[{"key":"v","type":"json","value":{"__proto__":1}}]'],
      ['rules', '[{"type":"email","operator":"exists","enabled":true,"__proto__":1}]'],
    ]) {
      const [fault] = await faultsOf('POST', '/v1/flags', `{"key":"f","${field}":${value}}`);
      expect(fault).to.match(new RegExp(`^${field}`));
    }
    const group = '{"name":"g","__proto__":{"rules":[]}}';
    expect(await faultsOf('POST', '/v1/target-groups', group)).to.include('__proto__');
    expect((await service.documents.flags.all('org_one')).length).to.equal(0);

    const link = '{"targetUrl":"https://x.example/","name":"l","__proto__":{"a":1}}';
    expect(await faultsOf('POST', '/v1/links', link)).to.deep.equal(['__proto__']);
    expect((await service.documents.links.all('org_one')).length).to.equal(0);
    const website = '{"name":"w","domain":"w.example","__proto__":{"a":1}}';
    expect(await faultsOf('POST', '/v1/websites', website)).to.deep.equal(['__proto__']);

    for (const field of ['settings', 'secrets']) {
      const config = `{"${field}":{"a":"long-enough-text","__proto__":"long-enough-text"}}`;
      const named = [`config.${field}.__proto__`];
      const create = `{"type":"generic","name":"x","config":${config}}`;
      expect(await faultsOf('POST', '/v1/integrations', create)).to.deep.equal(named);
      const { id } = await integration({});
      const change = `{"config":${config}}`;
      expect(await faultsOf('PATCH', `/v1/integrations/${id}`, change)).to.deep.equal(named);
    }
  });

  it('a payload may speak of it', async () => {
    const payload = { text: '"__proto__": is no name', constructor: 1, list: ['__proto__'] };
    const answer = await service.ask(KEY_CALLER, 'POST', '/v1/flags', { body: { key: 'f', payload } });
    expect(answer.body.data.payload).to.deep.equal(payload);
  });

  it('changes by name do not add up to more than an integration may hold; taking some away stays possible', async () => {
    const { id } = await integration({ settings: numbered('a', 30), secrets: numbered('s', 50) });
    const path = `/v1/integrations/${id}`;
    const change = (config: object) => service.ask(KEY_CALLER, 'PATCH', path, { body: { config } });
    expect((await change({ settings: numbered('b', 20) })).status).to.equal(200);
    const refused = await change({ settings: { more: 1 }, secrets: { more: 'long-enough-text' } });
    const fields = refused.body.details.map(({ field }: { field: string }) => field);
    expect([refused.status, fields]).to.deep.equal([400, ['config.settings', 'config.secrets']]);
    expect((await change({ settings: { more: 1, a0: null } })).status).to.equal(200);

    const stored = await service.documents.integrations.get('org_one', id);
    if (!stored) throw new Error('it is gone');
    await service.documents.integrations.update('org_one', id, stored.version, {
      config: { settings: numbered('c', 70) },
    });
    expect((await change({ settings: { c0: null } })).status).to.equal(200);
  });

  it('a masked secret comes back as it was read whatever it ends in, and a secret is whole or refused', async () => {
    const secrets = { line: 'long-enough-te\u2028xt', pair: 'long-enough-te\u{1f511}xt' };
    const { id, config } = await integration({ secrets });
    const before = await service.documents.integrations.get('org_one', id);
    const path = `/v1/integrations/${id}`;
    const back = await service.ask(KEY_CALLER, 'PATCH', path, { body: { config } });
    expect(back.status).to.equal(200);
    const after = await service.documents.integrations.get('org_one', id);
    expect(after?.secrets).to.deep.equal(before?.secrets);
    const half = '{"type":"generic","name":"x","config":{"secrets":{"half":"long-enough-text\\ud800"}}}';
    expect(await faultsOf('POST', '/v1/integrations', half)).to.deep.equal(['config.secrets.half']);
  });

  it('names are whole text without NUL, and one of nothing else is none', async () => {
    const { status, body } = await ask('PATCH', '/v1/organization', '{"name":"a\\u0000b\\ud800"}');
    expect([status, body.data?.name]).to.deep.equal([200, 'ab\ufffd']);
    expect(await faultsOf('PATCH', '/v1/organization', '{"name":"\\u0000"}')).to.deep.equal(['name']);
    expect(await faultsOf('POST', '/v1/flags', '{"key":"f","name":"\\u0000"}')).to.deep.equal(['name']);
    for (const path of ['/v1/target-groups', '/v1/websites']) {
      for (const blank of ['\\u0000', '   ', '\\u200b'])
        expect(await faultsOf('POST', path, `{"name":"${blank}","domain":"x.example.com"}`)).to.include(
          'name',
        );
    }
    const named = await ask('POST', '/v1/integrations', '{"type":"generic","name":"a\\u0000b","config":{}}');
    expect(named.body.data.name).to.equal('ab');
  });
});
