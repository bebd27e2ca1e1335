/** Events on MongoDB while server or network fail: declared errors in time, nothing acknowledged lost, nothing stored twice. */
import { expect } from 'chai';
import { withLease } from '../../../../../services/shared/storage/mongodb/lease.ts';
import type { MongodbEventStore } from '../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { type FaultProxy, startFaultProxy } from '../../../../support/fault-proxy.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { useOwnMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { rejection } from '../../../../support/rejection.ts';

const ANYBODY = { organizationId: 'org_a', websiteIds: null, profileId: 'anybody' };

/** Longer than the store tries to store a group, and takes it back. */
const LONGEST_ANSWER_MS = 20_000;

describe('the event store on MongoDB in trouble', () => {
  const server = useOwnMongodb({ durable: true });
  before(async function () {
    if (server.kind === 'given') this.skip();
  });

  /** Sends numbered events, the odd ones in pairs, until told; failed ones again, until they are acknowledged. */
  function send(events: TestEvents, store: MongodbEventStore, senders: number) {
    const acknowledged = new Set<string>();
    const faults: unknown[] = [];
    let isOver = false;
    let next = 0;
    const sending = Promise.all(
      Array.from({ length: senders }, async () => {
        while (!isOver) {
          const ids = Array.from({ length: 1 + (next % 2) }, () => String(next++));
          const records = ids.map((event_id) => eventRecord({ event_id }));
          for (let isStored = false; !isStored; ) {
            isStored = await store.append(records).then(
              () => true,
              (fault: unknown) => faults.push(fault) === 0,
            );
          }
          for (const id of ids) acknowledged.add(id);
        }
      }),
    );
    return {
      acknowledged,
      faults,
      async end() {
        isOver = true;
        await sending;
        const stored = (await events.stored()).map(({ event_id }) => event_id);
        expect(stored).to.have.length(acknowledged.size);
        expect(stored).to.have.members([...acknowledged]);
        for (const fault of faults) expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      },
    };
  }

  const reached = async (set: ReadonlySet<string>, size: number) => {
    while (set.size < size) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('keeps what was acknowledged when the server is killed, and stores each event once when it is back', async () => {
    const events = mongodbEvents(server.newUri());
    const store = await events.open();
    const crowd = send(events, store, 6);
    for (let round = 0; round < 2; round++) {
      await reached(crowd.acknowledged, crowd.acknowledged.size + 20);
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await server.start();
    }
    await reached(crowd.acknowledged, crowd.acknowledged.size + 20);
    await crowd.end();
    await events.remove();
  });

  it('answers SERVICE_UNAVAILABLE in time while the server is away, and works again when it is back', async () => {
    const events = mongodbEvents(server.newUri());
    const store = await events.open();
    await server.kill();
    const began = performance.now();
    const everything = { organizationId: 'org_a', websiteId: null, anonymousId: null };
    const faults = await Promise.all([
      rejection(store.append([eventRecord({ event_id: 'a' })])),
      rejection(store.profileEvents.counts(ANYBODY, [])),
      rejection(store.ping()),
      rejection(store.erase(everything)),
    ]);
    for (const fault of faults) expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - began).to.be.lessThan(LONGEST_ANSWER_MS);
    await server.start();
    await store.append([eventRecord({ event_id: 'a' })]);
    expect(await events.stored()).to.have.length(1);
    await events.remove();
  });

  /** Event stores that reach the server through a network in trouble. */
  async function behindProxy(): Promise<{ proxy: FaultProxy; events: TestEvents }> {
    const uri = new URL(server.newUri());
    const proxy = await startFaultProxy(Number(uri.port));
    uri.port = String(proxy.port);
    return { proxy, events: mongodbEvents(uri.href) };
  }

  it('stores each event once over cut, slow and refused connections', async () => {
    const { proxy, events } = await behindProxy();
    const store = await events.open();
    const crowd = send(events, store, 4);
    for (const trouble of [
      () => proxy.cut(),
      () => proxy.set({ answersAfterMs: 100 }),
      () => proxy.cut(),
      () => proxy.set('refuse'),
    ]) {
      await reached(crowd.acknowledged, crowd.acknowledged.size + 8);
      await trouble();
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    await proxy.set('pass');
    await reached(crowd.acknowledged, crowd.acknowledged.size + 8);
    await crowd.end();
    await events.remove();
    await proxy.close();
  });

  it('gives up in time what a server that lives does not answer, and works again when it does', async () => {
    const { proxy, events } = await behindProxy();
    const store = await events.open();
    await withDatabase(events.uri, async (database) => {
      await proxy.set({ swallows: ['event_ids', 'tidegate_leases', 'ping'] });
      const began = performance.now();
      const faults = await Promise.all([
        rejection(store.append([eventRecord({ event_id: 'a' })])),
        rejection(store.ping()),
        rejection(withLease(database, 'start', async () => 'held')),
      ]);
      expect(performance.now() - began).to.be.lessThan(LONGEST_ANSWER_MS);
      const [ofAppend, ofPing] = faults;
      for (const fault of [ofAppend, ofPing]) expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    });
    await proxy.set('pass');
    await store.append([eventRecord({ event_id: 'a' })]);
    expect(await events.stored()).to.have.length(1);
    await events.remove();
    await proxy.close();
  });

  it('gives up in time what a frozen connection does not answer, without a word that it is stored', async () => {
    const { proxy, events } = await behindProxy();
    const store = await events.open();
    await proxy.set('freeze');
    const began = performance.now();
    const fault = await rejection(store.append([eventRecord({ event_id: 'a' })]));
    expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - began).to.be.lessThan(LONGEST_ANSWER_MS);
    await proxy.set('pass');
    await store.append([eventRecord({ event_id: 'a' })]);
    expect(await events.stored()).to.have.length(1);
    await events.remove();
    await proxy.close();
  });
});
