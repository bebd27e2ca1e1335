/** Which scopes a key gets: those that the configuration lists, and never more than who gives them holds. */
import { expect } from 'chai';
import {
  createScopeCatalogue,
  HOLDERS,
  type ScopeCatalogue,
  SHIPPED_CATALOGUE,
} from '../../../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../../../services/shared/access/scopes.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import {
  type ResourcesService,
  sessionOf,
  startResourcesServiceOver,
} from '../../../support/start-resources-service.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const OWN = createScopeCatalogue(
  [
    ...SHIPPED_CATALOGUE.listed,
    { name: 'read:orders', text: 'Read orders', holders: HOLDERS },
    { name: 'run:orders', text: 'Run orders', holders: ['keys'] },
    { name: 'see:console', text: 'See the console', holders: ['sessions'] },
  ],
  SHIPPED_CATALOGUE.ofRole,
);
const ALL = [...SCOPES, 'read:orders', 'see:console'];
const OWNER = sessionOf('owner', { scopes: ALL });
/** An admin of a platform that loosened who may manage keys, or tightened what admins hold. */
const ADMIN = sessionOf('admin', { scopes: ['read:data', 'read:links'] });
const GLOBAL = { level: 'global' };

describe('the scopes of API keys', () => {
  let service: ResourcesService;
  let inForce: ScopeCatalogue;

  beforeEach(async () => {
    inForce = OWN;
    const clock = createTestClock('2026-03-01T12:00:00.000Z');
    const documents = createMemoryDocumentStore(clock);
    const organization = { id: 'org_one', organizationId: 'org_one', name: 'One', plan: 'free', limits: {} };
    await documents.organizations.insert(organization);
    const website = { id: 'web_shop', organizationId: 'org_one', name: 'Shop', domain: 'shop.example.com' };
    await documents.websites.insert({ ...website, isPublic: false, settings: {} });
    service = await startResourcesServiceOver(documents, clock, { scopes: () => inForce });
  });
  afterEach(() => service.close());

  const make = (caller: typeof OWNER, scopes: readonly string[]) =>
    service.ask(caller, 'POST', '/v1/api-keys', { body: { name: 'Key', scopes, access: GLOBAL } });
  const change = (caller: typeof OWNER, id: string, body: object) =>
    service.ask(caller, 'PATCH', `/v1/api-keys/${id}`, { body });
  const act = (caller: typeof OWNER, id: string, what: 'rotate' | 'revoke') =>
    service.ask(caller, 'POST', `/v1/api-keys/${id}/${what}`, { body: {} });

  it('are those in force, and a fault names these', async () => {
    expect((await make(OWNER, ['read:orders', 'read:data'])).status).to.equal(201);
    const { status, body } = await make(OWNER, ['read:order', 'see:console']);
    expect(status).to.equal(400);
    const allowed = `Allowed: ${[...SCOPES, 'read:orders', 'run:orders'].join(', ')}.`;
    expect(body.details).to.deep.equal([
      { field: 'scopes[0]', message: `Unknown scope "read:order". ${allowed}`, suggestion: 'read:orders' },
      { field: 'scopes[1]', message: `Unknown scope "see:console". ${allowed}` },
    ]);
    inForce = SHIPPED_CATALOGUE;
    expect((await make(OWNER, ['read:orders'])).status).to.equal(400);
  });

  it('are never more than the maker holds', async () => {
    expect((await make(ADMIN, ['read:data'])).status).to.equal(201);
    const { status, body } = await make(ADMIN, ['read:data', 'manage:config', 'read:orders']);
    expect([status, body.code, body.error]).to.deep.equal([
      403,
      'INSUFFICIENT_SCOPE',
      'The scope manage:config is required.',
    ]);
    expect(body.details).to.deep.equal([
      { field: 'scopes', message: 'Only who holds manage:config can give it to a key.' },
      { field: 'scopes', message: 'Only who holds read:orders can give it to a key.' },
    ]);
    // A scope for keys alone is given by the operator.
    expect((await make(OWNER, ['run:orders'])).status).to.equal(403);
    expect((await service.documents.apiKeys.all('org_one')).length).to.equal(1);
  });

  it('are not had by way of a key that somebody else made: no secret of it, no further reach, no longer life', async () => {
    const { id } = (await make(OWNER, ['read:data', 'manage:config'])).body.data;
    for (const body of [
      { access: GLOBAL },
      { access: { level: 'website', websiteIds: ['web_shop'] } },
      { expiresAt: null },
      { expiresAt: '2027-01-01T00:00:00Z' },
      { enabled: true },
      { scopes: ['read:data', 'manage:config', 'manage:flags'] },
    ])
      expect((await change(ADMIN, id, body)).body.code, JSON.stringify(body)).to.equal('INSUFFICIENT_SCOPE');
    expect((await act(ADMIN, id, 'rotate')).body.code).to.equal('INSUFFICIENT_SCOPE');
    const before = await service.documents.apiKeys.get('org_one', id);
    expect([before?.version, before?.scopes]).to.deep.equal([1, ['read:data', 'manage:config']]);

    // What takes away, and what names, is open to who manages keys.
    expect((await change(ADMIN, id, { name: 'Other', enabled: false })).status).to.equal(200);
    expect((await change(ADMIN, id, { scopes: ['manage:config'] })).status).to.equal(200);
    expect((await change(ADMIN, id, { scopes: ['read:links'], access: GLOBAL })).status).to.equal(200);
    expect((await act(ADMIN, id, 'rotate')).status).to.equal(200);
    expect((await act(ADMIN, id, 'revoke')).status).to.equal(200);
  });

  it('that the configuration lists no more stay with the key, are told as unknown, and hinder nothing', async () => {
    const { id, ...made } = (await make(OWNER, ['read:orders', 'read:data'])).body.data;
    expect(made).to.not.have.property('unknownScopes');
    inForce = SHIPPED_CATALOGUE;
    const unknown = { scopes: ['read:orders', 'read:data'], unknownScopes: ['read:orders'] };
    const listed = await service.ask(OWNER, 'GET', '/v1/api-keys');
    expect(listed.body.data[0]).to.deep.include(unknown);
    const plain = sessionOf('owner');
    expect((await change(plain, id, { name: 'Old' })).body.data).to.deep.include({ ...unknown, name: 'Old' });
    expect((await change(plain, id, { enabled: true, access: GLOBAL })).body.data).to.deep.include(unknown);
    expect((await act(plain, id, 'rotate')).body.data).to.deep.include(unknown);
    const changed = await change(plain, id, { scopes: ['read:data'] });
    expect(changed.body.data.scopes).to.deep.equal(['read:data']);
    expect(changed.body.data).to.not.have.property('unknownScopes');
  });
});
