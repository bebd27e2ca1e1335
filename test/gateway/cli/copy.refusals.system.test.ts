/** Holds `tidegate copy` to what it refuses: whatever would mix two installations or leave something out, and nothing is changed then. */
import { cpSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { holdOpen } from '../../support/hold-open.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../support/mongodb/with-database.ts';
import { runCliProcess } from '../../support/run-cli.ts';
import { seedInstallation } from '../../support/seed-installation.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

describe('tidegate copy, refusing', function () {
  this.timeout(240_000);
  const server = useMongodb();
  let master: TempDirectory;
  let directory: TempDirectory;
  let uri: string;

  before(async () => {
    master = createTempDirectory();
    await seedInstallation(master.path, 300);
  });
  after(async () => {
    master?.remove();
  });
  beforeEach(() => {
    uri = server.newUri();
    directory = createTempDirectory();
    cpSync(master.path, directory.path, { recursive: true });
  });
  afterEach(() => directory.remove());

  const environment = () => ({ DATA_DIR: directory.path, MONGODB_URI: uri });
  const run = (...args: string[]) =>
    runCliProcess(['copy', '--from', 'embedded', '--to', 'mongodb', ...args], environment());

  it('refuses a database that holds anything, and adds nothing to it', async () => {
    await withDatabase(uri, (database) => database.collection('orders').insertOne({ mine: true }));
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include('the database is not empty').and.include('orders');
    const names = await withDatabase(uri, async (database) =>
      (await database.listCollections()).map(({ name }) => name),
    );
    expect(names).to.deep.equal(['orders']);
  });

  it('refuses while a process has a store open, and where there is none', async () => {
    const { documents, events } = dataPathsOf(directory.path);
    for (const [kind, path] of [
      ['documents', documents],
      ['events', events],
    ] as const) {
      const holder = await holdOpen(kind, path);
      const { code, error } = await run();
      await holder.end();
      expect(code, error).to.equal(1);
      expect(error).to.match(/Stop that process|stop every server/);
    }
    expect(await withDatabase(uri, async (database) => database.listCollections())).to.deep.equal([]);
    rmSync(documents);
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include('there is no store');
  });

  it('names the host that does not answer and no password, and asks for MONGODB_URI', async () => {
    uri = 'mongodb://somebody:pass-of-mine@127.0.0.1:1/tidegate';
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include('127.0.0.1:1').and.not.to.include('pass-of-mine');
    const without = await runCliProcess(['copy', '--from', 'embedded', '--to', 'mongodb'], {
      DATA_DIR: directory.path,
    });
    expect([without.code, without.error]).to.deep.equal([
      1,
      'MONGODB_URI is not set: set it to the database to copy into\n',
    ]);
    expect(
      (await runCliProcess(['copy', '--from', 'mongodb', '--to', 'mongodb'], environment())).code,
    ).to.equal(2);
  });

  it('refuses to copy twice', async () => {
    expect((await run()).code).to.equal(0);
    const { code, error } = await run('--restart');
    expect(code).to.equal(1);
    expect(error).to.include('a copy into this database was completed at');
  });
});
