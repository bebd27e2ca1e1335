/** A copy of the open file that cannot be made leaves nothing behind in the engine: the store goes on, and copies again. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { copyOpenEvents } from '../../../../../services/shared/storage/duckdb/copy-open-events.ts';
import { type Engine, openEngine } from '../../../../../services/shared/storage/duckdb/engine.ts';
import { exportDirectoryOf } from '../../../../../services/shared/storage/duckdb/event-exporter.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

describe('a copy of the open file of events', () => {
  let directory: TempDirectory;
  let engine: Engine;

  beforeEach(async () => {
    directory = createTempDirectory();
    engine = await openEngine({
      ...{ path: directory.file('e.duckdb'), memoryLimit: '256MB', threads: 1, readers: 1 },
    });
    await engine.insert([eventRecord()], 1_000_000n);
  });
  afterEach(() => {
    for (const reader of engine.readers) reader.closeSync();
    engine.close();
    directory.remove();
  });

  /** The engine may write in one folder alone. */
  const target = (name: string) => join(exportDirectoryOf(directory.file('e.duckdb')), name);
  const copyTo = (target: string) =>
    copyOpenEvents(engine, {
      ...{ target, begun: async () => undefined, onProgress: () => undefined },
      signal: new AbortController().signal,
    });
  const attached = () =>
    engine.withConnection(async (connection) => {
      const reader = await connection.runAndReadAll(
        "SELECT database_name FROM duckdb_databases() WHERE database_name LIKE 'copy_%'",
      );
      return reader.getRows();
    });

  it('lets go of a target whose tables it cannot make, and copies elsewhere', async () => {
    const newer = target('newer.duckdb');
    const other = await DuckDBInstance.create(newer);
    const connection = await other.connect();
    await connection.run('CREATE TABLE tidegate_schema AS SELECT 99 AS version');
    connection.closeSync();
    other.closeSync();

    expect((await rejection(copyTo(newer))) as Error)
      .to.have.property('message')
      .that.includes('schema version 99');
    expect(await attached()).to.deep.equal([]);
    expect(await copyTo(target('copy.duckdb'))).to.equal(1);
    expect(await attached()).to.deep.equal([]);
  });
});
