/** The list of keys by last use, which lies apart from the keys themselves. */
import { expect } from 'chai';
import {
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const OWNER = sessionOf('owner');
const KEY = { scopes: ['track:events'], access: { level: 'global' } };

describe('API keys by last use', () => {
  let service: ResourcesService;

  before(async () => {
    service = await startResourcesService();
    const ids: string[] = [];
    for (const name of ['never', 'old', 'new', 'never too']) {
      const { body } = await service.ask(OWNER, 'POST', '/v1/api-keys', { body: { ...KEY, name } });
      ids.push(body.data.id);
    }
    const owned = { organizationId: 'org_one' };
    await service.documents.recordApiKeyUses([
      { ...owned, apiKeyId: ids[1] ?? '', lastUsedAt: '2026-03-01T12:05:00.000Z' },
      { ...owned, apiKeyId: ids[2] ?? '', lastUsedAt: '2026-03-02T12:05:00.000Z' },
    ]);
  });
  after(() => service.close());

  const page = async (query: string, caller = OWNER) => {
    const { body } = await service.ask(caller, 'GET', `/v1/api-keys?${query}`);
    return { names: body.data.map((key: { name: string }) => key.name), cursor: body.nextCursor };
  };

  it('begin with those that were never used, and turned round with the last one used', async () => {
    expect((await page('sort=lastUsedAt')).names).to.deep.equal(['never', 'never too', 'old', 'new']);
    expect((await page('sort=-lastUsedAt')).names).to.deep.equal(['new', 'old', 'never too', 'never']);
  });

  it('come in pages without gap or overlap, are searched, and are those of the organization alone', async () => {
    const first = await page('sort=-lastUsedAt&limit=3');
    const rest = await page(`sort=-lastUsedAt&limit=3&cursor=${first.cursor}`);
    expect([...first.names, ...rest.names]).to.deep.equal(['new', 'old', 'never too', 'never']);
    expect(rest.cursor).to.equal(undefined);
    expect((await page('sort=-lastUsedAt&search=NEVER')).names).to.deep.equal(['never too', 'never']);
    const foreign = sessionOf('owner', { organizationId: 'org_two' });
    expect((await page('sort=lastUsedAt', foreign)).names).to.deep.equal([]);
    for (const query of [
      `sort=lastUsedAt&cursor=${first.cursor}`,
      'sort=lastUsedat',
      'sort=lastUsedAt&limit=0',
    ]) {
      expect((await service.ask(OWNER, 'GET', `/v1/api-keys?${query}`)).status, query).to.equal(400);
    }
  });
});
