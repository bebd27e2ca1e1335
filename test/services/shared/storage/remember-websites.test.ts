/** The websites of organizations are read once and never served stale: not past a word of the bus, a foreign write, a lost store. */
import { expect } from 'chai';
import type { Bus } from '../../../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../../services/shared/storage/publish-writes.ts';
import { rememberWebsites } from '../../../../services/shared/storage/remember-websites.ts';
import { newWebsite } from '../../../contract/document-store.contract.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

describe('remembered websites', () => {
  let clock: TestClock;
  let bus: Bus;
  /** The store as another process writes to it. */
  let store: DocumentStore;
  /** The store as this process sees it. */
  let documents: DocumentStore;
  let reads: number;
  let foreign: number;
  let isLost: boolean;

  beforeEach(async () => {
    clock = createTestClock();
    bus = new MemoryBus();
    store = createMemoryDocumentStore(clock);
    reads = 0;
    foreign = 0;
    isLost = false;
    const counted: DocumentStore = {
      ...store,
      async websitesOf(organizationId) {
        reads++;
        return store.websitesOf(organizationId);
      },
      async foreignChanges() {
        if (isLost) throw new Error('the store is lost');
        return foreign;
      },
    };
    documents = rememberWebsites(publishWrites(counted, bus), { bus, clock });
    await store.websites.insert(newWebsite('web_1'));
    await store.websites.insert(newWebsite('web_2'));
    await store.websites.insert(newWebsite('web_3', { organizationId: 'org_b' }));
  });

  const ids = async (organizationId = 'org_a') =>
    (await documents.websitesOf(organizationId)).map(({ id }) => id);

  it('are read once for all who ask', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ids()));
    for (let i = 0; i < 20; i++) expect(await ids()).to.deep.equal(['web_1', 'web_2']);
    expect(reads).to.equal(1);
    expect(await ids('org_b')).to.deep.equal(['web_3']);
    expect(reads).to.equal(2);
  });

  it('follow every write of this process at once, and leave other organizations remembered', async () => {
    await ids();
    await ids('org_b');
    await documents.websites.insertWithin(newWebsite('web_4'), 100);
    expect(await ids()).to.deep.equal(['web_1', 'web_2', 'web_4']);
    await documents.websites.remove('org_a', 'web_1');
    expect(await ids()).to.deep.equal(['web_2', 'web_4']);
    await documents.websites.update('org_a', 'web_2', 1, { name: 'Renamed' });
    expect((await documents.websitesOf('org_a'))[0]).to.include({ name: 'Renamed' });
    expect(reads).to.equal(4 + 1);
    await ids('org_b');
    expect(reads).to.equal(5);
  });

  it('follow what the bus tells of other processes at once, and everything after a gap', async () => {
    await ids();
    await store.websites.remove('org_a', 'web_1');
    bus.publishHere({ kind: 'website', organizationId: 'org_a', id: 'web_1' });
    expect(await ids()).to.deep.equal(['web_2']);
    await store.websites.remove('org_a', 'web_2');
    bus.publishHere({ kind: 'everything' });
    expect(await ids()).to.deep.equal([]);
  });

  it('follow another process within 5 seconds where the bus tells nothing', async () => {
    await ids();
    await store.websites.remove('org_a', 'web_1');
    foreign++;
    clock.advance(4_999);
    expect(await ids()).to.deep.equal(['web_2']);
  });

  it('are not read again while no other process wrote anything', async () => {
    for (let i = 0; i < 10; i++) {
      await ids();
      clock.advance(4_500);
    }
    expect(reads).to.equal(1);
    foreign++;
    await ids();
    expect(reads).to.equal(2);
  });

  it('are a fault once they are too old and the store does not answer, and right again once it does', async () => {
    await ids();
    isLost = true;
    clock.advance(4_500);
    expect(await rejection(ids())).to.be.instanceOf(Error);
    clock.advance(-3_600_000);
    expect(await rejection(ids())).to.be.instanceOf(Error);
    isLost = false;
    expect(await ids()).to.deep.equal(['web_1', 'web_2']);
  });

  it('are not remembered from before a write that came while they were read', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = rememberWebsites(
      {
        ...store,
        async websitesOf(organizationId) {
          const found = await store.websitesOf(organizationId);
          await held;
          return found;
        },
      },
      { bus, clock },
    );
    const before = slow.websitesOf('org_a');
    await new Promise((resolve) => setImmediate(resolve));
    await store.websites.remove('org_a', 'web_1');
    bus.publish({ kind: 'website', organizationId: 'org_a', id: 'web_1' });
    const after = slow.websitesOf('org_a');
    release();
    await before;
    expect((await after).map(({ id }) => id)).to.deep.equal(['web_2']);
    expect((await slow.websitesOf('org_a')).map(({ id }) => id)).to.deep.equal(['web_2']);
  });
});
