/** What every document store guarantees, run on every adapter. */
import { expect } from 'chai';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { Website } from '../../services/shared/model/website.ts';
import type { NewDocument } from '../../services/shared/ports/document-store.ts';
import { type DocumentStore, DuplicateError } from '../../services/shared/ports/document-store.ts';
import { rejection } from '../support/rejection.ts';
import type { TestClock } from '../support/test-clock.ts';
import { apiKeyContract } from './api-key.contract.ts';
import { textContract } from './text.contract.ts';

/** A fresh, empty store and the clock that it goes by; `close` also removes what it left behind. */
export interface DocumentStoreFixture {
  readonly store: DocumentStore;
  readonly clock: TestClock;
  /** The server is a stand-in that sorts by UTF-16 code units: U+FFFF and beyond are left to runs on a real one. */
  readonly ordersByUtf16?: boolean;
  close(): Promise<void>;
}

/** A website as a caller gives it. */
export function newWebsite(id: string, overrides: Partial<NewDocument<Website>> = {}): NewDocument<Website> {
  return {
    id,
    organizationId: 'org_a',
    name: `Website ${id}`,
    domain: `${id}.example.com`,
    isPublic: false,
    settings: {},
    ...overrides,
  };
}

/** A key as a caller gives it. */
export function newKey(id: string, overrides: Partial<NewDocument<ApiKey>> = {}): NewDocument<ApiKey> {
  return {
    id,
    organizationId: 'org_a',
    name: 'a key',
    keyHash: `hash of ${id}`,
    start: 'tg_abcde',
    last4: 'wxyz',
    scopes: ['read:data', 'track:events'],
    access: { level: 'website', websiteIds: ['web_1'] },
    enabled: true,
    expiresAt: null,
    revokedAt: null,
    createdBy: 'cli',
    previousKeyHash: null,
    previousValidUntil: null,
    ...overrides,
  };
}

async function duplicateIndex(promise: Promise<unknown>): Promise<string> {
  const error = await rejection(promise);
  expect(error).to.be.instanceOf(DuplicateError);
  return (error as DuplicateError).index;
}

/** Declares the contract's tests for the adapter `name`. */
export function documentStoreContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} keeps the contract of DocumentStore`, () => {
    let fixture: DocumentStoreFixture;
    let store: DocumentStore;

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(() => fixture.close());

    it('gives a new document version 1 and the clock as both times, and returns it on get', async () => {
      const inserted = await store.websites.insert(newWebsite('web_1'));
      expect(inserted).to.deep.equal({
        ...newWebsite('web_1'),
        version: 1,
        createdAt: '2026-07-15T12:00:00.000Z',
        updatedAt: '2026-07-15T12:00:00.000Z',
      });
      expect(await store.websites.get('org_a', 'web_1')).to.deep.equal(inserted);
    });

    it('returns null for an unknown id', async () => {
      expect(await store.websites.get('org_a', 'web_nothing')).to.equal(null);
    });

    it("hides another organization's document from get, list, all, update and remove", async () => {
      await store.websites.insert(newWebsite('web_1'));
      expect(await store.websites.get('org_b', 'web_1')).to.equal(null);
      expect(await store.websites.list('org_b', { limit: 10 })).to.deep.equal([]);
      expect(await store.websites.all('org_b')).to.deep.equal([]);
      expect(await store.websites.update('org_b', 'web_1', 1, { name: 'taken' })).to.equal(null);
      expect(await store.websites.remove('org_b', 'web_1')).to.equal(false);
      expect((await store.websites.get('org_a', 'web_1'))?.name).to.equal('Website web_1');
    });

    it('keeps every field of a nested document, quotes, emoji and line breaks included', async () => {
      const website = newWebsite('web_1', {
        name: `O'Reilly "quoted" \\ 😀 \n\t 中文 ${'x'.repeat(10_000)}`,
        settings: {
          allowedOrigins: ['https://a.example', "it's"],
          keylessTracking: false,
          timezone: 'Asia/Tokyo',
        },
      });
      await store.websites.insert(website);
      expect(await store.websites.get('org_a', 'web_1')).to.include({ name: website.name });
      expect((await store.websites.get('org_a', 'web_1'))?.settings).to.deep.equal(website.settings);
    });

    describe('unique values', () => {
      it('refuses a taken id with DuplicateError "id", in any organization', async () => {
        await store.websites.insert(newWebsite('web_1'));
        const same = newWebsite('web_1', { organizationId: 'org_b', domain: 'other.example.com' });
        expect(await duplicateIndex(store.websites.insert(same))).to.equal('id');
      });

      it('refuses a taken domain within an organization and allows it in another', async () => {
        await store.websites.insert(newWebsite('web_1', { domain: 'a.com' }));
        const again = newWebsite('web_2', { domain: 'a.com' });
        expect(await duplicateIndex(store.websites.insert(again))).to.equal('organizationDomain');
        await store.websites.insert({ ...again, organizationId: 'org_b' });
      });

      it('refuses an update onto a taken value and leaves the document as it was', async () => {
        await store.websites.insert(newWebsite('web_1', { domain: 'a.com' }));
        const second = await store.websites.insert(newWebsite('web_2', { domain: 'b.com' }));
        const update = store.websites.update('org_a', 'web_2', 1, { domain: 'a.com' });
        expect(await duplicateIndex(update)).to.equal('organizationDomain');
        expect(await store.websites.get('org_a', 'web_2')).to.deep.equal(second);
      });

      it('frees a value when its document is removed', async () => {
        await store.websites.insert(newWebsite('web_1', { domain: 'a.com' }));
        await store.websites.remove('org_a', 'web_1');
        await store.websites.insert(newWebsite('web_2', { domain: 'a.com' }));
      });

      it('finds by every declared index across organizations, and by id', async () => {
        const key = await store.apiKeys.insert(newKey('key_1'));
        const website = await store.websites.insert(newWebsite('web_1', { domain: 'a.com' }));
        const account = { email: 'ann@example.com', home: '*', passwordHash: 'argon2id' };
        const user = await store.users.insert({ id: 'usr_1', organizationId: 'usr_1', ...account });
        const membership = await store.memberships.insert({
          id: 'mem_1',
          organizationId: 'org_a',
          userId: 'usr_1',
          role: 'owner',
        });
        expect(await store.apiKeys.findUnique('keyHash', ['hash of key_1'])).to.deep.equal(key);
        expect(await store.apiKeys.findUnique('id', ['key_1'])).to.deep.equal(key);
        expect(await store.websites.findUnique('organizationDomain', ['org_a', 'a.com'])).to.deep.equal(
          website,
        );
        expect(await store.users.findUnique('emailHome', ['ann@example.com', '*'])).to.deep.equal(user);
        expect(await store.memberships.findUnique('organizationUser', ['org_a', 'usr_1'])).to.deep.equal(
          membership,
        );
        expect(await store.apiKeys.findUnique('keyHash', ['another'])).to.equal(null);
        expect(await store.websites.findUnique('organizationDomain', ['org_b', 'a.com'])).to.equal(null);
      });

      it('refuses a duplicate email, membership and key hash by the name of the index', async () => {
        const user = { organizationId: 'usr_1', email: 'ann@example.com', home: '*', passwordHash: 'x' };
        await store.users.insert({ id: 'usr_1', ...user });
        expect(await duplicateIndex(store.users.insert({ id: 'usr_2', ...user }))).to.equal('emailHome');
        const membership = { organizationId: 'org_a', userId: 'usr_1', role: 'member' } as const;
        await store.memberships.insert({ id: 'mem_1', ...membership });
        expect(await duplicateIndex(store.memberships.insert({ id: 'mem_2', ...membership }))).to.equal(
          'organizationUser',
        );
        await store.apiKeys.insert(newKey('key_1', { keyHash: 'same' }));
        expect(await duplicateIndex(store.apiKeys.insert(newKey('key_2', { keyHash: 'same' })))).to.equal(
          'keyHash',
        );
      });

      it('lets exactly one of many parallel inserts of the same value through', async () => {
        const inserts = Array.from({ length: 20 }, (_, i) =>
          store.apiKeys.insert(newKey(`key_${i}`, { keyHash: 'contested' })).then(
            () => 'stored',
            (error: unknown) => (error instanceof DuplicateError ? 'duplicate' : error),
          ),
        );
        const outcomes = await Promise.all(inserts);
        expect(outcomes.filter((outcome) => outcome === 'stored')).to.have.length(1);
        expect(outcomes.filter((outcome) => outcome === 'duplicate')).to.have.length(19);
      });
    });

    describe('update', () => {
      it('changes what is named, keeps the rest, raises the version and moves updatedAt', async () => {
        const before = await store.websites.insert(newWebsite('web_1', { settings: { timezone: 'UTC' } }));
        fixture.clock.advance(60_000);
        const after = await store.websites.update('org_a', 'web_1', 1, { name: 'New name', isPublic: true });
        expect(after).to.deep.equal({
          ...before,
          name: 'New name',
          isPublic: true,
          version: 2,
          updatedAt: '2026-07-15T12:01:00.000Z',
        });
        expect(await store.websites.get('org_a', 'web_1')).to.deep.equal(after);
      });

      it('takes null as a value and leaves a field that is undefined as it was', async () => {
        await store.apiKeys.insert(newKey('key_1', { expiresAt: '2027-01-01T00:00:00.000Z' }));
        const revokedAt = '2026-07-15T12:00:00.000Z';
        const changed = await store.apiKeys.update('org_a', 'key_1', 1, {
          expiresAt: null,
          name: undefined,
          revokedAt,
        });
        expect(changed).to.include({ expiresAt: null, name: 'a key', revokedAt });
      });

      it('returns null and changes nothing when the version is not the current one', async () => {
        await store.websites.insert(newWebsite('web_1'));
        await store.websites.update('org_a', 'web_1', 1, { name: 'second' });
        expect(await store.websites.update('org_a', 'web_1', 1, { name: 'late' })).to.equal(null);
        expect(await store.websites.update('org_a', 'web_1', 3, { name: 'early' })).to.equal(null);
        expect(await store.websites.get('org_a', 'web_1')).to.include({ name: 'second', version: 2 });
      });

      it('lets exactly one of many parallel updates of a version through', async () => {
        await store.websites.insert(newWebsite('web_1'));
        const updates = Array.from({ length: 20 }, (_, i) =>
          store.websites.update('org_a', 'web_1', 1, { name: `writer ${i}` }),
        );
        const winners = (await Promise.all(updates)).filter((website) => website !== null);
        expect(winners).to.have.length(1);
        expect(await store.websites.get('org_a', 'web_1')).to.deep.equal(winners[0]);
      });

      it('returns null for a document that is gone', async () => {
        expect(await store.websites.update('org_a', 'web_1', 1, { name: 'x' })).to.equal(null);
      });
    });

    describe('list', () => {
      it('pages by id ascending without gap or overlap', async () => {
        for (const id of ['web_3', 'web_1', 'web_5', 'web_2', 'web_4'])
          await store.websites.insert(newWebsite(id));
        await store.websites.insert(newWebsite('web_25', { organizationId: 'org_b' }));
        const first = await store.websites.list('org_a', { limit: 2 });
        const second = await store.websites.list('org_a', { limit: 2, after: 'web_2' });
        const third = await store.websites.list('org_a', { limit: 2, after: 'web_4' });
        const ids = [...first, ...second, ...third].map((website) => website.id);
        expect(ids).to.deep.equal(['web_1', 'web_2', 'web_3', 'web_4', 'web_5']);
        expect(await store.websites.list('org_a', { limit: 2, after: 'web_5' })).to.deep.equal([]);
      });

      it('refuses a limit outside 1..100', async () => {
        for (const limit of [0, 101, 1.5, Number.NaN]) {
          expect(await rejection(store.websites.list('org_a', { limit }))).to.be.instanceOf(RangeError);
        }
        expect(await store.websites.list('org_a', { limit: 100 })).to.deep.equal([]);
      });

      it('returns every document of a tenant from all, beyond a page', async () => {
        const ids = Array.from({ length: 120 }, (_, i) => `web_${String(i).padStart(3, '0')}`);
        for (const id of ids) await store.websites.insert(newWebsite(id));
        expect((await store.websites.all('org_a')).map((website) => website.id)).to.deep.equal(ids);
      });
    });

    apiKeyContract(() => store);
    textContract(() => store);

    it('lists every organization by id ascending', async () => {
      for (const id of ['org_b', 'org_a']) {
        await store.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
      }
      expect((await store.allOrganizations()).map(({ id }) => id)).to.deep.equal(['org_a', 'org_b']);
    });

    it('says whether there was something to remove', async () => {
      await store.provisionedEntries.insert({ id: 'website:web_1', organizationId: 'org_a', textHash: 'aa' });
      expect(await store.provisionedEntries.remove('org_a', 'website:web_1')).to.equal(true);
      expect(await store.provisionedEntries.remove('org_a', 'website:web_1')).to.equal(false);
      expect(await store.provisionedEntries.get('org_a', 'website:web_1')).to.equal(null);
    });

    it('answers ping while open; closed, it refuses everything with SERVICE_UNAVAILABLE, and close again is fine', async () => {
      await store.ping();
      await store.close();
      await store.close();
      expect(await rejection(store.ping())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      expect(await rejection(store.websites.get('org_a', 'web_1'))).to.include({
        kind: 'SERVICE_UNAVAILABLE',
      });
      expect(await rejection(store.websites.insert(newWebsite('web_1')))).to.include({
        kind: 'SERVICE_UNAVAILABLE',
      });
    });
  });
}
