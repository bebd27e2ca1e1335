/** Tables of tails: rows come and go, and memory is given back, whatever statements were prepared over them. */
import { expect } from 'chai';
import { ColumnEngine } from '../../../../../../services/shared/storage/duckdb/columns/column-engine.ts';
import { overSource } from '../../../../../../services/shared/storage/duckdb/columns/events-source.ts';
import type {
  NumberedArrival,
  TailTable,
} from '../../../../../../services/shared/storage/duckdb/columns/tail-tables.ts';
import { fullEventRecord } from '../../../../../contract/event-store.contract.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';

describe('tables of tails', () => {
  let directory: TempDirectory;
  let engine: ColumnEngine;
  beforeEach(async () => {
    directory = createTempDirectory();
    engine = await ColumnEngine.open({
      memoryLimit: '256MB',
      threads: 1,
      concurrentQueries: 2,
      maxWaitingQueries: 10,
      directories: [directory.path],
    });
  });
  afterEach(async () => {
    await engine.close();
    directory.remove();
  });

  const query = (sql: string, ...tables: TailTable[]) =>
    engine.queries.run({
      engine: 'duckdb',
      sql: overSource(sql, { files: [], tables: tables.map(({ name }) => name), partition: null }),
      params: {},
    });
  const arrivals = (count: number, writer = 1): NumberedArrival[] =>
    Array.from({ length: count }, (_, i) => ({
      ...{ id: `${i}`, row: i, writer, sequence: i },
      event: eventRecord({ event_id: `${writer}/${i}` }),
    }));
  const ids = async (table: TailTable) =>
    (await query('SELECT event_id FROM events ORDER BY event_id', table)).map(({ event_id }) => event_id);

  it('hold every column of an event', async () => {
    const table = await engine.tables.create();
    await table.insert([{ id: 'x', row: 1, writer: 1, sequence: 1, event: fullEventRecord() }]);
    const [row] = await query('FROM events', table);
    expect(row).to.deep.equal(fullEventRecord());
  });

  it('count their rows, and lose those whose numbers are named', async () => {
    const table = await engine.tables.create();
    await table.insert(arrivals(2_500));
    expect(table.rows).to.equal(2_500);
    await table.remove([]);
    await table.remove([0, 1, 9_999]);
    expect(table.rows).to.equal(2_498);
    expect(await query('SELECT count(*) AS n, min(event_id) AS first FROM events', table)).to.deep.equal([
      { n: 2_498, first: '1/10' },
    ]);
  });

  it('are copied without what lies within positions', async () => {
    const table = await engine.tables.create();
    await table.insert([...arrivals(3, 1), ...arrivals(3, 2), ...arrivals(3, 7)]);
    const rest = await table.beyond({ floor: 4, sequences: new Map([[2, 1]]) });
    expect(await ids(rest)).to.deep.equal(['2/2', '7/0', '7/1', '7/2']);
    expect([table.rows, rest.rows]).to.deep.equal([9, 4]);
    expect(await ids(await table.beyond({ floor: 7, sequences: new Map() }))).to.deep.equal([]);
    const none = await table.beyond({ floor: 0, sequences: new Map() });
    expect(none.rows).to.equal(9);
  });

  it('are read together', async () => {
    const tables = [await engine.tables.create(), await engine.tables.create()];
    await tables[0]?.insert(arrivals(1, 1));
    await tables[1]?.insert(arrivals(1, 2));
    const rows = await query(
      'WITH e AS (SELECT event_id FROM events) SELECT count(*) AS n FROM e',
      ...tables,
    );
    expect(rows).to.deep.equal([{ n: 2 }]);
    expect(await query('SELECT count(*) AS n FROM events')).to.deep.equal([{ n: 0 }]);
  });

  it('give their memory back when they are dropped, though statements were prepared over them', async () => {
    const used = async () =>
      Number(
        (await query("SELECT memory_usage_bytes AS n FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'"))[0]
          ?.n,
      );
    let most = 0;
    for (let round = 0; round < 12; round++) {
      const table = await engine.tables.create();
      await table.insert(arrivals(5_000));
      await ids(table);
      if (round === 0) most = await used();
      expect(await used()).to.be.at.most(most);
      await table.drop();
    }
    expect(await used()).to.be.lessThan(most / 10);
  });

  it('let what was begun end before they close, and refuse what comes then', async () => {
    const table = await engine.tables.create();
    const begun = engine.tables.run('CREATE TEMP TABLE long AS SELECT sum(range) FROM range(20_000_000)');
    const closing = engine.close();
    await new Promise(setImmediate);
    // A reader that learns of the end drops its table.
    expect(String(await rejection(table.drop()))).to.include('closed');
    expect(await begun).to.equal(0);
    await closing;
  });
});
