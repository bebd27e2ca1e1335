/** Which writes the bus hears of, and that it hears before the writer does. */
import { expect } from 'chai';
import { DECLARATIONS } from '../../../../services/shared/model/collections.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../../services/shared/storage/publish-writes.ts';
import { record } from '../../../contract/bus.contract.ts';
import { newKey, newWebsite } from '../../../contract/document-store.contract.ts';
import { newCleanup, newLink } from '../../../contract/resources.contract.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('a store that publishes its writes', () => {
  const key = { kind: 'apiKey', organizationId: 'org_a', id: 'key_1', keyHash: 'hash of key_1' };

  function create(inner: DocumentStore = createMemoryDocumentStore(createTestClock())) {
    const bus = new MemoryBus();
    return { documents: publishWrites(inner, bus), heard: record(bus).heard };
  }

  it('tells of exactly the collections that the change counter counts', () => {
    const inner = createMemoryDocumentStore(createTestClock());
    const { documents } = create(inner);
    for (const [name, { told }] of DECLARATIONS) {
      const isTold = documents[name] !== inner[name];
      expect(isTold, name).to.equal(told !== undefined);
    }
  });

  it('tells of a key created, changed and removed', async () => {
    const { documents, heard } = create();
    await documents.apiKeys.insert(newKey('key_1'));
    await documents.apiKeys.update('org_a', 'key_1', 1, { enabled: false });
    await documents.apiKeys.remove('org_a', 'key_1');
    expect(heard).to.deep.equal([key, key, { ...key, keyHash: null }]);
  });

  it('tells of organizations, users and memberships', async () => {
    const { documents, heard } = create();
    const organization = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} };
    await documents.organizations.insert(organization);
    await documents.users.insert({
      id: 'usr_1',
      organizationId: 'usr_1',
      email: 'a@b.c',
      home: '*',
      passwordHash: 'x',
    });
    await documents.memberships.insert({
      id: 'mem_1',
      organizationId: 'org_a',
      userId: 'usr_1',
      role: 'owner',
    });
    expect(heard).to.deep.equal([
      { kind: 'organization', id: 'org_a' },
      { kind: 'user', id: 'usr_1' },
      { kind: 'membership', organizationId: 'org_a', id: 'mem_1' },
    ]);
  });

  it('tells of websites and links, of a link with its slug', async () => {
    const { documents, heard } = create();
    await documents.websites.insert(newWebsite('web_1'));
    await documents.links.insert(newLink('lnk_1', { slug: 'sale' }));
    await documents.links.remove('org_a', 'lnk_1');
    const link = { kind: 'link', organizationId: 'org_a', id: 'lnk_1' };
    expect(heard).to.deep.equal([
      { kind: 'website', organizationId: 'org_a', id: 'web_1' },
      { ...link, slug: 'sale' },
      { ...link, slug: null },
    ]);
  });

  it('says nothing of what nobody remembers, of reads, and of writes that changed nothing', async () => {
    const { documents, heard } = create();
    await documents.apiKeys.insert(newKey('key_1'));
    heard.length = 0;
    await documents.cleanups.insert(newCleanup('cln_1'));
    await documents.apiKeys.get('org_a', 'key_1');
    await documents.apiKeys.update('org_a', 'key_1', 7, { enabled: false });
    await documents.apiKeys.update('org_a', 'key_1', 1, { lastUsedAt: '2026-07-15T12:00:00.000Z' } as object);
    await documents.apiKeys.remove('org_a', 'key_2');
    expect(heard).to.deep.equal([]);
  });

  it('tells of a write that failed, which may have been made', async () => {
    const inner = createMemoryDocumentStore(createTestClock());
    const { documents, heard } = create({
      ...inner,
      apiKeys: { ...inner.apiKeys, update: async () => Promise.reject(new Error('no answer')) },
    });
    await rejection(documents.apiKeys.update('org_a', 'key_1', 1, { enabled: false }));
    expect(heard).to.deep.equal([{ ...key, keyHash: null }]);
  });
});
