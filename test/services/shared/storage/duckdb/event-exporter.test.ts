/** Copies of events out of the DuckDB file: the port's contract, and what a killed process left behind. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDuckDbEventStore } from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventExporterContract } from '../../../../contract/event-exporter.contract.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';

eventExporterContract('DuckDbEventStore', async () => {
  const directory = createTempDirectory();
  const store = await createDuckDbEventStore({ path: directory.file('events.duckdb'), threads: 1 });
  return {
    store,
    exports: () => readdirSync(directory.file('events.duckdb.exports')),
    close: async () => {
      await store.close();
      directory.remove();
    },
  };
});

describe('copies of events out of a file', () => {
  it('that a killed process left behind are deleted when the store is opened', async () => {
    const directory = createTempDirectory();
    const open = () => createDuckDbEventStore({ path: directory.file('events.duckdb'), threads: 1 });
    const folder = directory.file('events.duckdb.exports');
    let store = await open();
    await store.close();
    expect(existsSync(folder)).to.equal(false);
    store = await open();
    writeFileSync(join(folder, 'left.parquet'), 'x');
    await store.close();
    store = await open();
    expect(readdirSync(folder)).to.deep.equal([]);
    await store.close();
    directory.remove();
  });
});
