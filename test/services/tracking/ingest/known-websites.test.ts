/** Holds what is remembered of websites that senders name: never older than 4 seconds, nor than the word that it changed. */
import { expect } from 'chai';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { createKnownWebsites } from '../../../../services/tracking/ingest/known-websites.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('the websites that senders name', () => {
  const organizationId = 'org_one';
  async function start() {
    const clock = createTestClock('2026-03-01T12:00:00.000Z');
    const documents = createMemoryDocumentStore(clock);
    for (const id of ['web_1', 'web_2']) {
      const website = {
        name: id,
        domain: `${id}.example.com`.replace('_', '-'),
        isPublic: false,
        settings: {},
      };
      await documents.websites.insert({ id, organizationId, ...website });
    }
    const bus = new MemoryBus();
    const websites = createKnownWebsites(documents, clock, bus);
    await Promise.all([websites('web_1'), websites('web_2')]);
    for (const id of ['web_1', 'web_2']) await documents.websites.remove(organizationId, id);
    return {
      bus,
      clock,
      known: async () => [(await websites('web_1')) !== null, (await websites('web_2')) !== null],
    };
  }

  it('are remembered for four seconds', async () => {
    const { clock, known } = await start();
    clock.advance(3_999);
    expect(await known()).to.deep.equal([true, true]);
    clock.advance(1);
    expect(await known()).to.deep.equal([false, false]);
  });

  it('are forgotten at once when the bus tells of them, and no others', async () => {
    const { bus, known } = await start();
    bus.publish({ kind: 'website', organizationId, id: 'web_1' });
    expect(await known()).to.deep.equal([false, true]);
  });

  it('are all forgotten when it is not known what changed', async () => {
    const { bus, known } = await start();
    bus.publish({ kind: 'everything' });
    expect(await known()).to.deep.equal([false, false]);
  });
});
