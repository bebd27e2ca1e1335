/** Repeats on MongoDB where several writers meet: two processes, one that dies, an append that the server refuses. */

import { expect } from 'chai';
import { mongo } from 'mongoose';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import type { EventKeeper } from '../../../../../services/shared/ports/event-store.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { killWhileWriting } from '../../../../support/kill-while-writing.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('event ids on MongoDB', () => {
  const server = useMongodb();
  let events: TestEvents;
  beforeEach(() => {
    events = mongodbEvents(server.newUri());
  });
  afterEach(() => events.remove());

  const numbered = (count: number, first = 0) =>
    Array.from({ length: count }, (_, i) => eventRecord({ event_id: String(first + i) }));
  const storedIds = async () => (await events.stored()).map(({ event_id }) => event_id);

  it('are stored once when two processes store the same ones at the same time', async () => {
    const stores = [await events.open(), await events.openAnother()];
    const all = numbered(60);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const shuffled = all.slice(i).concat(all.slice(0, i));
        return stores[i % 2]?.append(shuffled.slice(0, 10));
      }),
    );
    const [store] = stores;
    if (!store) throw new Error('no store');
    const stored = await storedIds();
    expect(stored).to.have.length(new Set(stored).size);
    const repeated = outcomes.reduce((sum, outcome) => sum + (outcome?.repeats.length ?? 0), 0);
    expect(repeated).to.equal(40 * 10 - stored.length);
  });

  it('are stored once though the process that stores them is killed at any moment, and lose nothing acknowledged', async () => {
    const store = await events.open();
    for (const atLeast of [1, 30, 60]) {
      await store.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null });
      await withDatabase(events.uri, (connection) => connection.collection('event_ids').deleteMany({}));
      const acknowledged = await killWhileWriting('mongodb-events', events.uri, atLeast);
      const before = await storedIds();
      expect(before).to.include.members(acknowledged.map(String));
      expect(before).to.have.length(new Set(before).size);
      // The client sends again whatever it got no answer for.
      const highest = Math.max(...before.map(Number), ...acknowledged) + 50;
      await store.append(numbered(highest));
      const after = await storedIds();
      expect(after).to.have.members(numbered(highest).map(({ event_id }) => event_id));
    }
  });

  it('go to the place that the first writer chose when another one finishes its work', async () => {
    const store = await events.open();
    const first = eventRecord({ event_id: 'a', timestamp: 1_700_000_000_000, website_id: 'web_a' });
    await store.append([first]);
    // As a writer leaves it that dies before, or right after, the event is stored.
    for (const isStored of [true, false]) {
      await withDatabase(events.uri, async (connection) => {
        await connection.collection('event_ids').updateMany({}, { $set: { state: 'pending' } });
        if (!isStored) await connection.collection('events').deleteMany({});
      });
      const again = { ...first, timestamp: first.timestamp + 86_400_000 };
      expect(await store.append([again]))
        .to.have.property('repeats')
        .with.lengthOf(isStored ? 1 : 0);
      expect(await store.append([again]))
        .to.have.property('repeats')
        .with.lengthOf(1);
      expect(await events.stored()).to.deep.equal([first]);
    }
  });

  describe('of an append that the server refuses', () => {
    const refused = (id: string | null): EventRecord => eventRecord({ event_id: id, title: 'taken' });

    /** From then on the server refuses further events of the title `taken`. */
    async function openWithRefusal(): Promise<EventKeeper> {
      const store = await events.open();
      await withDatabase(events.uri, async (connection) => {
        await connection.collection('events').createIndex({ title: 1 }, { unique: true, sparse: true });
        await connection.collection('events').insertOne({ _id: new mongo.ObjectId(), title: 'taken' });
      });
      return store;
    }

    it('are taken back with the events beside them, and those of other appends are stored', async () => {
      const store = await openWithRefusal();
      const bad = rejection(
        store.append([eventRecord({ event_id: 'a' }), eventRecord({ event_id: null }), refused('b')]),
      );
      const good = Array.from({ length: 5 }, (_, i) => store.append(numbered(2, i * 2)));
      expect(await bad).to.include({ kind: 'INTERNAL_ERROR' });
      await Promise.all(good);
      expect(await events.stored()).to.have.length(11);
      const once = await store.append([eventRecord({ event_id: 'a' }), eventRecord({ event_id: 'b' })]);
      expect(once).to.have.property('repeats').with.lengthOf(0);
    });

    it('are stored for another append that brings the same id at the same time', async () => {
      const store = await openWithRefusal();
      const bad = rejection(store.append([refused('a')]));
      const good = store.append([eventRecord({ event_id: 'a' }), eventRecord({ event_id: null })]);
      expect(await bad).to.include({ kind: 'INTERNAL_ERROR' });
      expect(await good)
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await events.stored()).to.have.length(3);
    });
  });
});
