/** What GET /v1/query/websites looks at for a website-specific key: its own websites, however many the organization has. */
import { expect } from 'chai';
import { websitesRoute } from '../../../services/query/routes/websites.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';
import type { DocumentStore, WebsiteSummary } from '../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../services/shared/storage/publish-writes.ts';
import { rememberWebsites } from '../../../services/shared/storage/remember-websites.ts';
import { newWebsite } from '../../contract/document-store.contract.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestClock } from '../../support/test-clock.ts';

const idOf = (i: number) => `web_${String(i).padStart(5, '0')}`;

/** A store that remembers websites, which notes what is read of the list that it remembers. */
async function watchedStore(websites: number) {
  const clock = createTestClock();
  const bus = new MemoryBus();
  const store = createMemoryDocumentStore(clock);
  for (let i = 0; i < websites; i++) await store.websites.insert(newWebsite(idOf(i)));
  const reads: string[] = [];
  const watch = (list: readonly WebsiteSummary[]): readonly WebsiteSummary[] =>
    new Proxy([...list], {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads.push(name);
        return Reflect.get(target, name, receiver);
      },
    });
  const watched = {
    ...store,
    websitesOf: async (organizationId: string) => watch(await store.websitesOf(organizationId)),
  };
  return { documents: rememberWebsites(publishWrites(watched, bus), { bus, clock }), reads };
}

async function list(documents: DocumentStore, access: Caller['access']): Promise<string[]> {
  const caller = { kind: 'key', organizationId: 'org_a', access } as Caller;
  const { body } = await websitesRoute.handler({ caller } as never, { documents } as never);
  return (body as { websites: { id: string }[] }).websites.map(({ id }) => id);
}

describe('the websites of a website-specific key', () => {
  for (const websites of [100, 1_000]) {
    it(`are found without looking at any other of ${websites}, once the list is known`, async () => {
      const { documents, reads } = await watchedStore(websites);
      const websiteIds = [idOf(70), idOf(7), 'web_deleted', idOf(99), idOf(7)];
      const access: Caller['access'] = { level: 'website', websiteIds };
      await list(documents, access);
      for (let times = 0; times < 3; times++) {
        reads.length = 0;
        expect(await list(documents, access)).to.deep.equal([idOf(7), idOf(70), idOf(99)]);
        expect(reads).to.deep.equal(['7', '70', '99']);
      }
      reads.length = 0;
      expect(await list(documents, { level: 'website', websiteIds: [idOf(1)] })).to.deep.equal([idOf(1)]);
      expect(await list(documents, { level: 'website', websiteIds: [] })).to.deep.equal([]);
      expect(reads).to.deep.equal(['1']);
    });
  }

  it('follow every change of the list', async () => {
    const { documents } = await watchedStore(10);
    const access: Caller['access'] = { level: 'website', websiteIds: [idOf(3), idOf(4), idOf(10)] };
    expect(await list(documents, access)).to.deep.equal([idOf(3), idOf(4)]);
    await documents.websites.remove('org_a', idOf(3));
    await documents.websites.insert(newWebsite(idOf(10)));
    expect(await list(documents, access)).to.deep.equal([idOf(4), idOf(10)]);
  });

  it('are all of the organization for a key with global access', async () => {
    const { documents } = await watchedStore(10);
    expect(await list(documents, { level: 'global' })).to.have.length(10);
  });
});
