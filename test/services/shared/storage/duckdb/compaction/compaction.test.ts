/** Compaction of the event file: the same answers before, during and after it, appends that go on, and a file that stays small. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../../../services/shared/model/event-record.ts';
import {
  COMPACTION,
  Compactor,
  type CompactorOptions,
} from '../../../../../../services/shared/storage/duckdb/compaction/compactor.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { openEngine } from '../../../../../../services/shared/storage/duckdb/engine.ts';
import { fullEventRecord } from '../../../../../contract/event-store.contract.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../../support/test-clock.ts';

/** Small runs of small slices, so that few events make many of them. */
const SMALL: CompactorOptions = {
  ...COMPACTION,
  sliceEvents: 500,
  runEvents: 1_000,
  fanIn: 3,
  slicesPerCheckpoint: 3,
  restFactor: 0,
  lookEveryMs: 1,
};
const WEBSITES = [null, 'web_a', 'web_b', "it's", 'web_ü', 'web_z'];
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);

const duckdb = (sql: string) => ({ engine: 'duckdb' as const, sql, params: {} });
/** One row that tells every column of every event. */
const contentOf = (condition: string) =>
  duckdb(
    `SELECT count(*) AS events, md5(string_agg(events::VARCHAR, chr(0) ORDER BY event_id)) AS content FROM events WHERE ${condition}`,
  );
const CONTENT = contentOf('true');
const COUNT = duckdb('SELECT count(*) AS events, count(DISTINCT event_id) AS ids FROM events');

/** The event of a number: instants out of order, websites mixed, now and then every column filled. */
function eventOf(number: number): EventRecord {
  const website = WEBSITES[(number * 7) % WEBSITES.length] ?? null;
  return {
    ...(number % 10 === 0 ? fullEventRecord() : eventRecord()),
    event_id: String(number).padStart(7, '0'),
    organization_id: website === null ? 'org_none' : 'org_a',
    website_id: website,
    anonymous_id: `anon_${number % 50}`,
    timestamp: START + ((number * 7_919) % 5_000) * HOUR_MS,
  };
}

describe('compaction', () => {
  let directory: TempDirectory;
  let store: DuckDbEventStore;
  const open = () =>
    createDuckDbEventStore({
      path: directory.file('events.duckdb'),
      memoryLimit: '256MB',
      threads: 1,
      compaction: SMALL,
    });

  beforeEach(async () => {
    directory = createTempDirectory();
    store = await open();
  });
  afterEach(async () => {
    await store.close();
    directory.remove();
  });

  async function append(from: number, to: number, step = 125): Promise<void> {
    for (let first = from; first < to; first += step) {
      const count = Math.min(step, to - first);
      await store.append(Array.from({ length: count }, (_, i) => eventOf(first + i)));
    }
  }
  async function compactAll(): Promise<number> {
    for (let runs = 0; ; runs++) if (!(await store.compactor.compactNext())) return runs;
  }
  /** How often, in the order of the table, an event stands behind one that belongs behind it. */
  async function steps(): Promise<number> {
    const [row] = await store.run(
      duckdb(`SELECT count(*) FILTER (place < before) AS steps FROM (
        SELECT place, lag(place) OVER (ORDER BY row) AS before
        FROM (SELECT rowid AS row, (coalesce(website_id, ''), "timestamp") AS place FROM events))`),
    );
    return Number(row?.steps);
  }

  it('changes no column of any event, and lays them out by website and instant', async () => {
    await append(0, 10_000);
    const before = await store.run(CONTENT);
    expect(await steps()).to.be.greaterThan(500);
    expect(await compactAll()).to.be.greaterThan(10);
    expect(await store.run(CONTENT)).to.deep.equal(before);
    // Ten runs of 1,000 came, and became one of 9,000 and one of 1,000: one step back between them.
    expect(await steps()).to.equal(1);
    expect(await store.compactor.compactNext()).to.equal(null);
  });

  it('makes a new plan where the file was opened again between two slices, since a commit may have turned up in it', async () => {
    const path = directory.file('again.duckdb');
    const reopen = () => openEngine({ path, memoryLimit: '256MB', threads: 1, readers: 0 });
    let engine = await reopen();
    const plain = Array.from({ length: 1_000 }, (_, i) => eventOf(i * 10 + 1));
    await engine.insert(plain, 2_000_000n);
    let turns = 0;
    const compactor = new Compactor(
      async (action) => {
        turns++;
        if (turns === 3) {
          engine.close();
          engine = await reopen();
          await engine.insert([{ ...fullEventRecord(), event_id: 'late' }], 1_000_000n);
        }
        return action(engine);
      },
      SMALL,
      createTestClock(),
    );
    const content = async () =>
      engine.withConnection(async (connection) =>
        (await connection.runAndReadAll(`${CONTENT.sql}`)).getRowsJson(),
      );
    expect(await compactor.compactNext()).to.equal(null);
    const before = await content();
    expect(await compactor.compactNext()).to.include({ events: 1_001 });
    expect(await content()).to.deep.equal(before);
    engine.close();
  });

  it('leaves few events as they came', async () => {
    await append(0, SMALL.runEvents - 1);
    expect(await store.compactor.compactNext()).to.equal(null);
    await append(SMALL.runEvents - 1, SMALL.runEvents);
    expect(await store.compactor.compactNext()).to.include({ events: SMALL.runEvents, slices: 2 });
  });

  it('keeps its slices small where all events are of one website at one instant', async () => {
    const alike = (from: number, count: number) =>
      store.append(
        Array.from({ length: count }, (_, i) => ({ ...eventOf(7), event_id: `same ${from + i}` })),
      );
    for (let from = 0; from < 1_000; from += 50) await alike(from, 50);
    expect(await store.compactor.compactNext()).to.include({ events: 1_000, slices: 2 });
    await alike(1_000, 1_500);
    await compactAll();
    expect(await store.run(COUNT)).to.deep.equal([{ events: 2_500, ids: 2_500 }]);
  });

  it('shows every query the same events at any moment, while appends go on and stay what they are', async () => {
    await append(0, 4_000);
    const old = contentOf(`event_id < '0004000'`);
    const before = await store.run(old);
    let isDone = false;
    const compacting = compactAll().then(() => {
      isDone = true;
    });
    const appending = append(4_000, 6_000, 100);
    let looks = 0;
    for (; !isDone || looks === 0; looks++) expect(await store.run(old)).to.deep.equal(before);
    await Promise.all([compacting, appending]);
    await compactAll();
    expect(looks).to.be.greaterThan(3);
    expect(await store.run(old)).to.deep.equal(before);
    expect(await store.run(COUNT)).to.deep.equal([{ events: 6_000, ids: 6_000 }]);
  });

  it('goes on in the background once it is started, until the store is closed', async () => {
    await append(0, 3_000);
    const compacted = new Promise<number>((resolve, reject) => {
      store.compactor.start({
        compacted: ({ events }) => resolve(events),
        wiped: () => undefined,
        failed: reject,
      });
    });
    expect(await compacted).to.equal(1_000);
    await store.close();
    store = await open();
    expect(await store.run(COUNT)).to.deep.equal([{ events: 3_000, ids: 3_000 }]);
    await compactAll();
    expect(await steps()).to.equal(0);
  });

  it('does not undo an erasure that comes between its slices, and says how many events were erased', async () => {
    await append(0, 6_000);
    const compacting = compactAll();
    const erased = await store.erase({ organizationId: 'org_a', websiteId: 'web_a', anonymousId: null });
    expect(erased).to.equal(1_000);
    await compacting;
    expect(await store.run(COUNT)).to.deep.equal([{ events: 5_000, ids: 5_000 }]);
  });

  it('closes the gaps that an erasure leaves', async () => {
    await append(0, 3_000);
    await compactAll();
    await store.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null });
    expect(await store.compactor.compactNext()).to.include({ events: 500 });
    expect(await store.compactor.compactNext()).to.equal(null);
    expect(await store.run(COUNT)).to.deep.equal([{ events: 500, ids: 500 }]);
  });

  it('gives up runs of which nothing is left, and goes on with what comes', async () => {
    await append(0, 2_000);
    await compactAll();
    expect(await store.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null })).to.be.above(
      1_000,
    );
    expect(await store.erase({ organizationId: 'org_none', websiteId: null, anonymousId: null })).to.be.above(
      100,
    );
    expect(await store.compactor.compactNext()).to.include({ events: 0 });
    while (await store.compactor.compactNext());
    await append(2_000, 3_000);
    expect(await store.compactor.compactNext()).to.include({ events: 1_000 });
  });

  it('knows repeats of events that it has moved, also after the store is opened again', async () => {
    await append(0, 2_000);
    await compactAll();
    await store.close();
    store = await open();
    expect(await store.append([eventOf(5), eventOf(1_999), eventOf(2_000)]))
      .to.have.property('repeats')
      .with.lengthOf(2);
  });

  it('gives commits of a clock that went back later instants than those it has sorted', async () => {
    const clock = createTestClock();
    const path = directory.file('other.duckdb');
    const options = { path, memoryLimit: '256MB', threads: 1, compaction: SMALL, clock };
    let other = await createDuckDbEventStore(options);
    await other.append(Array.from({ length: 1_000 }, (_, i) => eventOf(i)));
    expect(await other.compactor.compactNext()).to.include({ events: 1_000 });
    await other.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null });
    await other.erase({ organizationId: 'org_none', websiteId: null, anonymousId: null });
    await other.close();
    clock.advance(-HOUR_MS);
    other = await createDuckDbEventStore(options);
    await other.append(Array.from({ length: 1_000 }, (_, i) => eventOf(10_000 + i)));
    expect(await other.compactor.compactNext()).to.include({ events: 1_000 });
    await other.close();
  });

  it('gives the space of what it has moved free', async () => {
    await append(0, 9_000, 1_000);
    await compactAll();
    await store.close();
    store = await open();
    const [row] = await store.run(
      duckdb(
        `SELECT sum(count) AS rows FROM pragma_storage_info('events') WHERE column_name = 'event_id' AND segment_type <> 'VALIDITY'`,
      ),
    );
    expect(Number(row?.rows)).to.equal(9_000);
  });
});
