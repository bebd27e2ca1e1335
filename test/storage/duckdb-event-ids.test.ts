/** Repeats in the DuckDB store where its own ways matter: failed commits, the bound of what is remembered, older files. */
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
  type DuckDbEventStoreOptions,
} from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { EVENT_COLUMNS } from '../../services/shared/storage/event-columns.ts';
import { eventRecord } from '../support/event-record.ts';
import { rejection } from '../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

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
    expect(await second).to.deep.equal({ repeated: 0 });
    expect(await third).to.deep.equal({ repeated: 1 });
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
    expect(await append('150')).to.deep.equal({ repeated: 1 });
    expect(await append('249')).to.deep.equal({ repeated: 1 });
    expect(await append('149')).to.deep.equal({ repeated: 0 });
    expect(await append('150')).to.deep.equal({ repeated: 0 });
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
    expect(await append('a')).to.deep.equal({ repeated: 1 });
    expect(await events()).to.equal(2);
  });

  it('loads 20,000 ids of a day when it is opened', async () => {
    await open();
    for (let first = 0; first < 20_000; first += 10_000) {
      await store.append(
        Array.from({ length: 10_000 }, (_, i) => eventRecord({ event_id: `id ${first + i}` })),
      );
    }
    await store.close();
    await open();
    const all = Array.from({ length: 20_000 }, (_, i) => eventRecord({ event_id: `id ${i}` }));
    expect(await store.append(all)).to.deep.equal({ repeated: 20_000 });
  }).timeout(60_000);
});
