/** Secrets of integrations while keys of the secrets file change: readable with the old key, sealed anew, or plainly lost. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { resealIntegrations } from '../../../../services/resources/integrations/reseal-integrations.ts';
import { createSecretSealer } from '../../../../services/shared/credentials/secret-sealer.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import {
  KEY_CALLER,
  type ResourcesServiceOptions,
  startResourcesServiceOver,
} from '../../../support/start-resources-service.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const PATH = '/v1/integrations';
const OLD = { id: 'old-key', key: Buffer.alloc(32, 1) };
const NEW = { id: 'new-key', key: Buffer.alloc(32, 2) };
const GENERIC = {
  type: 'generic',
  name: 'Other',
  config: { secrets: { token: 'token-0123456789', pass: 'pass-0123456789' } },
};

/** The tokens of shares are sealed anew with them; there are none here. */
const NO_SHARES = { resealed: [], unreadable: [] };

describe('integrations while keys change', () => {
  const clock = createTestClock();
  let documents: ReturnType<typeof createMemoryDocumentStore>;
  const services: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    documents = createMemoryDocumentStore(clock);
    for (const id of ['org_one', 'org_two']) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });

  const sealerOf = (...keys: (typeof OLD)[]) => createSecretSealer(keys, randomBytes);
  /** The service with these keys, over the same documents. */
  async function withKeys(keys: (typeof OLD)[], options: ResourcesServiceOptions = {}) {
    const service = await startResourcesServiceOver(documents, clock, {
      sealer: sealerOf(...keys),
      ...options,
    });
    services.push(service);
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await service.ask(KEY_CALLER, method, path, body === undefined ? {} : { body });
      return { status: answer.status, data: answer.body?.data };
    };
    return { ask, create: async (body: object) => (await ask('POST', PATH, body)).data };
  }
  const stored = async (id: string) => {
    const found = await documents.integrations.get('org_one', id);
    if (!found) throw new Error(`there is no ${id}`);
    return found;
  };
  const keyIdsOf = async (id: string) => Object.values((await stored(id)).secrets).map(({ keyId }) => keyId);
  async function opened(id: string, ...keys: (typeof OLD)[]) {
    const { organizationId, secrets } = await stored(id);
    const texts = Object.entries(secrets).map(([field, secret]) => {
      const place = { organizationId, integrationId: id, field };
      return [field, sealerOf(...keys).open(place, secret)];
    });
    return Object.fromEntries(texts);
  }
  const TEXTS = { 'secrets.token': 'token-0123456789', 'secrets.pass': 'pass-0123456789' };

  it('stay readable with a new key before the old one, and are sealed with it at the next write', async () => {
    const { id, config } = await (await withKeys([OLD])).create(GENERIC);
    const { ask } = await withKeys([NEW, OLD]);
    const read = await ask('GET', `${PATH}/${id}`);
    expect(read.data).to.deep.include({ config, unreadableSecrets: [] });
    expect(await keyIdsOf(id)).to.deep.equal(['old-key', 'old-key']);
    expect((await ask('PATCH', `${PATH}/${id}`, { name: 'Renamed' })).data.config).to.deep.equal(config);
    expect(await keyIdsOf(id)).to.deep.equal(['new-key', 'new-key']);
    expect(await opened(id, NEW)).to.deep.equal(TEXTS);
  });

  it('are all sealed with the new key by one command, after which the old key may go', async () => {
    const { create } = await withKeys([OLD]);
    const ids = [(await create(GENERIC)).id, (await create(GENERIC)).id];
    const plain = {
      type: 'email_report',
      name: 'r',
      config: { recipients: ['a@example.com'], frequency: 'daily' },
    };
    const { id: withoutSecrets } = await create(plain);
    const report = await resealIntegrations(documents, sealerOf(NEW, OLD));
    expect(report).to.deep.equal({
      keyId: 'new-key',
      resealed: ids.map((integrationId) => {
        return { organizationId: 'org_one', integrationId, fields: ['secrets.token', 'secrets.pass'] };
      }),
      unreadable: [],
      shares: NO_SHARES,
    });
    for (const id of ids) expect(await opened(id, NEW)).to.deep.equal(TEXTS);
    const again = await resealIntegrations(documents, sealerOf(NEW));
    expect(again).to.deep.equal({ keyId: 'new-key', resealed: [], unreadable: [], shares: NO_SHARES });
    expect((await stored(withoutSecrets)).version).to.equal(1);
  });

  it('whose key is gone say so, stay as they are, and take a new secret', async () => {
    const { id, config } = await (await withKeys([OLD])).create(GENERIC);
    const { ask } = await withKeys([NEW]);
    const read = await ask('GET', `${PATH}/${id}`);
    expect(read.status).to.equal(200);
    const unreadableSecrets = ['secrets.token', 'secrets.pass'];
    expect(read.data).to.deep.include({ config, unreadableSecrets });
    expect((await ask('GET', PATH)).data).to.deep.equal([read.data]);
    const report = await resealIntegrations(documents, sealerOf(NEW));
    const named = { organizationId: 'org_one', integrationId: id, fields: unreadableSecrets };
    expect(report).to.deep.equal({ keyId: 'new-key', resealed: [], unreadable: [named], shares: NO_SHARES });

    // The masked text that came back leaves what cannot be opened: its key may return.
    expect((await ask('PATCH', `${PATH}/${id}`, { config })).status).to.equal(200);
    expect(await opened(id, OLD)).to.deep.equal(TEXTS);
    const set = await ask('PATCH', `${PATH}/${id}`, { config: { secrets: { token: 'another-token-1111' } } });
    expect(set.data).to.deep.include({ unreadableSecrets: ['secrets.pass'] });
    expect(await opened(id, NEW, OLD)).to.deep.equal({ ...TEXTS, 'secrets.token': 'another-token-1111' });
  });

  it('that were moved within the store to another integration are not opened there', async () => {
    const { ask, create } = await withKeys([OLD]);
    const [from, to] = [await create(GENERIC), await create(GENERIC)];
    const { secrets } = await stored(from.id);
    await documents.integrations.update('org_one', to.id, 1, { secrets });
    const read = await ask('GET', `${PATH}/${to.id}`);
    expect(read.data.unreadableSecrets).to.deep.equal(['secrets.token', 'secrets.pass']);
    const { 'secrets.token': token, 'secrets.pass': pass } = secrets;
    if (!token || !pass) throw new Error('there are no secrets');
    const swapped = { 'secrets.token': pass, 'secrets.pass': token };
    await documents.integrations.update('org_one', from.id, 1, { secrets: swapped });
    expect((await ask('GET', `${PATH}/${from.id}`)).data.unreadableSecrets).to.have.length(2);
  });

  it('are stored sealed only', async () => {
    const { id } = await (await withKeys([OLD])).create(GENERIC);
    expect(documents.text()).to.include(id);
    for (const text of Object.values(TEXTS)) expect(documents.text()).to.not.include(text);
  });

  it('take https only where the service runs for others', async () => {
    const { ask } = await withKeys([OLD]);
    const body = { type: 'webhook', name: 'w', config: { url: 'http://localhost/hook' } };
    expect((await ask('POST', PATH, body)).status).to.equal(400);
    const development = await withKeys([OLD], { allowsLocalHttp: true });
    expect((await development.ask('POST', PATH, body)).status).to.equal(201);
    const far = { ...body, config: { url: 'http://hooks.example.com/' } };
    expect((await development.ask('POST', PATH, far)).status).to.equal(400);
  });
});
