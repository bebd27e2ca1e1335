/** What every engine shares: no extensions from elsewhere, and memory that goes back to the system. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../../config/settings.ts';
import { createInstance } from '../../../../../services/shared/storage/duckdb/create-instance.ts';

/** Fills a table and drops it; prints the resident megabytes that it took, and those that are left once it is gone. */
const GIVEN_BACK = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { closeInstance, createInstance } from './dist/services/shared/storage/duckdb/create-instance.js';
  const connection = await (await createInstance({ threads: '1' })).connect();
  await Promise.all([1, 2].map(async () => closeInstance(await createInstance({ threads: '1' }))));
  const megabytes = () => Math.round(process.memoryUsage.rss() / 1e6);
  const before = megabytes();
  await connection.run("CREATE TABLE filled AS SELECT repeat('x', 200) || i AS text FROM range(600000) AS numbers(i)");
  const filled = megabytes() - before;
  await connection.run('DROP TABLE filled');
  for (let wait = 0; wait < 300 && megabytes() - before > filled / 4; wait++) await pause(100);
  console.log(filled, megabytes() - before);
`;

describe('an engine', () => {
  it('gives freed memory back to the system while nothing runs, also when engines beside it were closed', async function () {
    // Where DuckDB is built with an allocator of its own.
    if (process.platform !== 'linux') this.skip();
    const args = ['--env-file=config/node.env', '--input-type=module', '-e', GIVEN_BACK];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE_ROOT });
    const [filled = 0, left = 0] = stdout.split(' ').map(Number);
    expect(filled).to.be.above(80);
    expect(left).to.be.below(filled / 3);
  });

  it('fetches and loads no extension by itself', async () => {
    const instance = await createInstance({ threads: '1' });
    const connection = await instance.connect();
    const rows = await connection.runAndReadAll(
      "SELECT name FROM duckdb_settings() WHERE name LIKE 'auto%known_extensions' AND value <> 'false'",
    );
    expect(rows.getRows()).to.deep.equal([]);
    connection.closeSync();
    instance.closeSync();
  });
});
