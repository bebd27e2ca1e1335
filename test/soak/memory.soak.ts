/** Five million events straight into the event store, in arrays of 100: memory stays flat once the window of ids is full. */
import { expect } from 'chai';
import type { EventRecord } from '../../services/shared/model/event-record.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventRecord } from '../support/event-record.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const EVENTS = 5_000_000;
const ARRAY = 100;
const CALLERS = 16;
const SAMPLE_EVERY = 250_000;
/** Full after a fifth of the events. */
const WINDOW = 1_000_000;
const FULL_AT = 1_500_000;
/** What the process may grow by after that, in bytes: pages of the engine and of the collector come and go. */
const SLACK = 96_000_000;

describe('memory over five million events', function () {
  this.timeout(30 * 60_000);

  it('stays flat once the window of ids is full, and all ids of the window are known after a restart', async () => {
    const directory = createTempDirectory();
    const path = directory.file('events.duckdb');
    const options = { path, memoryLimit: '256MB', threads: 1, eventIdWindow: WINDOW };
    const store = await createDuckDbEventStore(options);
    const samples: { events: number; rss: number }[] = [];
    const startedAt = Date.now();
    let next = 0;
    const append = async () => {
      while (next < EVENTS) {
        const first = next;
        next += ARRAY;
        await store.append(eventsFrom(first));
        if (first % SAMPLE_EVERY === 0) samples.push({ events: first, rss: process.memoryUsage.rss() });
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, append));
    const seconds = (Date.now() - startedAt) / 1000;
    await store.close();
    const openedAt = Date.now();
    const reopened = await createDuckDbEventStore(options);
    const opening = Date.now() - openedAt;
    const shown = samples.map(({ events, rss }) => `${events / 1e6}M ${Math.round(rss / 1e6)}`).join(', ');
    process.stdout.write(
      `      ${Math.round(EVENTS / seconds)} events/s; RSS in MB: ${shown}; opened with ${WINDOW} ids in ${opening} ms\n`,
    );
    expect(await reopened.append(eventsFrom(EVENTS - ARRAY)))
      .to.have.property('repeats')
      .with.lengthOf(ARRAY);
    const [row] = await reopened.run({
      engine: 'duckdb',
      sql: 'SELECT count(*) AS events FROM events',
      params: {},
    });
    expect(row).to.deep.equal({ events: EVENTS });
    await reopened.close();
    directory.remove();

    const full = samples.filter(({ events }) => events >= FULL_AT).map(({ rss }) => rss);
    const early = Math.max(...full.slice(0, 3));
    const late = Math.max(...full.slice(-3));
    expect(late - early, 'growth in bytes').to.be.below(SLACK);
  });
});

const EMPTY = eventRecord();

function eventsFrom(first: number): EventRecord[] {
  return Array.from({ length: ARRAY }, (_, i) => ({
    ...EMPTY,
    event_id: `event ${first + i}`,
    website_id: `web_${first % 40}`,
    anonymous_id: `visitor ${first % 9_973}`,
    path: `/pages/${(first + i) % 500}`,
    properties: '{"plan":"pro"}',
    timestamp: EMPTY.timestamp + first,
  }));
}
