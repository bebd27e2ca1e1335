/** Holds /v1/api-keys to contract.md sections 3 and 7, at the service itself. */
import { expect } from 'chai';
import { hashApiKey, isWellFormedApiKey } from '../../../../services/shared/credentials/api-key-text.ts';
import {
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const OWNER = sessionOf('owner');
const FOREIGN = sessionOf('owner', { organizationId: 'org_two' });
const GOOD = { name: 'Server', scopes: ['track:events'], access: { level: 'global' } };

describe('API keys over REST', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startResourcesService();
    const website = { name: 'Shop', isPublic: false, settings: {} };
    const shop = { ...website, id: 'web_shop', organizationId: 'org_one', domain: 'shop.example.com' };
    await service.documents.websites.insert(shop);
    const far = { ...website, id: 'web_far', organizationId: 'org_two', domain: 'far.example.com' };
    await service.documents.websites.insert(far);
  });
  afterEach(() => service.close());

  async function created(body: object = GOOD) {
    const { body: answer } = await service.ask(OWNER, 'POST', '/v1/api-keys', { body });
    return answer.data as { id: string; secret: string; expiresAt: string | null };
  }
  const change = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    service.ask(OWNER, 'PATCH', `/v1/api-keys/${id}`, { body, headers });

  it('refuses the name "__proto__", here and in its access', async () => {
    for (const [text, field] of [
      ['{"name":"k","scopes":["read:data"],"access":{"level":"global"},"__proto__":{"a":1}}', '__proto__'],
      ['{"name":"k","scopes":["read:data"],"access":{"level":"global","__proto__":1}}', 'access'],
    ] as const) {
      const { status, body } = await service.ask(OWNER, 'POST', '/v1/api-keys', { body: JSON.parse(text) });
      expect([status, body.details?.length], text).to.deep.equal([400, 1]);
      expect(body.details[0].field).to.match(new RegExp(`^${field}`));
    }
  });

  it('creates a key with 201, Location and its secret, shown this once and stored nowhere', async () => {
    const body = {
      ...GOOD,
      access: { level: 'website', websiteIds: ['web_shop'] },
      expiresAt: '2027-01-01T00:00:00Z',
    };
    const answer = await service.ask(OWNER, 'POST', '/v1/api-keys', { body });
    expect(answer.status).to.equal(201);
    const { secret, ...key } = answer.body.data;
    expect(answer.headers.get('location')).to.equal(`/v1/api-keys/${key.id}`);
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    expect(isWellFormedApiKey(secret)).to.equal(true);
    expect(key).to.include({
      createdBy: 'usr_owner',
      organizationId: 'org_one',
      lastUsedAt: null,
      enabled: true,
    });
    expect(key.expiresAt).to.equal('2027-01-01T00:00:00.000Z');
    const read = await service.ask(OWNER, 'GET', `/v1/api-keys/${key.id}`);
    expect(read.body.data).to.deep.equal(key);
    expect(service.documents.text()).to.not.include(secret);
  });

  it('refuses a faulty key with every fault at once, unknown fields and foreign websites among them', async () => {
    const body = {
      name: '',
      scopes: [],
      acces: 1,
      access: { level: 'website', websiteIds: ['web_far'] },
      organizationId: 'org_two',
    };
    const answer = await service.ask(OWNER, 'POST', '/v1/api-keys', { body });
    expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    const fields = answer.body.details.map((detail: { field: string }) => detail.field);
    expect(fields).to.have.members(['name', 'scopes', 'acces', 'organizationId', 'access.websiteIds[0]']);
    expect(answer.body.details).to.deep.include({
      field: 'acces',
      message: 'Unknown field; did you mean "access"?',
      suggestion: 'access',
    });
  });

  it('refuses an empty list of websites, a missing access and a body that is no object', async () => {
    const empty = { ...GOOD, access: { level: 'website', websiteIds: [] } };
    const { access: _, ...without } = GOOD;
    for (const body of [empty, without, [], 'null', '7', '{']) {
      const answer = await service.ask(OWNER, 'POST', '/v1/api-keys', { body });
      expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([
        400,
        'VALIDATION_ERROR',
      ]);
    }
    expect((await service.ask(OWNER, 'POST', '/v1/api-keys')).status).to.equal(400);
  });

  it('lists the keys of the organization alone, by age or name, searched, in pages without gap or overlap', async () => {
    for (const name of ['Beta', 'alpha', 'Beta two', 'gamma']) {
      await created({ ...GOOD, name });
      service.clock.advance(1_000);
    }
    const names = async (query: string, caller = OWNER) => {
      const { body } = await service.ask(caller, 'GET', `/v1/api-keys${query}`);
      return [body.data.map((key: { name: string }) => key.name), body.nextCursor];
    };
    expect((await names(''))[0]).to.deep.equal(['Beta', 'alpha', 'Beta two', 'gamma']);
    expect((await names('?sort=-createdAt'))[0]).to.deep.equal(['gamma', 'Beta two', 'alpha', 'Beta']);
    expect((await names('?search=BETA&sort=-name'))[0]).to.deep.equal(['Beta two', 'Beta']);
    const [first, cursor] = await names('?sort=name&limit=3');
    const [second, end] = await names(`?sort=name&limit=3&cursor=${cursor}`);
    expect([...first, ...second]).to.deep.equal(['Beta', 'Beta two', 'alpha', 'gamma']);
    expect(end).to.equal(undefined);
    expect((await names('', FOREIGN))[0]).to.deep.equal([]);
    for (const query of [
      `?cursor=${cursor}`,
      '?sort=scopes',
      '?limit=0',
      '?cursor=x',
      '?nonsense=1',
      '?search=',
    ]) {
      expect((await service.ask(OWNER, 'GET', `/v1/api-keys${query}`)).status, query).to.equal(400);
    }
  });

  it('answers NOT_FOUND alike for a key that is unknown or of another organization, whatever is asked of it', async () => {
    const { id } = await created();
    for (const [caller, target] of [
      [OWNER, 'key_none'],
      [FOREIGN, id],
    ] as const) {
      const path = `/v1/api-keys/${target}`;
      const answers = [
        await service.ask(caller, 'GET', path),
        await service.ask(caller, 'PATCH', path, { body: { name: 'x' } }),
        await service.ask(caller, 'POST', `${path}/rotate`),
        await service.ask(caller, 'POST', `${path}/revoke`),
      ];
      for (const { status, body } of answers) expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND']);
    }
  });

  it('changes what is named and keeps the rest', async () => {
    const { id, secret } = await created({ ...GOOD, expiresAt: '2027-01-01T00:00:00Z' });
    const answer = await change(id, { name: 'New', enabled: false, expiresAt: null });
    expect(answer.status).to.equal(200);
    expect(answer.body.data).to.include({ name: 'New', enabled: false, expiresAt: null });
    expect(answer.body.data.scopes).to.deep.equal(['track:events']);
    expect(answer.headers.get('etag')).to.equal('"2"');
    expect(await service.documents.apiKeys.findUnique('keyHash', [hashApiKey(secret)])).to.include({
      enabled: false,
    });
  });

  it('refuses a faulty change with VALIDATION_ERROR and leaves the key as it was', async () => {
    const { id } = await created();
    for (const body of [
      { scopes: [] },
      { access: { level: 'website', websiteIds: ['web_far'] } },
      { expiresAt: '2026-03-01T12:00:00Z' },
      { expiresAt: '9999-12-31T23:59:59-14:00' },
      { enabled: 'no' },
      { revokedAt: null },
      { secret: 'x' },
    ]) {
      const answer = await change(id, body);
      expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([
        400,
        'VALIDATION_ERROR',
      ]);
    }
    expect((await service.ask(OWNER, 'GET', `/v1/api-keys/${id}`)).headers.get('etag')).to.equal('"1"');
  });

  it('refuses websites by the ten thousand, known or not, in few words, and leaves the key as it was', async () => {
    const { id } = await created();
    for (const websiteIds of [
      Array(60_000).fill('web_shop'),
      Array.from({ length: 90_000 }, (_, i) => `w${i}`),
      Array(300_000).fill(7),
    ]) {
      for (const answer of [
        await change(id, { access: { level: 'website', websiteIds } }),
        await service.ask(OWNER, 'POST', '/v1/api-keys', {
          body: { ...GOOD, access: { level: 'website', websiteIds }, scopes: Array(9_000).fill('x') },
        }),
      ]) {
        expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
        expect(JSON.stringify(answer.body).length).to.be.lessThan(1_000);
      }
    }
    expect((await service.ask(OWNER, 'GET', `/v1/api-keys/${id}`)).headers.get('etag')).to.equal('"1"');
  });

  it('honours If-Match on change, rotation and revocation: 412 for another version, and nothing is written', async () => {
    const { id } = await created();
    for (const [method, path, body] of [
      ['PATCH', `/v1/api-keys/${id}`, { name: 'x' }],
      ['POST', `/v1/api-keys/${id}/rotate`, {}],
      ['POST', `/v1/api-keys/${id}/revoke`, undefined],
    ] as const) {
      for (const tag of ['"2"', 'W/"1"', '1']) {
        const answer = await service.ask(OWNER, method, path, { body, headers: { 'if-match': tag } });
        expect([answer.status, answer.body.code], `${path} ${tag}`).to.deep.equal([
          412,
          'PRECONDITION_FAILED',
        ]);
      }
    }
    expect((await change(id, { name: 'y' }, { 'if-match': '"7", "1"' })).status).to.equal(200);
    expect((await change(id, { name: 'z' }, { 'if-match': '*' })).status).to.equal(200);
  });

  it('keeps the version of a key that is used', async () => {
    const { id } = await created();
    const lastUsedAt = '2026-03-01T12:05:00.000Z';
    await service.documents.recordApiKeyUses([{ apiKeyId: id, organizationId: 'org_one', lastUsedAt }]);
    const read = await service.ask(OWNER, 'GET', `/v1/api-keys/${id}`);
    expect(read.body.data.lastUsedAt).to.equal(lastUsedAt);
    expect((await change(id, { name: 'x' }, { 'if-match': '"1"' })).status).to.equal(200);
  });

  it('rotates to a new secret and remembers the old one for the grace, never past the expiry of the key', async () => {
    const key = await created({ ...GOOD, expiresAt: '2026-03-01T13:00:00Z' });
    const rotate = (body?: object) => service.ask(OWNER, 'POST', `/v1/api-keys/${key.id}/rotate`, { body });
    const first = await rotate({ graceSeconds: 60 });
    expect(first.status).to.equal(200);
    expect(first.headers.get('cache-control')).to.equal('private, no-store');
    expect(isWellFormedApiKey(first.body.data.secret)).to.equal(true);
    expect(first.body.data.previousValidUntil).to.equal('2026-03-01T12:01:00.000Z');
    expect(first.body.data.last4).to.equal(first.body.data.secret.slice(-4));
    expect(
      await service.documents.apiKeys.findUnique('previousKeyHash', [hashApiKey(key.secret)]),
    ).to.include({
      id: key.id,
      keyHash: hashApiKey(first.body.data.secret),
    });
    expect((await rotate({ graceSeconds: 86_400 })).body.data.previousValidUntil).to.equal(
      '2026-03-01T13:00:00.000Z',
    );
    expect((await rotate()).body.data.previousValidUntil).to.equal('2026-03-01T12:00:00.000Z');
    expect(await service.documents.apiKeys.findUnique('previousKeyHash', [hashApiKey(key.secret)])).to.equal(
      null,
    );
    for (const graceSeconds of [-1, 86_401, 1.5, '60', null]) {
      const answer = await rotate({ graceSeconds });
      expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    expect((await rotate({ grace: 1 })).body.details).to.deep.equal([
      { field: 'grace', message: 'Unknown field.' },
    ]);
  });

  it('revokes nothing for a body that says something', async () => {
    const { id } = await created();
    const answer = await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/revoke`, { body: { x: 1 } });
    expect([answer.status, answer.body.details]).to.deep.equal([
      400,
      [{ field: 'x', message: 'Unknown field.' }],
    ]);
    expect((await service.documents.apiKeys.get('org_one', id))?.revokedAt).to.equal(null);
    const empty = await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/revoke`, { body: {} });
    expect(empty.status).to.equal(200);
  });

  it('revokes for good: again is no fault, changing and rotating are CONFLICT', async () => {
    const { id } = await created();
    const revoke = () => service.ask(OWNER, 'POST', `/v1/api-keys/${id}/revoke`);
    const first = await revoke();
    expect(first.body.data.revokedAt).to.equal('2026-03-01T12:00:00.000Z');
    service.clock.advance(60_000);
    expect((await revoke()).body.data).to.deep.equal(first.body.data);
    for (const answer of [
      await change(id, { enabled: true }),
      await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/rotate`),
    ]) {
      expect([answer.status, answer.body.code]).to.deep.equal([409, 'CONFLICT']);
    }
  });

  it('refuses to rotate an expired key, whose new secret would be dead, with CONFLICT', async () => {
    const { id } = await created({ ...GOOD, expiresAt: '2026-03-01T12:00:01Z' });
    service.clock.advance(1_000);
    const answer = await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/rotate`);
    expect([answer.status, answer.body.code]).to.deep.equal([409, 'CONFLICT']);
  });
});
