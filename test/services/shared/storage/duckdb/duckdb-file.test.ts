/** The file of the DuckDB event store: one owner, nothing acknowledged lost, and openings that fail with advice. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import type { CompiledQuery } from '../../../../../services/shared/ports/event-store.ts';
import { COMPACTION } from '../../../../../services/shared/storage/duckdb/compaction/compactor.ts';
import { createDuckDbEventStore } from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import type { DuckDbEventStoreOptions } from '../../../../../services/shared/storage/duckdb/duckdb-event-store-options.ts';
import { Engine } from '../../../../../services/shared/storage/duckdb/engine.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { killWhileWriting, outputOfProcess } from '../../../../support/kill-while-writing.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

const SMALL = { memoryLimit: '256MB', threads: 1 } as const;
const COUNT: CompiledQuery = { engine: 'duckdb', sql: 'SELECT count(*) AS events FROM events', params: {} };
/** What a process of its own imports. */
const STORE_MODULE = new URL(
  '../../../../../services/shared/storage/duckdb/duckdb-event-store.js',
  import.meta.url,
).href;
const RECORD_MODULE = new URL('../../../../support/event-record.js', import.meta.url).href;

describe('The file of DuckDbEventStore', () => {
  let directory: TempDirectory;
  let path: string;
  const open = (options: Partial<DuckDbEventStoreOptions> = {}) =>
    createDuckDbEventStore({ path, ...SMALL, ...options });

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('data/events.duckdb');
  });
  afterEach(() => directory.remove());

  describe('one owner', () => {
    it('refuses a second store in the same process, also by another spelling of the path', async () => {
      const first = await open();
      for (const spelling of [path, directory.file('data/../data/./events.duckdb')]) {
        const error = (await rejection(open({ path: spelling }))) as Error;
        expect(error.message).to.include('is in use by this process already: one process opens it, once.');
      }
      await first.append([eventRecord()]);
      expect(await first.run(COUNT)).to.deep.equal([{ events: 1 }]);
      await first.close();
    });

    it('lets exactly one of two parallel openers in', async () => {
      const outcomes = await Promise.allSettled([open(), open()]);
      const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(opened).to.have.length(1);
      await opened[0]?.close();
    });

    it('refuses a second process and names the one that has it', async () => {
      const store = await open();
      const output = await outputOfProcess(`
        const { createDuckDbEventStore } = await import(${JSON.stringify(STORE_MODULE)});
        await createDuckDbEventStore({ path: ${JSON.stringify(path)} }).then(
          () => console.log('opened'), (error) => console.log(error.message));
      `);
      expect(output).to.include(`is in use by the process ${process.pid}: one process opens it, once.`);
      await store.close();
    });

    it('is free again after close, and after an opening that failed', async () => {
      await (await open()).close();
      expect(existsSync(`${path}.lock`)).to.equal(false);
      expect(await rejection(open({ memoryLimit: 'much' }))).to.be.instanceOf(Error);
      await (await open()).close();
    });

    it('closes its engine when the instant of its last commit cannot be read', async () => {
      const { lastCommit, close } = Engine.prototype;
      let closed = 0;
      Engine.prototype.lastCommit = () => Promise.reject(new Error('it cannot be read'));
      Engine.prototype.close = function (this: Engine) {
        closed++;
        close.call(this);
      };
      try {
        expect(((await rejection(open())) as Error).message).to.equal('it cannot be read');
        expect(closed).to.equal(1);
      } finally {
        Object.assign(Engine.prototype, { lastCommit, close });
      }
      await (await open()).close();
    });

    it('is not blocked by the lock of a process that has died, nor by one of a former process with this pid', async () => {
      await (await open()).close();
      const ended = Number(await outputOfProcess('console.log(process.pid)'));
      for (const text of [
        JSON.stringify({ pid: ended, start: 'x' }),
        JSON.stringify({ pid: process.pid, start: 'former boot:17' }),
        'not json',
        '',
      ]) {
        writeFileSync(`${path}.lock`, text);
        await (await open()).close();
      }
    });
  });

  describe('durability', () => {
    it('loses no acknowledged event when the process is killed with SIGKILL, three times over', async () => {
      for (let round = 0; round < 3; round++) {
        const acknowledged = await killWhileWriting('events', path, 200);
        const store = await open();
        const rows = await store.run({ ...COUNT, sql: 'SELECT DISTINCT event_id FROM events' });
        const present = new Set(rows.map((row) => Number(row.event_id)));
        expect(acknowledged.filter((number) => !present.has(number))).to.deep.equal([]);
        await store.close();
      }
    });

    it('loses and doubles no event when the process is killed while it compacts, three times over', async () => {
      const acknowledged = new Set<number>();
      for (let round = 0; round < 3; round++) {
        await rm(path, { force: true });
        await rm(`${path}.wal`, { force: true });
        acknowledged.clear();
        for (const number of await killWhileWriting('compacted-events', path, 300)) acknowledged.add(number);
        const store = await open();
        const rows = await store.run({ ...COUNT, sql: 'SELECT event_id FROM events' });
        const present = rows.map((row) => Number(row.event_id));
        const known = new Set(present);
        expect(known.size).to.equal(present.length);
        expect([...acknowledged].filter((number) => !known.has(number))).to.deep.equal([]);
        const [runs] = await store.run({ ...COUNT, sql: 'SELECT count(*) AS runs FROM tidegate_runs' });
        expect(Number(runs?.runs)).to.be.greaterThan(0);
        await store.close();
      }
    });

    it('folds its log into the file on close', async () => {
      const store = await open();
      await store.append([eventRecord()]);
      expect(statSync(`${path}.wal`).size).to.be.greaterThan(0);
      await store.close();
      expect(existsSync(`${path}.wal`)).to.equal(false);
    });

    it('keeps file and directory for its owner only', async () => {
      const store = await open();
      expect((statSync(path).mode & 0o777).toString(8)).to.equal('600');
      expect((statSync(directory.file('data')).mode & 0o777).toString(8)).to.equal('700');
      await store.close();
    });
  });

  describe('a file that cannot be opened', () => {
    it('says that the log is damaged and what to do, and changes nothing', async () => {
      const output = await outputOfProcess(`
        const { createDuckDbEventStore } = await import(${JSON.stringify(STORE_MODULE)});
        const { eventRecord } = await import(${JSON.stringify(RECORD_MODULE)});
        const store = await createDuckDbEventStore({ path: ${JSON.stringify(path)} });
        for (let i = 0; i < 20; i++) await store.append([eventRecord()]);
        process.kill(process.pid, 'SIGKILL');
      `);
      expect(output).to.equal('');
      const log = readFileSync(`${path}.wal`);
      const middle = Math.floor(log.length / 2);
      log[middle] = (log[middle] ?? 0) ^ 0xff;
      writeFileSync(`${path}.wal`, log);
      const error = (await rejection(open())) as Error;
      expect(error.message).to.include(`The event store ${path} cannot be opened. Its log ${path}.wal`);
      expect(error.message).to.include('is damaged; nothing was changed. Copy both files to a safe place');
      expect(readFileSync(`${path}.wal`).equals(log)).to.equal(true);
    });

    it('says that the file is no event store', async () => {
      path = directory.file('notes.txt');
      writeFileSync(path, 'notes '.repeat(1_000));
      const error = (await rejection(open())) as Error;
      expect(error.message).to.include(
        `The event store ${path} cannot be opened. The file is damaged or no event store`,
      );
    });

    it('takes a file of schema version 2 over, with row groups of its size, and compacts what it holds', async () => {
      await (await open()).close();
      const made = await DuckDBInstance.create(path);
      const old = await made.connect();
      await old.run('CREATE TABLE copied AS SELECT * FROM events');
      await old.run('DROP TABLE events');
      await old.run('ALTER TABLE copied RENAME TO events');
      await old.run('DROP TABLE tidegate_runs');
      await old.run('DELETE FROM tidegate_schema');
      await old.run('INSERT INTO tidegate_schema VALUES (2)');
      await old.run(
        `INSERT INTO events BY NAME SELECT 'e' || range AS event_id, 'old' AS event_name, 'org_a' AS organization_id,
         'web_' || range % 9 AS website_id, make_timestamp(range * 1000) AS timestamp, false AS is_bot,
         make_timestamp(1 + range // 1000) AS received_at FROM range(150000)`,
      );
      old.closeSync();
      made.closeSync();
      let store = await open({ compaction: { ...COMPACTION, runEvents: 70_000, restFactor: 0 } });
      await store.append([eventRecord({ event_id: 'new' })]);
      expect(await store.compactor.compactNext()).to.include({ events: 70_000, slices: 2 });
      expect(await store.compactor.compactNext()).to.include({ slices: 2 });
      await store.close();
      store = await open();
      const content =
        "SELECT count(DISTINCT event_id) AS ids, count(*) AS events, count(*) FILTER (event_id = 'new') AS new FROM events";
      expect(await store.run({ ...COUNT, sql: content })).to.deep.equal([
        { ids: 150_001, events: 150_001, new: 1 },
      ]);
      await store.close();
    });

    it('refuses a newer schema version and says what to do', async () => {
      await (await open()).close();
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      await connection.run('UPDATE tidegate_schema SET version = 5');
      connection.closeSync();
      instance.closeSync();
      const error = (await rejection(open())) as Error;
      expect(error.message).to.include(
        'has schema version 5; this version of Tidegate knows up to 4. Start the newer version',
      );
    });
  });
});
