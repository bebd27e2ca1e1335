/** Events in MongoDB: the port's contract, group commit, and what is refused. */
import { expect } from 'chai';
import type { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import { createMongodbEventStore } from '../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { eventKeeperContract } from '../../../../contract/event-store.contract.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('the event store on MongoDB', () => {
  const server = useMongodb();

  eventKeeperContract('MongodbEventStore', async () => {
    const events = mongodbEvents(server.newUri());
    return {
      store: await events.open(),
      clock: events.clock,
      stored: () => events.stored(),
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
      expect(await events.stored()).to.have.length(500);
    });

    it('waits at each write for a majority with its journal, for a bounded time', async () => {
      await events.open();
      const writes: { readonly name: string; readonly writeConcern: unknown }[] = [];
      await withDatabase(`${events.uri}?monitorCommands=true`, async (connection) => {
        connection.getClient().on('commandStarted', ({ commandName: name, command }) => {
          if (/^(insert|update|delete)$/.test(name))
            writes.push({ name, writeConcern: command.writeConcern });
        });
        const store = await createMongodbEventStore({ connection });
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
      expect(await events.stored()).to.have.length(10);
      await store.append([eventRecord()]);
    });

    it('refuses half characters and what is larger than a document, and stores what comes beside them', async () => {
      const store = await events.open();
      const impossible = [
        { title: 'half a character: \ud83d' },
        { stack: 'x'.repeat(16_777_216) },
        { stack: 'é'.repeat(8_388_608) },
      ];
      const appends = impossible.map((columns) => rejection(store.append([eventRecord(columns)])));
      await store.append([eventRecord({ title: '😀' })]);
      for (const fault of await Promise.all(appends)) expect(fault).to.include({ kind: 'INTERNAL_ERROR' });
      expect(await events.stored()).to.have.length(1);
    });
  });
});
