/** Whoever follows the arrivals has every acknowledged event exactly once: whatever fails, dies, or is stored by another. */
import { expect } from 'chai';
import { type Connection, mongo } from 'mongoose';
import { NO_POSITIONS } from '../../../../../../services/shared/storage/columns/positions.ts';
import { ArrivalReader } from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import { EventWriters } from '../../../../../../services/shared/storage/mongodb/arrivals/event-writers.ts';
import {
  EVENT_COLLECTION,
  toEventDocument,
} from '../../../../../../services/shared/storage/mongodb/event-document.ts';
import { deadlineIn } from '../../../../../../services/shared/storage/mongodb/event-faults.ts';
import {
  EVENT_ID_COLLECTION,
  eventIdKey,
} from '../../../../../../services/shared/storage/mongodb/event-ids.ts';
import {
  createMongodbEventStore,
  type MongodbEventStore,
} from '../../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { type FaultProxy, startFaultProxy } from '../../../../../support/fault-proxy.ts';
import { killWhileWriting } from '../../../../../support/kill-while-writing.ts';
import { type ArrivalFollower, followArrivals } from '../../../../../support/mongodb/arrival-follower.ts';
import { mongodbEvents, type TestEvents } from '../../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';

const PARTITION = { organizationId: 'org_a', websiteId: null };
/** Longer than a reader waits for a word of a writer. */
const SILENCE_MS = 60_001;

const titled = (title: string, event_id: string | null = title) => eventRecord({ event_id, title });

describe('arrivals', () => {
  const server = useMongodb();
  let events: TestEvents;
  let store: MongodbEventStore;
  let connection: Connection;
  let follower: ArrivalFollower;
  let now: number;

  beforeEach(async () => {
    now = 0;
    events = mongodbEvents(server.newUri());
    store = await events.open();
    connection = await openConnection(events.uri, { appName: 'tidegate-test' });
    const database = connection.getClient().db(connection.name);
    follower = followArrivals(new ArrivalReader(connection.getClient(), database), PARTITION, () => now);
  });
  afterEach(async () => {
    await connection.close();
    await events.remove();
  });

  const collection = (name: string) => connection.collection(name);

  /** A dead writer that has claimed an id, and what its document says; its event is stored or on its way. */
  async function deadClaim(state: 'pending' | 'released', title: string) {
    const writers = new EventWriters(connection.getClient().db(connection.name));
    const writer = await writers.register(deadlineIn(60_000));
    const event = titled(title);
    const _id = new mongo.ObjectId();
    const claim = { event: _id, timestamp: event.timestamp, state, writers: 1, writer };
    await collection(EVENT_ID_COLLECTION).insertOne({
      _id: eventIdKey(event) as never,
      ...claim,
      at: new Date(events.clock.now()),
    });
    const arrive = () =>
      collection(EVENT_COLLECTION).insertOne({ ...toEventDocument(event), _id, writer, sequence: 1 });
    return { event, arrive };
  }

  async function passOver(): Promise<void> {
    await follower.sync();
    events.clock.advance(SILENCE_MS);
    now += SILENCE_MS;
    await follower.sync();
    await follower.sync();
  }

  it('of a dead writer are found when another one acknowledges them, also behind who passed it over', async () => {
    const { event, arrive } = await deadClaim('pending', 'late');
    await passOver();
    await arrive();
    expect(await follower.sync()).to.deep.equal([]);
    expect(await store.append([event]))
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(await follower.sync()).to.deep.equal(['late']);
  });

  it('of a dead writer that took them back leave when another one stores them anew', async () => {
    const { event, arrive } = await deadClaim('released', 'taken back');
    await arrive();
    await passOver();
    expect(await follower.sync()).to.deep.equal(['taken back']);
    expect(await store.append([event]))
      .to.have.property('repeats')
      .with.lengthOf(0);
    expect(await follower.sync()).to.deep.equal(['taken back']);
  });

  it('of a writer that a reader took for dead are found from the acknowledgement on', async () => {
    await store.append([titled('a')]);
    await passOver();
    await store.append([titled('b'), titled('without id', null)]);
    expect(await follower.sync()).to.deep.equal(['a', 'b', 'without id']);
  });

  it('are in no order of clocks: those of writers may differ, and events may be of any time', async () => {
    const behind = await events.openAnother({ clock: { now: () => events.clock.now() - 5_000 } });
    const sent: string[] = [];
    for (let i = 0; i < 12; i++) {
      const event = titled(`${i}`);
      const timestamp = event.timestamp - i * 86_400_000;
      await (i % 2 ? store : behind).append([{ ...event, timestamp }]);
      sent.push(`${i}`);
      expect(await follower.sync())
        .to.have.members(sent)
        .and.to.have.length(sent.length);
    }
  });

  it('of processes killed in the middle of a group are there once, also when they are sent again', async () => {
    for (const atLeast of [1, 40]) {
      await store.erase({ ...PARTITION, anonymousId: null });
      await collection(EVENT_ID_COLLECTION).deleteMany({});
      const reader = new ArrivalReader(connection.getClient(), connection.getClient().db(connection.name));
      const { positions } = await reader.writers();
      const acknowledged = await killWhileWriting('mongodb-events', events.uri, atLeast);
      const ids = async () => {
        const found: string[] = [];
        for await (const batch of reader.read(PARTITION, { beyond: positions }))
          for (const { event_id } of batch) found.push(String(event_id));
        return found;
      };
      const before = await ids();
      expect(before).to.include.members(acknowledged.map(String));
      expect(before).to.have.length(new Set(before).size);
      const highest = Math.max(...before.map(Number), ...acknowledged) + 20;
      const all = Array.from({ length: highest }, (_, i) => eventRecord({ event_id: String(i) }));
      await store.append(all);
      expect(await ids())
        .to.have.members(all.map(({ event_id }) => event_id))
        .and.to.have.length(highest);
    }
  });

  describe('of a process behind a network in trouble', () => {
    let proxy: FaultProxy;
    let other: MongodbEventStore;
    before(function () {
      if (server.kind === 'given') this.skip();
    });
    beforeEach(async () => {
      const uri = new URL(events.uri);
      proxy = await startFaultProxy(Number(uri.port));
      uri.port = String(proxy.port);
      const own = await openConnection(uri.href, { appName: 'tidegate-test' });
      const monotonic = () => performance.now() + now;
      other = await createMongodbEventStore({ connection: own, monotonic });
      await other.append([titled('first')]);
    });
    afterEach(async () => {
      await proxy.set('pass');
      await other.close();
      await proxy.close();
    });

    const settled = async () => (await collection('event_writers').findOne({}))?.settled;

    it('go on while it cannot tell how far it is', async () => {
      await proxy.set({ swallows: ['event_writers'] });
      await other.append([titled('second')]);
      expect(await follower.sync()).to.deep.equal(['first', 'second']);
    });

    it('are not settled after a group failed in the middle, until it is known what became of each', async () => {
      await eventually(settled).equals(1);
      await proxy.set({ swallows: ['events\0'] });
      const failed = rejection(other.append([titled('second'), titled('without id', null)]));
      expect(await failed).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await store.append([titled('third')]);
      expect(await follower.sync()).to.deep.equal(['first', 'third']);
      expect(await settled()).to.equal(1);
      await proxy.set('pass');
      await eventually(settled).equals(2);
      expect(await follower.sync()).to.deep.equal(['first', 'second', 'third']);
      expect(await store.append([titled('second')]))
        .to.have.property('repeats')
        .with.lengthOf(1);
      expect(await follower.sync()).to.deep.equal(['first', 'second', 'third']);
    });

    it('are settled behind a group that stays in the middle, once 30 s have passed, and all when it has ended', async () => {
      await proxy.set({ swallows: ['stuck'] });
      const failed = rejection(other.append([titled('stuck'), titled('stuck without id', null)]));
      expect(await failed).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await other.append([titled('second')]);
      now += 30_001;
      const reader = new ArrivalReader(connection.getClient(), connection.getClient().db(connection.name));
      const titles = ['first', 'second'];
      await eventually(async () => {
        titles.push(`later ${titles.length}`);
        await other.append([titled(String(titles.at(-1)))]);
        return (await reader.writers()).positions.sequences.get(2) ?? 0;
      }).satisfies((told) => expect(told).to.be.above(0));
      expect((await reader.writers()).positions.sequences.get(1)).to.equal(1);
      expect(await follower.sync()).to.deep.equal(titles.sort());
      expect(await other.append([titled('second')]))
        .to.have.property('repeats')
        .with.lengthOf(1);
      await proxy.set('pass');
      const closed = async () => (await collection('event_writers').findOne({ _id: 1 as never }))?.closed;
      await eventually(closed).equals(true);
      expect(await follower.sync()).to.deep.equal([...titles, 'stuck'].sort());
      expect(await store.append([titled('stuck')]))
        .to.have.property('repeats')
        .with.lengthOf(1);
      expect(await follower.sync()).to.deep.equal([...titles, 'stuck'].sort());
    });
  });

  it('become settled behind the appends, and are passed then', async () => {
    await store.append([titled('a')]);
    await store.append([titled('b')]);
    const reader = new ArrivalReader(connection.getClient(), connection.getClient().db(connection.name));
    await eventually(async () => (await reader.writers()).positions.sequences.get(1)).equals(2);
    const { positions } = await reader.writers();
    for await (const batch of reader.read(PARTITION, { beyond: positions })) expect(batch).to.deep.equal([]);
    const found: unknown[] = [];
    for await (const batch of reader.read(PARTITION, { beyond: NO_POSITIONS, within: positions }))
      found.push(...batch);
    expect(found).to.have.length(2);
  });
});
