/** Erased events leave the file of events and its log: no byte of them is found there afterwards, and no other event suffers. */
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { COMPACTION } from '../../../../../../services/shared/storage/duckdb/compaction/compactor.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { contentOf } from '../../../../../support/file-content.ts';
import { killWhileWriting } from '../../../../../support/kill-while-writing.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../../support/test-clock.ts';
import { until } from '../../../../../support/until.ts';

const MARK = 'kournikova-';
const HOUR_MS = 3_600_000;
const SMALL = {
  ...COMPACTION,
  sliceEvents: 500,
  runEvents: 2_000,
  fanIn: 3,
  slicesPerCheckpoint: 3,
  restFactor: 0,
  lookEveryMs: 1,
  wipeEveryMs: HOUR_MS,
  settleMs: 0,
};
const VISITOR = { organizationId: 'org_a', websiteId: null, anonymousId: 'gone' };

const duckdb = (sql: string) => ({ engine: 'duckdb' as const, sql, params: {} });
const CONTENT = duckdb(
  `SELECT count(*) AS events, count(DISTINCT event_id) AS ids, md5(string_agg(events::VARCHAR, chr(0) ORDER BY event_id)) AS content
   FROM events WHERE anonymous_id <> 'gone'`,
);
const FILLERS = duckdb("SELECT count(*) AS tables FROM duckdb_tables() WHERE table_name = 'tidegate_filler'");

/** Every tenth is of the visitor that is erased, and marked. */
function eventOf(number: number) {
  const isMarked = number % 10 === 3;
  const text = `${isMarked ? MARK : 'other-'}${(number * 7_919) % 1_000_003}-${number}`;
  return eventRecord({
    event_id: String(number).padStart(7, '0'),
    website_id: `web_${number % 4}`,
    anonymous_id: isMarked ? 'gone' : `anon_${number % 50}`,
    title: text,
    properties: JSON.stringify({ text }),
    timestamp: Date.UTC(2026, 0, 1) + ((number * 7_919) % 5_000) * HOUR_MS,
  });
}

describe('erased events', () => {
  let directory: TempDirectory;
  let path: string;
  let store: DuckDbEventStore;
  let clock: ReturnType<typeof createTestClock>;
  const open = (options = {}) =>
    createDuckDbEventStore({
      path,
      memoryLimit: '256MB',
      threads: 1,
      compaction: { ...SMALL, ...options },
      clock,
    });

  beforeEach(async () => {
    directory = createTempDirectory();
    path = directory.file('events.duckdb');
    clock = createTestClock();
    store = await open();
  });
  afterEach(async () => {
    await store.close();
    directory.remove();
  });

  /** How often the mark stands in the file and its log. */
  const found = () =>
    [path, `${path}.wal`].reduce((sum, file) => sum + contentOf(file).split(MARK).length - 1, 0);
  async function append(from: number, to: number, step = 500): Promise<void> {
    for (let first = from; first < to; first += step) {
      const count = Math.min(step, to - first);
      await store.append(Array.from({ length: count }, (_, i) => eventOf(first + i)));
    }
  }
  async function compactAll(): Promise<void> {
    while (await store.compactor.compactNext());
  }
  async function reopen(options = {}): Promise<void> {
    await store.close();
    store = await open(options);
  }

  it('stay in the file until they are wiped, and leave no byte then, sorted or not', async () => {
    await append(0, 9_000);
    await compactAll();
    await append(9_000, 10_500);
    await reopen();
    const before = await store.run(CONTENT);
    expect(await store.erase(VISITOR)).to.equal(1_050);
    await compactAll();
    await reopen();
    expect(found(), 'what sorting alone leaves').to.be.greaterThan(0);
    expect(await store.compactor.wipeErased()).to.include({ isDone: true });
    expect(found()).to.equal(0);
    expect(await store.run(CONTENT)).to.deep.equal(before);
    expect(await store.run(FILLERS)).to.deep.equal([{ tables: 0 }]);
    expect(await store.compactor.wipeErased()).to.equal(null);
    await append(20_000, 20_003);
    await compactAll();
    await reopen();
    expect(found()).to.equal(0);
  });

  it('leave blocks of the file that they share with events of groups without gaps', async () => {
    const others = Array.from({ length: 32_700 }, (_, i) => ({ ...eventOf(10 * i), title: null }));
    for (let i = 0; i < others.length; i += 2_000) await store.append(others.slice(i, i + 2_000));
    await store.append(Array.from({ length: 200 }, (_, i) => eventOf(3 + 10 * i)));
    await reopen();
    expect(found()).to.be.greaterThan(0);
    expect(await store.erase(VISITOR)).to.equal(200);
    await reopen();
    expect(await store.compactor.wipeErased()).to.include({ isDone: true, events: 32_700 });
    expect(found()).to.equal(0);
  });

  it('leave the file when few or none are left beside them', async () => {
    for (const others of [0, 1]) {
      await store.append([
        ...Array.from({ length: 300 }, (_, i) => eventOf(others * 10_000 + 3 + i * 10)),
        ...Array.from({ length: others }, (_, i) => eventOf(i)),
      ]);
      await reopen();
      expect(found()).to.be.greaterThan(0);
      await store.erase(VISITOR);
      clock.advance(HOUR_MS);
      expect(await store.compactor.wipeErased()).to.include({ isDone: true, events: others });
      expect(found()).to.equal(0);
    }
  });

  it('are wiped once an hour, and not before an erasure had time to end, also after a restart', async () => {
    await reopen({ settleMs: 60_000 });
    const erase = async (from: number) => {
      await append(from, from + 100);
      expect(await store.erase(VISITOR)).to.equal(10);
    };
    await erase(0);
    expect(await store.compactor.wipeErased(), 'at once').to.equal(null);
    clock.advance(60_000);
    await reopen({ settleMs: 60_000 });
    expect(await store.compactor.wipeErased()).to.include({ isDone: true });
    await erase(100);
    clock.advance(HOUR_MS - 1);
    await reopen({ settleMs: 60_000 });
    expect(await store.compactor.wipeErased(), 'within the hour').to.equal(null);
    clock.advance(1);
    expect(await store.compactor.wipeErased()).to.include({ isDone: true });
    expect(found()).to.equal(0);
    await erase(200);
    clock.advance(-2 * HOUR_MS);
    expect(await store.compactor.wipeErased(), 'after the clock went back').to.include({ isDone: true });
  });

  it('are wiped neither for their age nor where there were none', async () => {
    await append(0, 100);
    expect(await store.erase({ ...VISITOR, before: Date.UTC(2030, 0, 1) })).to.equal(10);
    expect(await store.erase(VISITOR)).to.equal(0);
    expect(await store.compactor.wipeErased()).to.equal(null);
  });

  it('are wiped beside appends, erasures and queries, of which none is lost, doubled or undone', async () => {
    await reopen({ wipeEveryMs: 0 });
    await append(0, 2_000);
    let isOver = false;
    let appended = 2_000;
    const appending = (async () => {
      for (; !isOver; appended += 50) {
        await append(appended, appended + 50);
        await pause(20);
      }
    })();
    const old = duckdb(
      "SELECT count(*) AS events, count(DISTINCT event_id) AS ids FROM events WHERE anonymous_id <> 'gone' AND event_id < '0002000'",
    );
    const looking = (async () => {
      for (; !isOver; await pause(5)) {
        expect(await store.run(old)).to.deep.equal([{ events: 1_800, ids: 1_800 }]);
      }
    })();
    let wipings = 0;
    let failed: unknown = null;
    store.compactor.start({
      compacted: () => undefined,
      wiped: () => wipings++,
      failed: (fault) => {
        failed ??= fault;
      },
    });
    for (; wipings < 3 && failed === null; await pause(50)) await store.erase(VISITOR);
    isOver = true;
    await Promise.all([appending, looking]);
    if (failed !== null) throw failed;
    await store.erase(VISITOR);
    const kept = (appended / 10) * 9;
    const [row] = await store.run(CONTENT);
    expect(row).to.include({ events: kept, ids: kept });
    await until('the mark is gone', () => found() === 0);
    const [end] = await store.run(CONTENT);
    expect(end).to.deep.equal(row);
  });

  it('are wiped after a process was killed at it, and no acknowledged event is lost or doubled, three times over', async () => {
    const acknowledged: number[] = [];
    for (let round = 0; round < 3; round++) {
      await store.close();
      directory.remove();
      directory = createTempDirectory();
      path = directory.file('events.duckdb');
      acknowledged.splice(0);
      acknowledged.push(...(await killWhileWriting('wiped-events', path, 200 + 150 * round)));
      store = await open({ wipeEveryMs: 0 });
      const rows = await store.run(duckdb("SELECT event_id FROM events WHERE organization_id <> 'org_gone'"));
      const present = new Set(rows.map((row) => Number(row.event_id)));
      expect(present.size).to.equal(rows.length);
      expect(acknowledged.filter((number) => !present.has(number))).to.deep.equal([]);
      expect(await store.run(FILLERS)).to.deep.equal([{ tables: 0 }]);
      await store.append([eventRecord({ organization_id: 'org_gone', title: `${MARK}last` })]);
      await store.erase({ ...VISITOR, organizationId: 'org_gone', anonymousId: null });
      expect(await store.compactor.wipeErased()).to.include({ isDone: true });
      expect(found()).to.equal(0);
      expect(await store.run(duckdb('SELECT count(*) AS events FROM events'))).to.deep.equal([
        { events: rows.length },
      ]);
    }
  });

  it('are wiped by the next process when one was stopped in the midst, which left a filler', async () => {
    await append(0, 300);
    await reopen();
    await store.erase(VISITOR);
    await store.close();
    const made = await DuckDBInstance.create(path);
    const left = await made.connect();
    await left.run('CREATE TABLE tidegate_filler (zero BIGINT)');
    left.closeSync();
    made.closeSync();
    store = await open();
    expect(await store.run(FILLERS)).to.deep.equal([{ tables: 0 }]);
    expect(found()).to.be.greaterThan(0);
    expect(await store.compactor.wipeErased()).to.include({ isDone: true });
    expect(found()).to.equal(0);
  });
});
