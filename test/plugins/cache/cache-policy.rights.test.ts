/** Keys of one organization at the cache policy: those with other rights never get each other's answers. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createApiKey } from '../../../services/resources/api-keys/create-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { type ShopGateway, startShopGateway } from '../../support/start-shop-gateway.ts';

describe('the cache policy and the rights of keys', () => {
  const organizationId = 'org_rights';
  let shop: ShopGateway;
  let count = 0;
  before(async () => {
    shop = await startShopGateway(
      {
        ...{ steps: [], late: ['- cache: [{ action: { seconds: 60 } }]'], plugins: ['cache'] },
        endpoint: ['paths: "/shop/*"', 'access: optional'],
      },
      (_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end(`${++count}`),
    );
    await shop.organization(organizationId, 'scale');
    for (const id of ['web_rights_1', 'web_rights_2']) {
      const domain = `${id.replaceAll('_', '-')}.example.com`;
      await shop.documents.websites.insert({
        ...{ id, organizationId, name: id, domain, isPublic: false, settings: {} },
      });
    }
  });
  after(() => shop.close());

  type Input = Parameters<typeof createApiKey>[2];
  const keyWith = async (input: Omit<Input, 'name'>) => {
    const { documents, clock } = shop;
    const ports = { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE };
    const owner = { organizationId, createdBy: 'test', prefix: 'tg' };
    return createApiKey(ports, owner, { name: 'key', ...input });
  };
  const get = async (path: string, key: string) => String((await shop.call('GET', path, { key })).body);

  it('keeps scopes, access levels and websites apart, and shares between equal keys', async () => {
    const inputs = [
      { scopes: ['read:data'], access: { level: 'global' } },
      { scopes: ['read:data', 'track:events'], access: { level: 'global' } },
      { scopes: ['read:data'], access: { level: 'website', websiteIds: ['web_rights_1'] } },
      { scopes: ['read:data'], access: { level: 'website', websiteIds: ['web_rights_1', 'web_rights_2'] } },
    ] as Omit<Input, 'name'>[];
    const keys = await Promise.all([...inputs, ...inputs].map(keyWith));
    const texts: string[] = [];
    for (const { secret } of keys) texts.push(await get('/shop/rights', secret));
    expect(new Set(texts).size).to.equal(inputs.length);
    expect(texts.slice(inputs.length)).to.deep.equal(texts.slice(0, inputs.length));
  });
});
