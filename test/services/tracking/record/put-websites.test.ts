/** Where the events of a key go: read from the store once, then known until somebody says that it changed. */
import { expect } from 'chai';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../../services/shared/storage/publish-writes.ts';
import { createKnownWebsites } from '../../../../services/tracking/ingest/known-websites.ts';
import { putWebsites } from '../../../../services/tracking/record/put-websites.ts';
import { testCaller } from '../../../support/identity.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const ORGANIZATION = 'org_one';

function website(id: string, organizationId = ORGANIZATION) {
  return { id, organizationId, name: id, domain: `${id}.example.com`, isPublic: false, settings: {} };
}

async function start() {
  const stored = createMemoryDocumentStore(createTestClock());
  let reads = 0;
  const counting: typeof stored.websites = {
    ...stored.websites,
    get: (...named) => {
      reads++;
      return stored.websites.get(...named);
    },
    findUnique: (...named) => {
      reads++;
      return stored.websites.findUnique(...named);
    },
  };
  const bus = new MemoryBus();
  const documents = publishWrites({ ...stored, websites: counting }, bus);
  await documents.websites.insert(website('web_1'));
  await documents.websites.insert(website('web_foreign', 'org_two'));
  const ports = { documents, websites: createKnownWebsites(documents, createTestClock(), bus) };
  const place = (websiteId: string, caller = testCaller({ organizationId: ORGANIZATION })) =>
    putWebsites(ports, { kind: 'keyed', caller }, [{ websiteId }], { query: {}, headers: {}, body: {} });
  return { stored, documents, place, reads: () => reads };
}

describe('the website of an event that came with a key', () => {
  it('is read once', async () => {
    const { place, reads } = await start();
    for (let i = 0; i < 5; i++) {
      const [placed] = await place('web_1');
      expect(placed?.target.website?.id).to.equal('web_1');
    }
    expect(reads()).to.equal(1);
  });

  it('is gone once it is deleted, and has its settings once they are changed', async () => {
    const { documents, place } = await start();
    await place('web_1');
    const before = await documents.websites.get(ORGANIZATION, 'web_1');
    await documents.websites.update(ORGANIZATION, 'web_1', before?.version ?? 0, { name: 'Another' });
    expect((await place('web_1'))[0]?.target.website?.name).to.equal('Another');
    await documents.websites.remove(ORGANIZATION, 'web_1');
    expect(await rejection(place('web_1'))).to.include({ kind: 'ACCESS_DENIED' });
  });

  it('is found when another process has just made it, although it was asked for before', async () => {
    const { stored, place } = await start();
    expect(await rejection(place('web_2'))).to.include({ kind: 'ACCESS_DENIED' });
    await stored.websites.insert(website('web_2'));
    expect((await place('web_2'))[0]?.target.website?.id).to.equal('web_2');
  });

  it('is refused when it is known, but of another organization or not on the list of the key', async () => {
    const { place } = await start();
    await place('web_1');
    expect(await rejection(place('web_foreign'))).to.include({ kind: 'ACCESS_DENIED' });
    await place('web_foreign', testCaller({ organizationId: 'org_two' }));
    expect(await rejection(place('web_foreign'))).to.include({ kind: 'ACCESS_DENIED' });
    const other = testCaller({
      organizationId: ORGANIZATION,
      access: { level: 'website', websiteIds: ['web_3'] },
    });
    expect(await rejection(place('web_1', other))).to.include({ kind: 'ACCESS_DENIED' });
  });
});
