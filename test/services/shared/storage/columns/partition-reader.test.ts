/** How a partition is followed: what is read again at each look, and what is not. */
import { expect } from 'chai';
import { SILENT_MS } from '../../../../../services/shared/storage/columns/writer-watch.ts';
import { type ColumnEvents, columnEvents } from '../../../../support/columns/column-events.ts';
import { eventRecord } from '../../../../support/event-record.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
const REACH = { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false, range: null };
const IDS = { engine: 'duckdb', sql: 'SELECT event_id FROM events ORDER BY event_id', params: {} } as const;

describe('a partition that is followed', () => {
  let events: ColumnEvents;
  beforeEach(async () => {
    events = await columnEvents();
    await look();
  });
  afterEach(() => events.remove());

  const look = async () => (await events.store.run(IDS, { reach: REACH })).map(({ event_id }) => event_id);
  /** How many events a look reads. */
  const readBy = async (act: () => Promise<unknown>) => {
    const before = events.log.eventsRead;
    await act();
    return events.log.eventsRead - before;
  };
  const records = (...ids: string[]) =>
    ids.map((event_id) => eventRecord({ event_id, website_id: PARTITION.websiteId }));

  it('reads events that are settled once, and others at each look', async () => {
    const writer = events.log.begin();
    events.log.store(writer, 1, records('a', 'b'));
    events.log.store(writer, 2, records('c'));
    writer.settled = 1;
    expect(await look()).to.deep.equal(['a', 'b', 'c']);
    // Once more, since they were settled before only this look began.
    expect(await readBy(look)).to.equal(3);
    expect(await readBy(look)).to.equal(1);
    writer.settled = 2;
    expect(await readBy(look)).to.equal(1);
    expect(await readBy(look)).to.equal(1);
    expect(await readBy(look)).to.equal(0);
    expect(await look()).to.deep.equal(['a', 'b', 'c']);
  });

  it('leaves out the leftovers of a silent writer until it tells something again', async () => {
    const writer = events.log.begin();
    const [left] = events.log.store(writer, 1, records('left'));
    expect(await look()).to.deep.equal(['left']);
    events.advance(SILENT_MS);
    // This look finds that it is silent, the next reads what it left once more.
    await look();
    expect(await readBy(look)).to.equal(1);
    expect(await readBy(look)).to.equal(0);
    expect(await look()).to.deep.equal(['left']);
    events.log.store(writer, 2, records('new'));
    writer.beats++;
    expect(await look(), 'at once').to.deep.equal(['left', 'new']);
    events.advance(SILENT_MS);
    for (let i = 0; i < 3; i++) await look();
    expect(await readBy(look)).to.equal(0);
    events.log.remove(new Set([left ?? '']));
    writer.recheck++;
    expect(await look()).to.deep.equal(['new']);
  });

  it('reads everything beyond the segments anew after an erasure, and nothing after a mere merge', async () => {
    events.append(records('a', 'b'));
    for (let i = 0; i < 3; i++) await look();
    events.shelf.replace(events.shelf.setOf(PARTITION));
    expect(await readBy(look)).to.equal(0);
    events.log.remove(new Set(['id_1']));
    await events.shelf.rewrite(PARTITION, 1);
    expect(await readBy(look)).to.equal(1);
    expect(await look()).to.deep.equal(['b']);
  });

  it('reads nothing twice when its events move into segments', async () => {
    events.append(records('a', 'b'));
    for (let i = 0; i < 3; i++) await look();
    await events.shelf.build(PARTITION);
    expect(await readBy(look)).to.equal(0);
    events.append(records('c'));
    expect(await look()).to.deep.equal(['a', 'b', 'c']);
    await events.shelf.build(PARTITION);
    expect(await look()).to.deep.equal(['a', 'b', 'c']);
    expect(events.store.downloads).to.equal(2);
  });
});
