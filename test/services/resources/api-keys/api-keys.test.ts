/** Holds creating and listing API keys to contract.md section 3, whoever asks for it. */

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createApiKey } from '../../../../services/resources/api-keys/create-api-key.ts';
import { listApiKeys } from '../../../../services/resources/api-keys/list-api-keys.ts';
import type { ApiKeyInput } from '../../../../services/resources/api-keys/schema.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../../services/shared/credentials/api-key-text.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const GOOD: ApiKeyInput = { name: 'Server', scopes: ['track:events'], access: { level: 'global' } };
const SCOPES =
  'read:data, track:events, read:links, write:links, manage:websites, manage:flags, manage:config';

describe('API keys of the resources service', () => {
  const clock = createTestClock('2026-03-01T12:00:00.000Z');
  let documents: ReturnType<typeof createMemoryDocumentStore>;

  const ids = createIds();
  const scopes = () => SHIPPED_CATALOGUE;

  beforeEach(async () => {
    documents = createMemoryDocumentStore(clock);
    const website = { organizationId: 'org_one', name: 'Shop', isPublic: false, settings: {} };
    await documents.websites.insert({ ...website, id: 'web_shop', domain: 'shop.example.com' });
    await documents.websites.insert({
      ...website,
      id: 'web_far',
      organizationId: 'org_two',
      domain: 'far.example.com',
    });
  });

  function create(asked: ApiKeyInput) {
    const ports = { documents, ids, clock, randomBytes, scopes };
    return createApiKey(ports, { organizationId: 'org_one', createdBy: 'usr_ada', prefix: 'tg' }, asked);
  }
  async function faultsOf(asked: ApiKeyInput): Promise<unknown> {
    const outcome = await create(asked).catch((error: unknown) => error);
    if (outcome instanceof ApiError && outcome.code === 'VALIDATION_ERROR') return outcome.details;
    throw new Error('it was not refused with VALIDATION_ERROR');
  }

  it('stores the hash and shows the text this once', async () => {
    const { apiKey, secret } = await create({ ...GOOD, expiresAt: '2027-01-01T00:00:00+01:00' });
    expect(isWellFormedApiKey(secret)).to.equal(true);
    expect(apiKey).to.deep.include({
      organizationId: 'org_one',
      name: 'Server',
      start: secret.slice(0, 8),
      last4: secret.slice(-4),
      scopes: ['track:events'],
      access: { level: 'global' },
      enabled: true,
      expiresAt: '2026-12-31T23:00:00.000Z',
      revokedAt: null,
      createdBy: 'usr_ada',
    });
    const stored = await documents.apiKeys.findUnique('keyHash', [hashApiKey(secret)]);
    expect(stored?.id).to.equal(apiKey.id).and.match(/^key_/);
    expect(documents.text()).to.not.include(secret);
  });

  it('lists the keys of one organization, oldest first, without hash and text', async () => {
    const first = await create(GOOD);
    const second = await create({ ...GOOD, access: { level: 'website', websiteIds: ['web_shop'] } });
    expect(await listApiKeys({ documents, scopes }, 'org_one')).to.deep.equal([first.apiKey, second.apiKey]);
    expect(JSON.stringify(await listApiKeys({ documents, scopes }, 'org_one'))).to.not.include(
      hashApiKey(first.secret),
    );
    expect(await listApiKeys({ documents, scopes }, 'org_two')).to.deep.equal([]);
  });

  it('refuses every fault at once, in words that say what is allowed', async () => {
    const asked = {
      name: '',
      scopes: ['read:dat'],
      access: { level: 'website', websiteIds: [] },
      expiresAt: 'soon',
    };
    expect(await faultsOf(asked as unknown as ApiKeyInput)).to.deep.equal([
      { field: 'name', message: 'Allowed: a text of 1 to 100 characters.' },
      {
        field: 'scopes[0]',
        message: `Unknown scope "read:dat". Allowed: ${SCOPES}.`,
        suggestion: 'read:data',
      },
      {
        field: 'access.websiteIds',
        message:
          'Allowed: {level: global} or {level: website, websiteIds: [1 to 1000 websites of the organization, each once]}.',
      },
      {
        field: 'expiresAt',
        message: 'Allowed: an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z".',
      },
    ]);
    expect(await listApiKeys({ documents, scopes }, 'org_one')).to.deep.equal([]);
  });

  it('refuses no scope, a scope twice and an instant that has passed', async () => {
    expect(await faultsOf({ ...GOOD, scopes: [] })).to.deep.equal([
      { field: 'scopes', message: `Allowed: a list of one or more of ${SCOPES}.` },
    ]);
    expect(await faultsOf({ ...GOOD, scopes: ['read:data', 'read:data'] })).to.deep.equal([
      { field: 'scopes', message: 'Name each scope once.' },
    ]);
    expect(await faultsOf({ ...GOOD, expiresAt: '2026-03-01T12:00:00Z' })).to.deep.equal([
      { field: 'expiresAt', message: '2026-03-01T12:00:00Z has passed. Allowed: an instant to come.' },
    ]);
  });

  it('refuses an instant whose offset carries it out of the years 0 to 9999, and takes the last one within', async () => {
    for (const expiresAt of [
      '9999-12-31T23:59:59-14:00',
      '9999-12-31T23:59:59.999-00:01',
      '0000-01-01T00:00:00+00:01',
    ]) {
      const faults = await faultsOf({ ...GOOD, expiresAt });
      expect((faults as { field: string; message: string }[])[0]).to.deep.equal({
        field: 'expiresAt',
        message: 'Allowed: an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z".',
      });
    }
    const { apiKey } = await create({ ...GOOD, expiresAt: '9999-12-31T23:59:59-00:00' });
    expect(apiKey.expiresAt).to.equal('9999-12-31T23:59:59.000Z');
  });

  it('takes 1000 websites, each once, and no more', async () => {
    const websites = Array.from({ length: 1_001 }, (_, i) => `web_${i}`);
    const shop = await documents.websites.get('org_one', 'web_shop');
    documents.websites.all = async () => websites.map((id) => ({ ...shop, id }) as NonNullable<typeof shop>);
    const limited = (websiteIds: string[]) => ({
      ...GOOD,
      access: { level: 'website' as const, websiteIds },
    });
    expect((await create(limited(websites.slice(0, 1_000)))).apiKey.access).to.deep.equal({
      level: 'website',
      websiteIds: websites.slice(0, 1_000),
    });
    expect(await faultsOf(limited(websites))).to.deep.equal([
      { field: 'access.websiteIds', message: 'Came 1001 elements. Allowed: at most 1000.' },
    ]);
    expect(await faultsOf(limited(['web_1', 'web_2', 'web_1']))).to.deep.equal([
      { field: 'access.websiteIds', message: 'Name each website once.' },
    ]);
  });

  it('lists the first 100 of many faults and how many more there are', async () => {
    const websiteIds = Array.from({ length: 1_000 }, (_, i) => `website_${i}`);
    const faults = await faultsOf({ ...GOOD, access: { level: 'website', websiteIds } });
    expect(faults).to.have.length(101);
    expect((faults as unknown[]).slice(99)).to.deep.equal([
      { field: 'access.websiteIds[99]', message: 'The organization has no website "website_99".' },
      { field: 'details', message: 'And 900 more, which are not listed.' },
    ]);
  });

  it("refuses websites that the organization does not have, another organization's among them", async () => {
    const access = { level: 'website' as const, websiteIds: ['web_shop', 'web_shpo', 'web_far'] };
    expect(await faultsOf({ ...GOOD, access })).to.deep.equal([
      {
        field: 'access.websiteIds[1]',
        message: 'The organization has no website "web_shpo".',
        suggestion: 'web_shop',
      },
      { field: 'access.websiteIds[2]', message: 'The organization has no website "web_far".' },
    ]);
  });
});
