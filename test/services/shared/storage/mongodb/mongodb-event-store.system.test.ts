/** The MongoDB event store: the port's contract, group commit, and what its queries give and refuse. */
import { expect } from 'chai';
import type { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import { createMongodbEventStore } from '../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { eventStoreContract } from '../../../../contract/event-store.contract.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import {
  mongodbEvents,
  runningQueries,
  type TestEvents,
} from '../../../../support/mongodb/mongodb-events.ts';
import {
  ALL_EVENTS,
  COUNT_EVENTS,
  constantRow,
  ENDLESS,
  endlessOf,
  mongodb,
} from '../../../../support/mongodb/pipelines.ts';
import { useOwnMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { everythingOf } from '../../../../support/readable-events.ts';
import { rejection } from '../../../../support/rejection.ts';
import { until } from '../../../../support/until.ts';

describe('the event store on MongoDB', () => {
  // Of its own: queries that nobody waits for any more go on in the independent server.
  const server = useOwnMongodb();

  eventStoreContract('MongodbEventStore', async () => {
    const events = mongodbEvents(server.newUri());
    return {
      store: await events.open(),
      clock: events.clock,
      allEvents: ALL_EVENTS,
      countEvents: COUNT_EVENTS,
      echo: constantRow({ text: 'a "quoted" \'text\' 😀', whole: 42, nothing: null, yes: true }),
      eventsNamed: (names) => eventIdsWhere({ event_name: { $in: names } }),
      eventsAt: (instants) => eventIdsWhere({ timestamp: { $in: instants } }),
      endless: ENDLESS,
      reopen: () => events.reopen(),
      close: () => events.remove(),
    };
  });

  describe('on its database', () => {
    let events: TestEvents;
    beforeEach(() => {
      events = mongodbEvents(server.newUri());
    });
    afterEach(() => events.remove());

    it('stores 500 parallel appends in a few bulk inserts', async () => {
      const store = await events.open();
      await Promise.all(
        Array.from({ length: 500 }, (_, i) => store.append([eventRecord({ event_id: `${i}` })])),
      );
      expect(store.commits).to.be.within(1, 10);
      expect(await store.run(COUNT_EVENTS)).to.deep.equal([{ events: 500 }]);
    });

    it('waits at each write for a majority with its journal, for a bounded time', async () => {
      await events.open();
      const writes: { readonly name: string; readonly writeConcern: unknown }[] = [];
      await withDatabase(`${events.uri}?monitorCommands=true`, async (connection) => {
        connection.getClient().on('commandStarted', ({ commandName: name, command }) => {
          if (/^(insert|update|delete)$/.test(name))
            writes.push({ name, writeConcern: command.writeConcern });
        });
        const store = await createMongodbEventStore({ connection, exportDirectory: events.directory.path });
        await store.append([eventRecord({ event_id: 'a' }), eventRecord()]);
        await store.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null });
      });
      expect(writes.map(({ name }) => name)).to.include.members(['insert', 'update', 'delete']);
      for (const { name, writeConcern } of writes) {
        expect(writeConcern, name).to.include({ w: 'majority', j: true });
        expect(writeConcern, name).to.have.property('wtimeout').that.is.within(1, 30_000);
      }
    });

    it('refuses an append beyond the waiting bound with SERVICE_UNAVAILABLE and Retry-After, and stores the others', async () => {
      const store = await events.open({ maxWaitingEvents: 10 });
      const appends = Array.from({ length: 12 }, () => store.append([eventRecord()]));
      const outcomes = await Promise.allSettled(appends);
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []));
      expect(refused).to.have.length(2);
      expect(refused[0]).to.deep.include({ kind: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
      expect(refused[0]?.message).to.equal('Too many events wait to be stored; try again shortly.');
      expect(await store.run(COUNT_EVENTS)).to.deep.equal([{ events: 10 }]);
      await store.append([eventRecord()]);
    });

    it('refuses half characters and what is larger than a document, and stores what comes beside them', async () => {
      const store = await events.open();
      const impossible = [
        { title: 'half a character: \ud83d' },
        { stack: 'x'.repeat(16_777_216) },
        { stack: 'é'.repeat(8_388_608) },
        { properties: 'no JSON' },
      ];
      const appends = impossible.map((columns) => rejection(store.append([eventRecord(columns)])));
      await store.append([eventRecord({ title: '😀' })]);
      for (const fault of await Promise.all(appends)) expect(fault).to.include({ kind: 'INTERNAL_ERROR' });
      expect(await store.run(COUNT_EVENTS)).to.deep.equal([{ events: 1 }]);
    });

    it('returns integers beyond 2^53 as text, others as numbers, dates as milliseconds', async () => {
      const store = await events.open();
      const [row] = await store.run(
        mongodb([
          ...constantRow({ one: 1 }).pipeline,
          {
            $project: {
              small: { $toLong: { $literal: 12 } },
              huge: { $toLong: '9007199254740993' },
              negative: { $toLong: '-9007199254740993' },
              sum: { $add: [{ $literal: 2 ** 53 }, 2] },
              fraction: { $literal: 0.5 },
              day: { $toDate: { $toLong: { $literal: 1_700_000_000_000 } } },
            },
          },
        ]),
      );
      expect(row).to.deep.equal({
        small: 12,
        huge: '9007199254740993',
        negative: '-9007199254740993',
        sum: '9007199254740994',
        fraction: 0.5,
        day: 1_700_000_000_000,
      });
    });

    it('tells of a query that cannot work without a word of the server', async () => {
      const store = await events.open();
      expect(await rejection(store.run(mongodb([{ $nonsense: {} }])))).to.include({
        kind: 'INTERNAL_ERROR',
        message: 'Something failed on our side; the request id finds it in the log.',
      });
      const sql = { engine: 'duckdb', sql: 'SELECT 1', params: {} } as const;
      expect(await rejection(store.run(sql))).to.be.instanceOf(TypeError);
    });

    it('leaves a place to others however many queries an organization has, and half of the places that wait', async () => {
      const store = await events.open({ concurrentQueries: 2, maxWaitingQueries: 4 });
      const leaving = new AbortController();
      const busy = Array.from({ length: 3 }, (_, i) =>
        rejection(store.run(endlessOf(i), { signal: leaving.signal, reach: everythingOf('org_a') })),
      );
      expect(
        await rejection(store.run(endlessOf(3), { signal: leaving.signal, reach: everythingOf('org_a') })),
      ).to.include({
        kind: 'SERVICE_UNAVAILABLE',
        message: 'Too many queries wait; try again shortly.',
      });
      expect(await store.run(COUNT_EVENTS, { reach: everythingOf('org_b') })).to.deep.equal([{ events: 0 }]);
      leaving.abort(new Error('left'));
      for (const fault of await Promise.all(busy)) expect(fault).to.have.property('message', 'left');
      expect(await store.run(COUNT_EVENTS, { reach: everythingOf('org_a') })).to.deep.equal([{ events: 0 }]);
    });

    it('runs a query once for all of a party who ask while it waits, and shows each what was stored before', async () => {
      const store = await events.open({ concurrentQueries: 1 });
      const other = await events.openAnother();
      const leaving = new AbortController();
      const busy = rejection(store.run(ENDLESS, { signal: leaving.signal, reach: everythingOf('org_b') }));
      const answers = Array.from({ length: 5 }, () =>
        store.run(COUNT_EVENTS, { reach: everythingOf('org_a') }),
      );
      await other.append([eventRecord()]);
      answers.push(store.run(COUNT_EVENTS, { reach: everythingOf('org_a') }));
      leaving.abort(new Error('left'));
      await busy;
      for (const rows of await Promise.all(answers)) expect(rows).to.deep.equal([{ events: 1 }]);
      expect(store.sharedQueries).to.equal(5);
    });

    it('ends on the server what nobody waits for (needs a real MongoDB)', async function () {
      const store = await events.open();
      if ((await runningQueries(events.uri)) === null) this.skip();
      const leaving = new AbortController();
      const busy = rejection(store.run(ENDLESS, { signal: leaving.signal, reach: everythingOf('org_a') }));
      await until('the query runs', async () => (await runningQueries(events.uri)) === 1);
      leaving.abort(new Error('left'));
      await busy;
      await until('the query ends', async () => (await runningQueries(events.uri)) === 0);
    });
  });
});

/** `event_id` of the events of a filter, ascending. */
function eventIdsWhere(filter: Readonly<Record<string, unknown>>) {
  return mongodb([{ $match: filter }, { $sort: { event_id: 1 } }, { $project: { _id: 0, event_id: 1 } }]);
}
