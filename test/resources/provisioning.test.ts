/** Holds the application of PROVISION_FILE to contract.md section 8: idempotent, and never against what the API wrote. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  applyProvisioning,
  type ProvisioningReport,
} from '../../services/resources/provisioning/apply-provisioning.ts';
import { ProvisioningError } from '../../services/resources/provisioning/provisioning-fault.ts';
import { createApiKeyText, hashApiKey } from '../../services/shared/credentials/api-key-text.ts';
import { hashPassword, verifyPassword } from '../../services/shared/credentials/password.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { createMemoryDocumentStore } from '../support/memory-document-store.ts';
import { createTestClock } from '../support/test-clock.ts';

const KEY = createApiKeyText('tg', randomBytes);
const OTHER_KEY = createApiKeyText('tg', randomBytes);

/** A file with one of everything; each option replaces a line. */
function fileText(
  options: Partial<Record<'organization' | 'user' | 'password' | 'website' | 'key' | 'extra', string>> = {},
) {
  return `
organizations:
  - id: org_one
    name: One
    plan: pro
    limits: {perMinute: 5000}
    ${options.organization ?? ''}
    users:
      - {email: Ada@example.com, ${options.password ?? 'password: correct-horse'}, ${options.user ?? 'role: owner'}}
    websites:
      - {id: web_shop, ${options.website ?? 'name: Shop, domain: shop.example.com'}}
    apiKeys:
      - {id: key_server, ${options.key ?? `name: Server, key: ${KEY}`}, scopes: [track:events, read:data], access: {level: website, websiteIds: [web_shop]}}
${options.extra ?? ''}`;
}

const ALL = [
  'organization/org_one/org_one',
  'website/org_one/web_shop',
  'user/org_one/ada@example.com',
  'apiKey/org_one/key_server',
];

describe('provisioning', () => {
  const clock = createTestClock();
  let documents: ReturnType<typeof createMemoryDocumentStore>;
  const ids = createIds();

  beforeEach(() => {
    documents = createMemoryDocumentStore(clock);
  });

  function apply(text: string): Promise<ProvisioningReport> {
    return applyProvisioning({ documents, ids }, { file: 'p.yml', text, plans: ['free', 'pro'] });
  }
  async function faultsOf(text: string): Promise<string[]> {
    const outcome = await apply(text).catch((error: unknown) => error);
    if (outcome instanceof ProvisioningError) return outcome.message.split('\n');
    throw new Error(`no faults but ${JSON.stringify(outcome)}`);
  }
  async function storedKey(): Promise<ApiKey> {
    const key = await documents.apiKeys.get('org_one', 'key_server');
    if (!key) throw new Error('key_server is not there');
    return key;
  }
  async function storedUser() {
    const user = await documents.users.findUnique('email', ['ada@example.com']);
    if (!user) throw new Error('ada is not there');
    return user;
  }

  it('writes organizations, users with their role, websites and keys as the file says', async () => {
    const report = await apply(fileText());
    expect(report).to.deep.equal({ applied: ALL, unchanged: [], warnings: [] });
    expect(await documents.organizations.get('org_one', 'org_one')).to.include({ name: 'One', plan: 'pro' });
    expect((await documents.organizations.get('org_one', 'org_one'))?.limits).to.deep.equal({
      perMinute: 5000,
    });
    expect(await documents.websites.get('org_one', 'web_shop')).to.deep.include({
      name: 'Shop',
      domain: 'shop.example.com',
      isPublic: false,
      settings: {},
    });
    const user = await storedUser();
    expect(await verifyPassword(user.passwordHash, 'correct-horse')).to.equal(true);
    const membership = await documents.memberships.findUnique('organizationUser', ['org_one', user.id]);
    expect(membership).to.include({ organizationId: 'org_one', userId: user.id, role: 'owner' });
    expect(await storedKey()).to.deep.include({
      name: 'Server',
      keyHash: hashApiKey(KEY),
      start: KEY.slice(0, 8),
      last4: KEY.slice(-4),
      scopes: ['track:events', 'read:data'],
      access: { level: 'website', websiteIds: ['web_shop'] },
      enabled: true,
      expiresAt: null,
      revokedAt: null,
      createdBy: 'provisioning',
    });
  });

  it('keeps instants in UTC with milliseconds', async () => {
    await apply(
      fileText({ key: `name: S, key: ${KEY}, expiresAt: "2030-01-01T00:00:00+01:00", enabled: false` }),
    );
    expect(await storedKey()).to.include({ expiresAt: '2029-12-31T23:00:00.000Z', enabled: false });
  });

  it('stores neither the text of a key nor a password', async () => {
    await apply(fileText());
    expect(documents.text()).to.not.include(KEY).and.not.include('correct-horse');
  });

  it('stores nothing that is faster to guess a password by than its argon2id text', async () => {
    await apply(fileText());
    const first = (await documents.provisionedEntries.all('org_one')).map((entry) => entry.textHash);
    documents = createMemoryDocumentStore(clock);
    await apply(fileText({ password: 'password: battery-staple' }));
    const second = (await documents.provisionedEntries.all('org_one')).map((entry) => entry.textHash);
    expect(second).to.deep.equal(first);
  });

  it('changes nothing when the same file is applied again, whatever the order of its keys', async () => {
    await apply(fileText());
    const before = documents.text();
    clock.advance(60_000);
    const again = await apply(fileText({ website: 'domain: shop.example.com, name: Shop' }));
    expect(again).to.deep.equal({ applied: [], unchanged: ALL, warnings: [] });
    expect(documents.text()).to.equal(before);
  });

  it('applies only the entry whose text changed', async () => {
    await apply(fileText());
    const report = await apply(fileText({ website: 'name: Big shop, domain: shop.example.com' }));
    expect(report.applied).to.deep.equal(['website/org_one/web_shop']);
    expect(await documents.websites.get('org_one', 'web_shop')).to.include({ name: 'Big shop', version: 2 });
  });

  it('leaves what the API wrote since, until the text of that entry changes', async () => {
    await apply(fileText());
    await documents.websites.update('org_one', 'web_shop', 1, { name: 'By the API' });
    await documents.organizations.update('org_one', 'org_one', 1, { plan: 'free' });
    await apply(fileText());
    expect(await documents.websites.get('org_one', 'web_shop')).to.include({ name: 'By the API' });
    expect(await documents.organizations.get('org_one', 'org_one')).to.include({ plan: 'free' });
    await apply(fileText({ website: 'name: By the file, domain: shop.example.com' }));
    expect(await documents.websites.get('org_one', 'web_shop')).to.include({ name: 'By the file' });
    expect(await documents.organizations.get('org_one', 'org_one')).to.include({ plan: 'free' });
  });

  it('does not bring back what the API removed while its text stays', async () => {
    await apply(fileText());
    await documents.websites.remove('org_one', 'web_shop');
    const report = await apply(fileText());
    expect(report.applied).to.deep.equal([]);
    expect(await documents.websites.get('org_one', 'web_shop')).to.equal(null);
  });

  it('never clears a revocation or enables a disabled key, and says so', async () => {
    await apply(fileText());
    const revokedAt = '2026-03-01T13:00:00.000Z';
    await documents.apiKeys.update('org_one', 'key_server', 1, { revokedAt, enabled: false });
    const report = await apply(fileText({ key: `name: Renamed, key: ${KEY}, enabled: true` }));
    expect(await storedKey()).to.include({ name: 'Renamed', revokedAt, enabled: false });
    expect(report.warnings).to.deep.equal([
      'the API key key_server is revoked and stays revoked',
      'the API key key_server is disabled and stays disabled',
    ]);
  });

  it('revokes and disables a key that the file revokes and disables', async () => {
    await apply(fileText());
    await apply(fileText({ key: `name: S, key: ${KEY}, revokedAt: "2026-01-01T00:00:00Z", enabled: false` }));
    expect(await storedKey()).to.include({ revokedAt: '2026-01-01T00:00:00.000Z', enabled: false });
  });

  it('changes a secret that the file set, and never brings back one that was rotated since', async () => {
    await apply(fileText());
    await apply(fileText({ key: `name: S, key: ${OTHER_KEY}` }));
    expect(await storedKey()).to.include({ keyHash: hashApiKey(OTHER_KEY), last4: OTHER_KEY.slice(-4) });
    const { version } = await storedKey();
    await documents.apiKeys.update('org_one', 'key_server', version, { keyHash: 'f'.repeat(64) });

    await apply(fileText({ key: `name: Renamed, key: ${OTHER_KEY}` }));
    expect(await storedKey()).to.include({ name: 'Renamed', keyHash: 'f'.repeat(64) });
    const report = await apply(fileText({ key: `name: Renamed, key: ${KEY}` }));
    expect(await storedKey()).to.include({ keyHash: 'f'.repeat(64) });
    expect(report.warnings).to.deep.equal([
      'the secret of the API key key_server was not set by this file and stays',
    ]);
  });

  it('sets a password that the file changed, alone', async () => {
    await apply(fileText());
    const report = await apply(fileText({ password: 'password: battery-staple' }));
    expect(report.applied).to.deep.equal(['user/org_one/ada@example.com']);
    expect(await verifyPassword((await storedUser()).passwordHash, 'battery-staple')).to.equal(true);
    expect((await apply(fileText({ password: 'password: battery-staple' }))).applied).to.deep.equal([]);
  });

  it('takes a password as argon2id text as it is', async () => {
    const passwordHash = await hashPassword('from-elsewhere');
    await apply(fileText({ password: `passwordHash: "${passwordHash}"` }));
    expect((await storedUser()).passwordHash).to.equal(passwordHash);
    expect((await apply(fileText({ password: `passwordHash: "${passwordHash}"` }))).applied).to.deep.equal(
      [],
    );
  });

  it('never overwrites a password that was changed since, and says so once', async () => {
    await apply(fileText());
    const user = await storedUser();
    const own = await hashPassword('chosen-by-ada');
    await documents.users.update(user.id, user.id, user.version, { passwordHash: own });

    expect((await apply(fileText())).warnings).to.deep.equal([]);
    expect((await storedUser()).passwordHash).to.equal(own);
    await apply(fileText({ user: 'role: admin' }));
    expect((await storedUser()).passwordHash).to.equal(own);

    const changed = fileText({ user: 'role: admin', password: 'password: battery-staple' });
    expect((await apply(changed)).warnings).to.deep.equal([
      'the password of ada@example.com was not set by this file and stays',
    ]);
    expect((await storedUser()).passwordHash).to.equal(own);
    expect((await apply(changed)).warnings).to.deep.equal([]);
  });

  it('changes a role, and gives one user a role in each organization', async () => {
    const second =
      '  - {id: org_two, name: Two, plan: free, users: [{email: ada@example.com, password: correct-horse, role: viewer}]}';
    await apply(fileText({ user: 'role: admin', extra: second }));
    const user = await storedUser();
    const roleIn = async (id: string) =>
      (await documents.memberships.findUnique('organizationUser', [id, user.id]))?.role;
    expect([await roleIn('org_one'), await roleIn('org_two')]).to.deep.equal(['admin', 'viewer']);
    await apply(fileText({ user: 'role: owner', extra: second }));
    expect([await roleIn('org_one'), await roleIn('org_two')]).to.deep.equal(['owner', 'viewer']);
  });

  it('warns of an entry that left the file and leaves its document', async () => {
    await apply(fileText());
    const { warnings } = await apply(
      'organizations: [{id: org_one, name: One, plan: pro, limits: {perMinute: 5000}}]',
    );
    const rest = 'of org_one is no longer in the file; it stays, remove it through the API';
    expect([...warnings].sort()).to.deep.equal([
      `the API key key_server ${rest}`,
      `the user ada@example.com ${rest}`,
      `the website web_shop ${rest}`,
    ]);
    expect(await documents.websites.get('org_one', 'web_shop')).to.not.equal(null);
    expect((await apply('organizations: []')).warnings).to.include(
      'the organization org_one is no longer in the file; it stays, remove it through the API',
    );
  });

  it('lets a key name a website that the API made', async () => {
    const own = { id: 'web_api', organizationId: 'org_one', name: 'A', domain: 'api.example.com' };
    await apply(fileText());
    await documents.websites.insert({ ...own, isPublic: false, settings: {} });
    const text = `organizations: [{id: org_one, name: One, plan: pro, apiKeys: [{id: key_b, name: B, key: ${OTHER_KEY}, scopes: [read:data], access: {level: website, websiteIds: [web_api]}}]}]`;
    expect((await apply(text)).applied).to.include('apiKey/org_one/key_b');
  });

  it('refuses what belongs to another organization or is taken, all at once, and writes nothing', async () => {
    await documents.websites.insert({
      id: 'web_shop',
      organizationId: 'org_other',
      name: 'F',
      domain: 'f.example.com',
      isPublic: false,
      settings: {},
    });
    await documents.websites.insert({
      id: 'web_held',
      organizationId: 'org_one',
      name: 'H',
      domain: 'shop.example.com',
      isPublic: false,
      settings: {},
    });
    await documents.apiKeys.insert({
      id: 'key_held',
      organizationId: 'org_other',
      name: 'H',
      keyHash: hashApiKey(KEY),
      start: '',
      last4: '',
      scopes: ['read:data'],
      access: { level: 'global' },
      enabled: true,
      expiresAt: null,
      revokedAt: null,
      createdBy: 'cli',
    });
    const before = documents.text();
    expect(await faultsOf(fileText())).to.deep.equal([
      'p.yml:11: organizations[0].websites[0].id: came "web_shop", which belongs to another organization; allowed: an identifier of its own',
      'p.yml:11: organizations[0].websites[0].domain: came "shop.example.com", which the website web_held has; allowed: one website per domain',
      'p.yml:13: organizations[0].apiKeys[0].key: came a key that exists under another identifier; allowed: one use',
    ]);
    expect(documents.text()).to.equal(before);
  });

  it('finishes what an interrupted application began', async () => {
    const insert = documents.apiKeys.insert;
    documents.apiKeys.insert = () => Promise.reject(new Error('the power went'));
    const outcome = await apply(fileText()).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(Error).with.property('message', 'the power went');
    documents.apiKeys.insert = insert;
    expect((await apply(fileText())).applied).to.deep.equal(['apiKey/org_one/key_server']);
    expect((await apply(fileText())).applied).to.deep.equal([]);
  });
});
