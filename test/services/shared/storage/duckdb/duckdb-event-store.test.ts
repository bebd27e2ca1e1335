/** The DuckDB event store: the port's contract, group commit, and what its queries can and cannot do. */
import { expect } from 'chai';
import type { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import {
  type EventRecord,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
} from '../../../../../services/shared/model/event-record.ts';
import type { CompiledQuery, SqlValue } from '../../../../../services/shared/ports/event-store.ts';
import { createDuckDbEventStore } from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import type { DuckDbEventStoreOptions } from '../../../../../services/shared/storage/duckdb/duckdb-event-store-options.ts';
import { eventQueryContract } from '../../../../contract/event-queries.contract.ts';
import { eventKeeperContract } from '../../../../contract/event-store.contract.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { outputOfProcess } from '../../../../support/kill-while-writing.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const COLUMNS = [...TEXT_COLUMNS, ...NUMBER_COLUMNS, 'organization_id', 'timestamp', 'is_bot', 'is_keyless'];
const SMALL = { memoryLimit: '256MB', threads: 1 } as const;

function duckdb(sql: string, params: Readonly<Record<string, SqlValue>> = {}): CompiledQuery {
  return { engine: 'duckdb', sql, params };
}

const ALL = duckdb(
  `SELECT ${COLUMNS.map((column) => `"${column}"`).join(', ')} FROM events ORDER BY event_id`,
);
const COUNT = duckdb('SELECT count(*) AS events FROM events');
const ENDLESS = duckdb(
  'SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE a.range * b.range = 7',
);

eventQueryContract('DuckDbEventStore', async () => {
  const directory = createTempDirectory();
  const store = await createDuckDbEventStore({ path: directory.file('events.duckdb'), ...SMALL });
  const close = async () => {
    await store.close();
    directory.remove();
  };
  return { store, close };
});

eventKeeperContract('DuckDbEventStore', async () => {
  const directory = createTempDirectory();
  const path = directory.file('events.duckdb');
  const clock = createTestClock();
  let store = await createDuckDbEventStore({ path, clock, ...SMALL });
  return {
    store,
    clock,
    stored: async () => (await store.run(ALL)) as unknown as EventRecord[],
    reopen: async () => {
      await store.close();
      store = await createDuckDbEventStore({ path, clock, ...SMALL });
      return store;
    },
    close: async () => {
      await store.close();
      directory.remove();
    },
  };
});

describe('DuckDbEventStore on its file', () => {
  let directory: TempDirectory;
  let path: string;
  const open = (options: Partial<DuckDbEventStoreOptions> = {}) =>
    createDuckDbEventStore({ path, ...SMALL, ...options });

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('data/events.duckdb');
  });
  afterEach(() => directory.remove());

  describe('group commit', () => {
    it('stores 100 parallel appends in at most 3 commits', async () => {
      const store = await open();
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => store.append([eventRecord({ event_id: `${i}` })])),
      );
      expect(store.commits).to.be.within(1, 3);
      expect(await store.run(COUNT)).to.deep.equal([{ events: 100 }]);
      await store.close();
    });

    for (const turns of [1, 2]) {
      it(`lets appends with ${turns} of the event loop's turns between them share one commit`, async () => {
        const store = await open();
        const appends: Promise<unknown>[] = [];
        for (let count = 0; count < 10; count++) {
          let turn = Promise.resolve<unknown>(null);
          for (let i = 0; i < turns; i++) turn = turn.then(() => new Promise(setImmediate));
          appends.push(store.append([eventRecord()]));
          await turn;
        }
        await Promise.all(appends);
        expect(store.commits).to.equal(1);
        expect(await store.run(COUNT)).to.deep.equal([{ events: 10 }]);
        await store.close();
      });
    }

    it('tries the appends of a commit that fails one by one, so that the bad one fails alone', async () => {
      const store = await open();
      const notUnicode = eventRecord({ title: 'half a character: \ud83d' });
      const appends = Array.from({ length: 9 }, (_, i) =>
        store.append([i === 4 ? notUnicode : eventRecord()]),
      );
      const outcomes = await Promise.allSettled(appends);
      expect(outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).to.deep.equal([4]);
      expect(store.commits).to.equal(10);
      expect(await store.run(COUNT)).to.deep.equal([{ events: 8 }]);
      await store.close();
    });

    it('refuses an append beyond the waiting bound with SERVICE_UNAVAILABLE and Retry-After, and stores the others', async () => {
      const store = await open({ maxWaitingEvents: 10 });
      const appends = Array.from({ length: 12 }, (_, i) => store.append([eventRecord({ event_id: `${i}` })]));
      const outcomes = await Promise.allSettled(appends);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refused).to.have.length(2);
      expect(refused[0]).to.deep.include({ kind: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
      expect((refused[0] as ApiError).message).to.equal(
        'Too many events wait to be stored; try again shortly.',
      );
      expect(await store.run(COUNT)).to.deep.equal([{ events: 10 }]);
      await store.append([eventRecord()]);
      await store.close();
    });

    it('stores the columns that no event had before, and null for those that a later event lacks', async () => {
      const store = await open();
      const given = [
        { event_id: '1' },
        { event_id: '2', path: '/a', lineno: 7 },
        { event_id: '3', lineno: null, scroll_depth: 0.5 },
      ];
      for (const columns of given) await store.append([eventRecord(columns)]);
      const rows = await store.run(
        duckdb('SELECT event_id, path, lineno, scroll_depth FROM events ORDER BY event_id'),
      );
      expect(rows).to.deep.equal([
        { event_id: '1', path: null, lineno: null, scroll_depth: null },
        { event_id: '2', path: '/a', lineno: 7, scroll_depth: null },
        { event_id: '3', path: null, lineno: null, scroll_depth: 0.5 },
      ]);
      await store.close();
    });

    it('bounds the text that waits as well as the number of events', async () => {
      const store = await open({ maxWaitingCharacters: 5_000 });
      const large = () => store.append([eventRecord({ stack: 'x'.repeat(3_000) })]);
      const outcomes = await Promise.allSettled([large(), large()]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
      await store.close();
    });
  });

  describe('queries', () => {
    it('refuses a query beyond the waiting bound with SERVICE_UNAVAILABLE', async () => {
      const store = await open({ concurrentQueries: 1, maxWaitingQueries: 1 });
      const abort = new AbortController();
      const running = rejection(store.run(ENDLESS, { signal: abort.signal }));
      const waiting = store.run(COUNT);
      expect(await rejection(store.run(duckdb('SELECT 1')))).to.include({
        kind: 'SERVICE_UNAVAILABLE',
        message: 'Too many queries wait; try again shortly.',
      });
      abort.abort();
      await running;
      expect(await waiting).to.deep.equal([{ events: 0 }]);
      await store.close();
    });

    it('returns integers beyond 2^53 as text, instants as milliseconds rounded down, dates as text', async () => {
      const store = await open();
      const [row] = await store.run(
        duckdb(`SELECT 9007199254740993::HUGEINT AS huge, 12::UTINYINT AS small, sum(x)::HUGEINT AS total,
          TIMESTAMP '1969-12-31 23:59:59.999999' AS before, TIMESTAMPTZ '2026-07-15 12:00:00+02' AS zoned,
          DATE '2026-07-15' AS day FROM range(4) t(x)`),
      );
      expect(row).to.deep.equal({
        huge: '9007199254740993',
        small: 12,
        total: 6,
        before: -1,
        zoned: Date.UTC(2026, 6, 15, 10),
        day: '2026-07-15',
      });
      await store.close();
    });

    it('reckons in UTC whatever the timezone of the machine', async () => {
      const module = new URL(
        '../../../../../services/shared/storage/duckdb/duckdb-event-store.js',
        import.meta.url,
      );
      const output = await outputOfProcess(
        `
        const { createDuckDbEventStore } = await import(${JSON.stringify(module.href)});
        const store = await createDuckDbEventStore({ path: ${JSON.stringify(path)} });
        const sql = "SELECT current_setting('TimeZone') AS zone, (TIMESTAMPTZ '2026-07-15 23:30:00+00')::DATE AS day";
        console.log(JSON.stringify(await store.run({ engine: 'duckdb', sql, params: {} })));
        await store.close();
      `,
        { TZ: 'America/New_York' },
      );
      expect(JSON.parse(output)).to.deep.equal([{ zone: 'UTC', day: '2026-07-15' }]);
    });

    it('cannot write, run two statements, reach files, load extensions or change settings', async () => {
      const store = await open();
      await store.append([eventRecord()]);
      for (const sql of [
        'DELETE FROM events',
        "INSERT INTO events (organization_id) VALUES ('x')",
        'SELECT 1; SELECT 2',
        "COPY events TO 'events.csv'",
        "SELECT * FROM read_text('/etc/hostname')",
        "ATTACH 'other.duckdb'",
        'LOAD httpfs',
        'SET threads = 8',
        "SET TimeZone = 'Asia/Tokyo'",
      ]) {
        expect(await rejection(store.run(duckdb(sql))), sql).to.include({
          kind: 'INTERNAL_ERROR',
          message: 'Something failed on our side; the request id finds it in the log.',
        });
      }
      expect(await store.run(COUNT)).to.deep.equal([{ events: 1 }]);
      await store.close();
    });

    it('answers SERVICE_UNAVAILABLE for a query that needs more memory than there is, and goes on', async () => {
      const store = await open({ memoryLimit: '64MB' });
      const hungry = duckdb('SELECT len(list(range)) AS n FROM range(90000000)');
      expect(await rejection(store.run(hungry))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await store.append([eventRecord()]);
      expect(await store.run(COUNT)).to.deep.equal([{ events: 1 }]);
      await store.close();
    });
  });
});
