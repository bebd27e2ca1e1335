/** The index of key hashes: read from the store, followed on the bus, and never a reason to refuse a live key. */
import { expect } from 'chai';
import { createKeyIndex } from '../../../plugins/auth/key-index.ts';
import { hashApiKey } from '../../../services/shared/credentials/api-key-text.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { createStrictLogger } from '../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestClock } from '../../support/test-clock.ts';

describe('the index of key hashes', () => {
  const hash = (number: number) => hashApiKey(`key ${number}`);
  const clock = createTestClock();
  const logger = createStrictLogger();

  /** A store of which only the hashes are asked. */
  function storeOf(hashes: () => Promise<string[]>): DocumentStore {
    return {
      ...createMemoryDocumentStore(clock),
      async apiKeyHashes({ limit, after = '' }) {
        return (await hashes())
          .sort()
          .filter((each) => each > after)
          .slice(0, limit);
      },
    };
  }

  it('holds every hash of the store, beyond one page, and no other', async () => {
    const hashes = Array.from({ length: 2_500 }, (_, number) => hash(number));
    const documents = storeOf(async () => [...hashes]);
    const index = createKeyIndex({ documents, bus: new MemoryBus(), clock, logger });
    await index.settled();
    expect(hashes.every((each) => index.mayKnow(each))).to.equal(true);
    expect(index.mayKnow(hash(9_999))).to.equal(false);
  });

  it('holds what is pushed while it is read', async () => {
    const bus = new MemoryBus();
    const index = createKeyIndex({ documents: storeOf(async () => []), bus, clock, logger });
    bus.publish({ kind: 'apiKey', organizationId: 'org_a', id: 'key_1', keyHash: hash(1) });
    await index.settled();
    expect(index.mayKnow(hash(1))).to.equal(true);
    expect(index.mayKnow(hash(2))).to.equal(false);
  });

  it('is read again, with what came meanwhile, when everything may have changed', async () => {
    const bus = new MemoryBus();
    let hashes = [hash(1)];
    const index = createKeyIndex({ documents: storeOf(async () => hashes), bus, clock, logger });
    await index.settled();
    hashes = [hash(2)];
    bus.publish({ kind: 'everything' });
    bus.publish({ kind: 'everything' });
    await index.settled();
    expect([index.mayKnow(hash(1)), index.mayKnow(hash(2))]).to.deep.equal([false, true]);
  });

  it('knows every hash while it could not be read, and reads again after a pause', async () => {
    const moving = createTestClock();
    let down = true;
    const documents = storeOf(async () => {
      if (down) throw new Error('down');
      return [hash(1)];
    });
    const index = createKeyIndex({ documents, bus: new MemoryBus(), clock: moving, logger });
    await index.settled();
    expect(index.mayKnow(hash(2))).to.equal(true);
    down = false;
    moving.advance(2_000);
    index.mayKnow(hash(2));
    await index.settled();
    expect([index.mayKnow(hash(1)), index.mayKnow(hash(2))]).to.deep.equal([true, false]);
  });

  it('follows the bus no more once closed', async () => {
    const bus = new MemoryBus();
    const index = createKeyIndex({ documents: storeOf(async () => []), bus, clock, logger });
    await index.settled();
    index.close();
    bus.publish({ kind: 'apiKey', organizationId: 'org_a', id: 'key_1', keyHash: hash(1) });
    expect(index.mayKnow(hash(1))).to.equal(false);
  });
});
