/** Holds the application of PROVISION_FILE to contract.md section 8: idempotent, and the API's writes survive it. */
import { expect } from 'chai';
import { ProvisioningError } from '../../../../services/resources/provisioning/provisioning-fault.ts';
import { hashApiKey } from '../../../../services/shared/credentials/api-key-text.ts';
import { verifyPassword } from '../../../../services/shared/credentials/password.ts';
import { createProvisionedStore, fileText, KEY, OTHER_KEY } from '../../../support/provisioned-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

type Store = ReturnType<typeof createProvisionedStore>;

const ALL = [
  'organization/org_one/org_one',
  'website/org_one/web_shop',
  'user/org_one/ada@example.com',
  'apiKey/org_one/key_server',
];

describe('provisioning', () => {
  const clock = createTestClock();
  let documents: Store['documents'];
  let apply: Store['apply'];
  let storedKey: Store['storedKey'];
  let storedUser: Store['storedUser'];

  beforeEach(() => {
    ({ documents, apply, storedKey, storedUser } = createProvisionedStore(clock));
  });

  async function faultsOf(text: string): Promise<string[]> {
    const outcome = await apply(text).catch((error: unknown) => error);
    if (outcome instanceof ProvisioningError) return outcome.message.split('\n');
    throw new Error(`no faults but ${JSON.stringify(outcome)}`);
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

  it('keeps a domain in its one form, in which an entry is the same in any spelling', async () => {
    const shop = (domain: string) => fileText().replace('shop.example.com', domain);
    await apply(shop('https://WWW.Shop.example.com:8443/de'));
    expect((await documents.websites.get('org_one', 'web_shop'))?.domain).to.equal('shop.example.com');
    expect((await apply(fileText())).applied).to.deep.equal([]);
    expect((await apply(shop('www.shop.example.com'))).applied).to.deep.equal([]);
  });

  it('keeps instants in UTC with milliseconds', async () => {
    await apply(
      fileText({ key: `name: S, key: ${KEY}, expiresAt: "2030-01-01T00:00:00+01:00", enabled: false` }),
    );
    expect(await storedKey()).to.include({ expiresAt: '2029-12-31T23:00:00.000Z', enabled: false });
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

  it('sets the days that events are kept, leaves those that it does not name, and takes null for the plan’s', async () => {
    const daysAfter = async (fields: string) => {
      await apply(`organizations: [{id: org_days, name: Days, ${fields}}]`);
      return (await documents.organizations.get('org_days', 'org_days'))?.retentionDays;
    };
    expect(await daysAfter('plan: pro')).to.equal(undefined);
    expect(await daysAfter('plan: pro, retentionDays: 400')).to.equal(400);
    expect(await daysAfter('plan: free')).to.equal(400);
    expect(await daysAfter('plan: free, retentionDays: null')).to.equal(null);
  });

  it('does not bring back what the API removed while its text stays', async () => {
    await apply(fileText());
    await documents.websites.remove('org_one', 'web_shop');
    const report = await apply(fileText());
    expect(report.applied).to.deep.equal([]);
    expect(await documents.websites.get('org_one', 'web_shop')).to.equal(null);
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
      previousKeyHash: null,
      previousValidUntil: null,
    });
    const before = documents.text();
    expect(await faultsOf(fileText())).to.deep.equal([
      'p.yml:10: organizations[0].websites[0].id: came "web_shop", which belongs to another organization; allowed: an identifier of its own',
      'p.yml:10: organizations[0].websites[0].domain: came "shop.example.com", which the website web_held has; allowed: one website per domain',
      'p.yml:12: organizations[0].apiKeys[0].key: came a key that exists under another identifier; allowed: one use',
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
