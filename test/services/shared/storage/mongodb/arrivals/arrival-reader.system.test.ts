/** Reads of events as they arrive: by writer and group, in whole groups, by time, with what has no stamp. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { NO_POSITIONS, type Positions } from '../../../../../../services/shared/storage/columns/positions.ts';
import {
  ArrivalReader,
  stampOf,
} from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import {
  EVENT_COLLECTION,
  type EventDocument,
  toEventRecord,
} from '../../../../../../services/shared/storage/mongodb/event-document.ts';
import type { MongodbEventStore } from '../../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { mongodbEvents, type TestEvents } from '../../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };

describe('the reader of arrivals', () => {
  const server = useMongodb();
  let events: TestEvents;
  let store: MongodbEventStore;
  let connection: Connection;
  let reader: ArrivalReader;

  beforeEach(async () => {
    events = mongodbEvents(server.newUri());
    store = await events.open();
    connection = await openConnection(events.uri, { appName: 'tidegate-test' });
    reader = new ArrivalReader(connection.getClient(), connection.getClient().db(connection.name));
  });
  afterEach(async () => {
    await connection.close();
    await events.remove();
  });

  const event = (event_id: string, more: object = {}) =>
    eventRecord({ event_id, website_id: 'web_a', ...more });
  const idsOf = async (batches: AsyncIterable<EventDocument[]>) => {
    const ids: unknown[] = [];
    for await (const batch of batches) for (const { event_id } of batch) ids.push(event_id);
    return ids;
  };

  it('knows no writer, and finds nothing, where nothing was stored', async () => {
    expect(await reader.writers()).to.deep.equal({ positions: NO_POSITIONS, open: [] });
    expect(await idsOf(reader.read(PARTITION, { beyond: NO_POSITIONS }))).to.deep.equal([]);
    expect(await reader.bounds(PARTITION)).to.equal(null);
    expect(await reader.bounds({ ...PARTITION, websiteId: null })).to.equal(null);
  });

  it('finds the events of a partition alone, in the order of writers and groups, with every column and their stamps', async () => {
    const other = await events.openAnother();
    const sent = [event('a', { properties: '{"a":1}', href: 'https://a.example/b' }), event('c'), event('b')];
    await store.append([sent[0], eventRecord({ event_id: 'x' })].filter((one) => one !== undefined));
    await other.append([event('c')]);
    await store.append([event('b'), event('y', { organization_id: 'org_b' })]);
    const found: EventDocument[] = [];
    for await (const batch of reader.read(PARTITION, { beyond: NO_POSITIONS })) found.push(...batch);
    expect(found.map(stampOf)).to.deep.equal([
      { writer: 1, sequence: 1 },
      { writer: 1, sequence: 2 },
      { writer: 2, sequence: 1 },
    ]);
    expect(found.map(toEventRecord)).to.deep.equal([sent[0], event('b'), event('c')]);
    for (const document of found) expect(document).to.not.have.any.keys('pairs', 'href_host');
  });

  it('finds what is beyond positions, within others, and not of excluded writers', async () => {
    const other = await events.openAnother();
    for (const id of ['a1', 'a2', 'a3']) await store.append([event(id)]);
    for (const id of ['b1', 'b2']) await other.append([event(id)]);
    const beyond: Positions = { floor: 0, sequences: new Map([[1, 1]]) };
    const within: Positions = {
      floor: 0,
      sequences: new Map([
        [1, 2],
        [2, 1],
      ]),
    };
    expect(await idsOf(reader.read(PARTITION, { beyond }))).to.deep.equal(['a2', 'a3', 'b1', 'b2']);
    expect(await idsOf(reader.read(PARTITION, { beyond, within }))).to.deep.equal(['a2', 'b1']);
    const without = new Set([1]);
    expect(await idsOf(reader.read(PARTITION, { beyond, within, without }))).to.deep.equal(['b1']);
  });

  it('ends with the group that reaches the limit, and never within one', async () => {
    await store.append(['a', 'b', 'c'].map((id) => event(id)));
    await store.append([event('d')]);
    await store.append([event('e')]);
    for (const [limit, count] of [
      [1, 3],
      [3, 3],
      [4, 4],
      [5, 5],
      [9, 5],
    ]) {
      const found = await idsOf(reader.read(PARTITION, { beyond: NO_POSITIONS, limit: limit ?? 0 }));
      expect(found, `${limit}`).to.have.length(count ?? 0);
    }
  });

  it('finds events by time within positions, and those that were stored without a stamp', async () => {
    const from = 1_700_000_000_000;
    await store.append([event('late', { timestamp: from + 2 }), event('end', { timestamp: from + 10 })]);
    await store.append([event('beyond', { timestamp: from + 1 })]);
    await store.append([event('unstamped', { timestamp: from })]);
    const unstamped = { $unset: { writer: '', sequence: '' } } as const;
    await connection.collection(EVENT_COLLECTION).updateOne({ event_id: 'unstamped' }, unstamped);
    const within = { floor: 0, sequences: new Map([[1, 1]]) };
    const found = reader.readByTime(PARTITION, { from, to: from + 10, within });
    expect(await idsOf(found)).to.deep.equal(['unstamped', 'late']);
    expect(await reader.bounds(PARTITION)).to.deep.equal({ from, to: from + 10 });
    await store.append([eventRecord({ event_id: 'n', timestamp: from + 5 })]);
    const organization = { ...PARTITION, websiteId: null };
    expect(await reader.bounds(organization)).to.deep.equal({ from: from + 5, to: from + 5 });
  });

  it('ends with the reason of its signal', async () => {
    await store.append([event('a')]);
    const reason = new Error('nobody waits');
    const signal = AbortSignal.abort(reason);
    expect(await rejection(idsOf(reader.read(PARTITION, { beyond: NO_POSITIONS }, signal)))).to.equal(reason);
    expect(await rejection(reader.writers(signal))).to.equal(reason);
  });
});
