/** Queries over events that arrive in MongoDB: each sees what any process had acknowledged before it. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { NO_POSITIONS } from '../../../../../../services/shared/storage/columns/positions.ts';
import { ArrivalReader } from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import { arrivalSourceOf } from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-source.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { fullEventRecord } from '../../../../../contract/event-store.contract.ts';
import { type ColumnEvents, columnEvents } from '../../../../../support/columns/column-events.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { mongodbEvents, type TestEvents } from '../../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
const REACH = { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false, range: null };
const IDS = { engine: 'duckdb', sql: 'SELECT event_id FROM events ORDER BY event_id', params: {} } as const;

describe('queries over arrivals in MongoDB', () => {
  const server = useMongodb();
  let events: TestEvents;
  let connection: Connection;
  let columns: ColumnEvents;

  beforeEach(async () => {
    events = mongodbEvents(server.newUri());
    await events.open();
    connection = await openConnection(events.uri, { appName: 'tidegate-test' });
    const client = connection.getClient();
    const arrivals = arrivalSourceOf(new ArrivalReader(client, client.db(connection.name)));
    columns = await columnEvents({ arrivals });
    columns.shelf.replace({
      ...{ partition: PARTITION, version: 0, erasures: 0 },
      ...{ covered: NO_POSITIONS, segments: [] },
    });
  });
  afterEach(async () => {
    await columns.remove();
    await connection.close();
    await events.remove();
  });

  const event = (event_id: string) => eventRecord({ event_id, website_id: 'web_a' });
  const seen = async () => (await columns.store.run(IDS, { reach: REACH })).map(({ event_id }) => event_id);

  it('see every acknowledged event of several stores once, whichever of them ends', async () => {
    const stores = [await events.openAnother(), await events.openAnother()];
    const stored: string[] = [];
    for (let round = 0; round < 6; round++) {
      const ids = [0, 1, 2].map((i) => `${round}${i}`);
      if (round === 4) await stores[0]?.close();
      const store = stores[round < 4 ? round % 2 : 1];
      await Promise.all(ids.map((id) => store?.append([event(id)])));
      stored.push(...ids);
      expect(await seen()).to.deep.equal(stored);
    }
  });

  it('see every column as it was stored', async () => {
    const store = await events.openAnother();
    const full = { ...fullEventRecord(), organization_id: 'org_a', website_id: 'web_a' };
    await store.append([full]);
    const everything = { ...IDS, sql: 'FROM events' };
    expect(await columns.store.run(everything, { reach: REACH })).to.deep.equal([full]);
  });
});
