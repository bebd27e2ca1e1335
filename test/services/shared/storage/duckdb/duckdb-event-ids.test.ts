/** Repeats in the DuckDB store where its own ways matter: failed commits, the bound of what is remembered, older files. */
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import type { DuckDbEventStoreOptions } from '../../../../../services/shared/storage/duckdb/duckdb-event-store-options.ts';
import { EVENT_COLUMNS } from '../../../../../services/shared/storage/event-columns.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const COUNT = { engine: 'duckdb', sql: 'SELECT count(*) AS events FROM events', params: {} } as const;

describe('event ids of DuckDbEventStore', () => {
  let directory: TempDirectory;
  let path: string;
  let store: DuckDbEventStore;
  const open = async (options: Partial<DuckDbEventStoreOptions> = {}) => {
    store = await createDuckDbEventStore({ path, memoryLimit: '256MB', threads: 1, ...options });
  };
  const append = (id: string, title: string | null = null) =>
    store.append([eventRecord({ event_id: id, title })]);
  const events = async () => (await store.run(COUNT))[0]?.events;

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('events.duckdb');
  });
  afterEach(async () => {
    await store.close();
    directory.remove();
  });

  it('stores the second of two parallel appends of one id when the engine refuses the first', async () => {
    await open();
    const refused = rejection(append('same', 'half a character: \ud83d'));
    const second = append('same');
    const third = append('same');
    expect(await refused).to.include({ kind: 'INTERNAL_ERROR' });
    expect(await second)
      .to.have.property('repeats')
      .with.lengthOf(0);
    expect(await third)
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(await events()).to.equal(1);
  });

  it('knows exactly the newest ids of its window, also after it is opened again', async () => {
    await open({ eventIdWindow: 100 });
    for (let first = 0; first < 250; first += 50) {
      await store.append(Array.from({ length: 50 }, (_, i) => eventRecord({ event_id: String(first + i) })));
    }
    await store.close();
    await open({ eventIdWindow: 100 });
    // Known ids change nothing, so that the oldest of them can be asked first.
    expect(await append('150'))
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(await append('249'))
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(await append('149'))
      .to.have.property('repeats')
      .with.lengthOf(0);
    expect(await append('150'))
      .to.have.property('repeats')
      .with.lengthOf(0);
  });

  it('knows as much after it is opened again when the latest commit was in the last half second of a minute', async () => {
    const clock = createTestClock('2026-07-15T12:00:59.700Z');
    await open({ eventIdWindow: 100, clock });
    for (let first = 0; first < 250; first += 50) {
      await store.append(Array.from({ length: 50 }, (_, i) => eventRecord({ event_id: String(first + i) })));
    }
    await store.close();
    await open({ eventIdWindow: 100, clock });
    const newest = Array.from({ length: 100 }, (_, i) => eventRecord({ event_id: String(150 + i) }));
    expect(await store.append(newest))
      .to.have.property('repeats')
      .with.lengthOf(100);
  });

  it('knows an id that it read when it was opened for a day from its second, and no longer', async () => {
    const clock = createTestClock('2026-07-15T12:00:00.700Z');
    await open({ clock });
    await append('a day');
    await store.close();
    await open({ clock });
    clock.advance(24 * 3_600_000);
    expect(await append('a day'))
      .to.have.property('repeats')
      .with.lengthOf(1);
    clock.advance(500);
    expect(await append('a day'))
      .to.have.property('repeats')
      .with.lengthOf(0);
  });

  it('keeps the window as fair after it is opened again, whoever flooded it before', async () => {
    const owner = { organization_id: 'org_a', website_id: 'web_a' };
    const events = (count: number, named: string, whose: Partial<EventRecord>) =>
      Array.from({ length: count }, (_, i) => eventRecord({ event_id: `${named} ${i}`, ...whose }));
    const quiet = events(40, 'order', owner);
    const nobodys = events(10, 'view', { ...owner, is_keyless: true });
    const strangers = events(900, 'noise', { ...owner, is_keyless: true, website_id: 'web_b' });
    const others = events(900, 'flood', { organization_id: 'org_b', website_id: 'web_c' });
    await open({ eventIdWindow: 200 });
    for (const some of [quiet, nobodys, strangers, others]) await store.append(some);
    for (const round of ['as it was', 'opened again']) {
      expect(await store.append(quiet), round)
        .to.have.property('repeats')
        .with.lengthOf(40);
      expect(await store.append(nobodys), round)
        .to.have.property('repeats')
        .with.lengthOf(10);
      expect(await store.append(strangers.slice(-50)), round)
        .to.have.property('repeats')
        .with.lengthOf(50);
      expect(await store.append(others.slice(-100)), round)
        .to.have.property('repeats')
        .with.lengthOf(100);
      await store.close();
      await open({ eventIdWindow: 200 });
    }
  });

  it('takes the ids of schema version 3, which kept no senders, for those of keyed ones', async () => {
    await open();
    await store.append([eventRecord({ event_id: 'before', website_id: 'web_a' })]);
    await store.close();
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run('ALTER TABLE events DROP COLUMN is_keyless');
    await connection.run('DELETE FROM tidegate_schema');
    await connection.run('INSERT INTO tidegate_schema VALUES (3)');
    connection.closeSync();
    instance.closeSync();
    await open();
    const again = eventRecord({ event_id: 'before', website_id: 'web_a' });
    expect(await store.append([again]), 'a retry of the owner')
      .to.have.property('repeats')
      .with.lengthOf(1);
    const mark = { event_id: 'after', website_id: 'web_a', is_keyless: true };
    expect(await store.append([eventRecord(mark)]))
      .to.have.property('repeats')
      .with.lengthOf(0);
    expect(await store.append([{ ...eventRecord(mark), is_keyless: null }]))
      .to.have.property('repeats')
      .with.lengthOf(0);
  });

  it('takes a file of schema version 1 over: its events stay, and new repeats are known', async () => {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    const columns = EVENT_COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(', ');
    await connection.run(`CREATE TABLE events (${columns})`);
    await connection.run("INSERT INTO events (event_name, organization_id) VALUES ('before', 'org_a')");
    await connection.run('CREATE TABLE tidegate_schema (version INTEGER NOT NULL)');
    await connection.run('INSERT INTO tidegate_schema VALUES (1)');
    connection.closeSync();
    instance.closeSync();
    await open();
    await append('a');
    await store.close();
    await open();
    expect(await append('a'))
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(await events()).to.equal(2);
  });

  it('loads 20,000 ids of a day when it is opened', async () => {
    const all = Array.from({ length: 20_000 }, (_, i) => eventRecord({ event_id: `id ${i}` }));
    await open();
    for (const first of [0, 10_000]) await store.append(all.slice(first, first + 10_000));
    await store.close();
    await open();
    expect(await store.append(all))
      .to.have.property('repeats')
      .with.lengthOf(20_000);
  });
});
