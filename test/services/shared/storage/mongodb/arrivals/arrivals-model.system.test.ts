/** Random appends of several writers over bad networks, against what whoever follows the arrivals holds after each step. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { ArrivalReader } from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import { EVENT_COLLECTION } from '../../../../../../services/shared/storage/mongodb/event-document.ts';
import {
  createMongodbEventStore,
  type MongodbEventStore,
} from '../../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { type FaultProxy, startFaultProxy } from '../../../../../support/fault-proxy.ts';
import { type ArrivalFollower, followArrivals } from '../../../../../support/mongodb/arrival-follower.ts';
import { mongodbEvents, type TestEvents } from '../../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';

const PARTITION = { organizationId: 'org_a', websiteId: null };
const WRITERS = 3;
const STEPS = 15;
const SEEDS = [1, 2];
const SILENCE_MS = 60_001;
/** Longer than a group may be open before its writer goes on under another number. */
const HELD_BACK_MS = 30_001;
/** A network may swallow what has this in its title. */
const STUCK = 'stuck';
/** Of this title the server takes one event alone. */
const REFUSED = 'refused';

/** A process that stores events, and its network. */
interface Writer {
  readonly store: MongodbEventStore;
  readonly proxy: FaultProxy;
}

/** Numbers below `below`, always the same ones of a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('arrivals over bad networks', function () {
  this.timeout(300_000);
  const server = useMongodb();
  let events: TestEvents;
  let connection: Connection;
  let follower: ArrivalFollower;
  let writers: Writer[];
  let now: number;
  before(function () {
    if (server.kind === 'given') this.skip();
  });

  beforeEach(async () => {
    now = 0;
    events = mongodbEvents(server.newUri());
    await events.open();
    connection = await openConnection(events.uri, { appName: 'tidegate-test' });
    const database = connection.getClient().db(connection.name);
    const stored = database.collection(EVENT_COLLECTION);
    await stored.createIndex({ title: 1 }, { unique: true, sparse: true });
    await stored.insertOne({ title: REFUSED });
    follower = followArrivals(new ArrivalReader(connection.getClient(), database), PARTITION, () => now);
    writers = await Promise.all(Array.from({ length: WRITERS }, begin));
  });
  afterEach(async () => {
    await Promise.all(writers.map(end));
    await connection.close();
    await events.remove();
  });

  async function begin(): Promise<Writer> {
    const uri = new URL(events.uri);
    const proxy = await startFaultProxy(Number(uri.port));
    uri.port = String(proxy.port);
    const own = await openConnection(uri.href, { appName: 'tidegate-test' });
    const monotonic = () => performance.now() + now;
    const options = { connection: own, clock: events.clock, monotonic };
    const store = await createMongodbEventStore(options);
    return { store, proxy };
  }

  async function end({ store, proxy }: Writer): Promise<void> {
    await proxy.set('pass');
    await store.close();
    await proxy.close();
  }

  const trouble: readonly ((proxy: FaultProxy) => unknown)[] = [
    () => undefined,
    (proxy) => proxy.cut(),
    (proxy) => proxy.cutUnanswered(),
    (proxy) => proxy.set({ answersAfterMs: 30 }),
    (proxy) => proxy.set('pass'),
    (proxy) => proxy.loseAnswerTo('insert', 'events\0'),
    (proxy) => proxy.loseAnswerTo('insert', 'event_ids\0'),
    (proxy) => proxy.loseAnswerTo('update', 'event_ids\0'),
    (proxy) => proxy.loseAnswerTo('update', 'event_writers\0'),
    (proxy) => proxy.loseAnswerTo('delete', 'events\0'),
  ];

  for (const seed of SEEDS) {
    it(`are held exactly once from their acknowledgement on, of seed ${seed}`, async () => {
      const random = randomOf(seed);
      const acknowledged = new Set<string>();
      const sent = new Set<string>();
      const stuck = new Set<Writer>();
      let next = 0;

      async function append(writer: Writer): Promise<void> {
        const titles = Array.from({ length: 1 + random(4) }, () => {
          const kind = random(12);
          if (kind === 0) return REFUSED;
          // Some that were sent lately, by this writer or another, with or without success.
          return kind < 5 && next > 0
            ? `id ${Math.max(0, next - 1 - random(6))}`
            : `${kind < 9 ? 'id' : 'no'} ${next++}`;
        });
        await send(writer, titles);
      }

      /** False: it failed. */
      async function send({ store }: Writer, titles: readonly string[]): Promise<boolean> {
        const records = titles.map((title) =>
          eventRecord({ title, event_id: title.startsWith('no') ? null : title }),
        );
        for (const title of titles) sent.add(title);
        return store.append(records).then(
          () => {
            for (const title of titles) acknowledged.add(title);
            return true;
          },
          () => false,
        );
      }

      /** A group stays in the middle, also in the steps that follow; what comes after it goes on under a new number. */
      async function getStuck(writer: Writer): Promise<void> {
        await writer.proxy.set({ swallows: [STUCK] });
        const titles = [`id ${STUCK} ${next++}`, `no ${STUCK} ${next++}`, `id ${next++}`];
        expect(await send(writer, titles)).to.equal(false);
        const numbers = new Set<unknown>();
        await eventually(async () => {
          const title = `no ${next++}`;
          await send(writer, [title]);
          await look();
          numbers.add((await connection.collection(EVENT_COLLECTION).findOne({ title }))?.writer);
          if (numbers.size === 1) pass(HELD_BACK_MS);
          return numbers.size;
        }).equals(2);
      }

      function pass(ms: number): void {
        events.clock.advance(ms);
        now += ms;
      }

      async function look(): Promise<void> {
        const owed = [...acknowledged];
        const held = await follower.sync();
        expect(held, 'twice').to.have.length(new Set(held).size);
        expect(held, 'lost').to.include.members(owed);
        expect([...sent], 'never sent').to.include.members(held);
      }

      for (let step = 0; step < STEPS; step++) {
        const appends: Promise<void>[] = [];
        for (const writer of writers) {
          trouble[random(trouble.length)]?.(writer.proxy);
          for (let i = random(3); i > 0; i--) appends.push(append(writer));
        }
        await look();
        await Promise.all(appends);
        await look();
        const act = random(8);
        if (act === 0) {
          pass(SILENCE_MS);
          await look();
        }
        const other = writers[random(WRITERS)];
        if (act === 2 && other && !stuck.has(other)) {
          stuck.add(other);
          await getStuck(other);
        }
        const last = writers[0];
        if (act === 1 && last) {
          await end(last);
          writers = [...writers.slice(1), await begin()];
        }
      }
      expect(stuck, 'none got stuck').to.not.have.length(0);
      await Promise.all(writers.map(({ proxy }) => proxy.set('pass')));
      // Nothing that failed is left in the middle: what is stored and what is held become one.
      const stored = connection.collection(EVENT_COLLECTION);
      await eventually(async () => {
        const held = await follower.sync();
        const titles = (await stored.find({ writer: { $gt: 0 } }).toArray())
          .map(({ title }) => String(title))
          .sort();
        return [held, titles];
      }).satisfies(([held, titles]) => expect(held).to.deep.equal(titles));
      await look();
    });
  }
});
