/** How documents stand in MongoDB: clients' own keys come back unharmed, null is absent, and what is wrong is refused or said. */
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import type { Flag } from '../../../../../services/shared/model/flag.ts';
import type { NewDocument } from '../../../../../services/shared/ports/document-store.ts';
import type { MongodbDocumentStore } from '../../../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { violatedIndex } from '../../../../../services/shared/storage/mongodb/violated-index.ts';
import { newKey, newWebsite } from '../../../../contract/document-store.contract.ts';
import {
  createDocumentDatabase,
  type DocumentDatabase,
} from '../../../../support/mongodb/document-database.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

/** Keys that MongoDB, mongoose or JavaScript give a meaning of their own, as a client's JSON brings them. */
const TRAITS: Record<string, string | number> = JSON.parse(
  '{"a.b": 1, "$set": "x", "$where": "y", "": "empty", "constructor": "c", "_id": "i", "toJSON": "t", "a\\u0000b": "n", "1": 2}',
);

function newFlag(overrides: Partial<NewDocument<Flag>>): NewDocument<Flag> {
  return {
    ...{ id: 'flg_1', organizationId: 'org_a', key: 'flag', scopeId: 'org_a', websiteId: null, name: 'Flag' },
    ...{ description: '', type: 'boolean', status: 'active', defaultValue: false, payload: null },
    ...{ rolloutPercentage: 0.1, rolloutBy: 'user', rules: [], variants: [], dependencies: [] },
    ...{ environment: null, targetGroupIds: [], createdBy: 'usr_1' },
    ...overrides,
  };
}

describe('documents in MongoDB', () => {
  const mongodb = useMongodb();
  let database: DocumentDatabase;
  let store: MongodbDocumentStore;

  beforeEach(async () => {
    database = await createDocumentDatabase(mongodb.newUri());
    store = await database.open();
  });
  afterEach(() => database?.close());

  const rawOf = (collection: string, id: string) =>
    database.connection.collection<{ _id: string }>(collection).findOne({ _id: id });

  it("keeps every key that clients name, with dots, $ and JavaScript's own names", async () => {
    const profile = await store.profiles.insert({
      ...{ id: 'prf_1', organizationId: 'org_a', websiteId: null, profileId: 'ann' },
      traits: TRAITS,
    });
    expect(profile.traits).to.deep.equal(TRAITS);
    expect(await store.profiles.get('org_a', 'prf_1')).to.deep.equal(profile);
    const changed = await store.profiles.update('org_a', 'prf_1', 1, { traits: { ...TRAITS, $inc: 'z' } });
    expect(changed?.traits).to.deep.equal({ ...TRAITS, $inc: 'z' });
    expect(await store.profiles.get('org_a', 'prf_1')).to.deep.equal(changed);

    const secrets = { 'x.$y': { keyId: 'k', sealed: 's', last4: '1234' } };
    const integration = await store.integrations.insert({
      ...{ id: 'int_1', organizationId: 'org_a', type: 'generic', name: 'I', enabled: true, createdBy: 'u' },
      config: { '$ref.a': { 'b.c': [{ $gt: null }] } },
      secrets,
    });
    expect(await store.integrations.get('org_a', 'int_1')).to.deep.equal(integration);
    expect(integration.secrets).to.deep.equal(secrets);

    const payload = JSON.parse('{"a.b": {"$c": [null, {"__proto__": {"polluted": true}}]}, "n": 1.5e300}');
    const rules = [
      { type: 'property' as const, operator: 'in' as const, field: '$a.b', values: ['$x', 1, true] },
    ].map((rule) => ({ ...rule, enabled: true }));
    const variants = [{ key: 'a.$b', value: { 'k.$': null }, type: 'json' as const }];
    const flag = await store.flags.insert(newFlag({ payload, rules, variants }));
    const read = await store.flags.get('org_a', 'flg_1');
    expect(read).to.deep.equal(flag);
    expect(read).to.deep.include({ rules, variants });
    expect(JSON.stringify(read?.payload)).to.equal(JSON.stringify(flag.payload));
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it('holds a document by its identifier, with text, numbers and lists as such, and leaves out what is null', async () => {
    await store.apiKeys.insert(newKey('key_1'));
    expect(await rawOf('api_keys', 'key_1')).to.deep.equal({
      ...{ _id: 'key_1', organizationId: 'org_a', version: 1, name: 'a key', keyHash: 'hash of key_1' },
      ...{ start: 'tg_abcde', last4: 'wxyz', scopes: ['read:data', 'track:events'], enabled: true },
      ...{ access: { level: 'website', websiteIds: ['web_1'] }, createdBy: 'cli' },
      ...{ createdAt: '2026-07-15T12:00:00.000Z', updatedAt: '2026-07-15T12:00:00.000Z' },
    });
    await store.apiKeys.update('org_a', 'key_1', 1, { expiresAt: '2027-01-01T00:00:00.000Z' });
    await store.apiKeys.update('org_a', 'key_1', 2, { expiresAt: null });
    expect(await rawOf('api_keys', 'key_1')).to.not.have.property('expiresAt');
  });

  it('gives null for what is absent where the model knows null only, and keeps what is absent absent', async () => {
    const key = await store.apiKeys.insert(newKey('key_1'));
    expect(key).to.include({ expiresAt: null, revokedAt: null, previousKeyHash: null });
    const flag = await store.flags.insert(newFlag({}));
    expect(await store.flags.get('org_a', 'flg_1')).to.deep.equal(flag);
    expect(flag).to.include({ payload: null, environment: null, websiteId: null });
    const organization = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} };
    const stored = await store.organizations.insert({ ...organization, settings: {} });
    expect(stored).to.not.have.any.keys('slug', 'departingMembers', 'retentionDays');
    expect(stored).to.deep.include({ limits: {}, settings: {} });
    expect(await store.organizations.get('org_a', 'org_a')).to.deep.equal(stored);
  });

  it('lets any number of organizations have no slug, said by null or not at all', async () => {
    for (const [id, slug] of Object.entries({ org_a: null, org_b: null, org_c: undefined, org_d: 'd' })) {
      const organization = { id, organizationId: id, name: id, plan: 'free', limits: {} };
      await store.organizations.insert(slug === undefined ? organization : { ...organization, slug });
    }
    await store.organizations.update('org_d', 'org_d', 1, { slug: null });
    expect(await store.organizations.findUnique('slug', ['d'])).to.equal(null);
    expect(await store.allOrganizations()).to.have.length(4);
  });

  it('returns what a read will give, also of text that is no Unicode', async () => {
    const website = await store.websites.insert(
      newWebsite('web_1', { name: 'half \uD83D', settings: { allowedOrigins: ['\uDE00'] } }),
    );
    expect(website).to.deep.include({ name: 'half \uFFFD', settings: { allowedOrigins: ['\uFFFD'] } });
    expect(await store.websites.get('org_a', 'web_1')).to.deep.equal(website);
  });

  it('stores no document that it could not read again', async () => {
    const wrong = { ...newWebsite('web_1'), isPublic: 'perhaps' as unknown as boolean };
    expect(await rejection(store.websites.insert(wrong))).to.have.property('name', 'ZodError');
    expect(await rawOf('websites', 'web_1')).to.equal(null);
  });

  it('answers SERVICE_UNAVAILABLE for a document that does not fit its schema, naming it in the cause only', async () => {
    await store.websites.insert(newWebsite('web_1'));
    await store.profiles.insert({
      ...{ id: 'prf_1', organizationId: 'org_a', websiteId: null, profileId: 'ann', traits: {} },
    });
    const { connection } = database;
    const by = (id: string) => ({ _id: id as unknown as mongo.ObjectId });
    await connection.collection('websites').updateOne(by('web_1'), { $set: { isPublic: 'perhaps' } });
    await connection.collection('profiles').updateOne(by('prf_1'), { $set: { traits: '{"torn' } });
    for (const [id, read] of [
      ['web_1', () => store.websites.get('org_a', 'web_1')],
      ['prf_1', () => store.profiles.all('org_a')],
    ] as const) {
      const fault = (await rejection(read())) as ApiError;
      expect(fault).to.be.instanceOf(ApiError).and.include({ kind: 'SERVICE_UNAVAILABLE' });
      expect(fault.message).not.to.include(id);
      expect(String(fault.cause)).to.include(id);
    }
  });
});

describe('the index that a refused write names', () => {
  const unique = { slug: ['slug'], organizationDomain: ['organizationId', 'domain'] };
  const fault = (fields: object) => new mongo.MongoServerError({ code: 11_000, ...fields });

  it('is known by its fields, or by its name in the text', () => {
    const text = (index: string) =>
      `E11000 duplicate key error collection: db.links index: ${index} dup key: {}`;
    expect(violatedIndex(fault({ keyPattern: { slug: 1 }, errmsg: text('other') }), unique)).to.equal('slug');
    expect(violatedIndex(fault({ keyPattern: { organizationId: 1, domain: 1 } }), unique)).to.equal(
      'organizationDomain',
    );
    expect(violatedIndex(fault({ keyPattern: { _id: 1 } }), unique)).to.equal('id');
    expect(violatedIndex(fault({ errmsg: text('organizationDomain') }), unique)).to.equal(
      'organizationDomain',
    );
    expect(violatedIndex(fault({ errmsg: text('db.links.$slug') }), unique)).to.equal('slug');
    expect(violatedIndex(fault({ errmsg: text('_id_') }), unique)).to.equal('id');
  });

  it('is the fault itself when nobody declared it', () => {
    const strange = fault({ keyPattern: { name: 1 }, errmsg: 'E11000 index: name_1 dup key' });
    expect(() => violatedIndex(strange, unique)).to.throw(mongo.MongoServerError);
  });
});
