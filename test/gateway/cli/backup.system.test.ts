/** Holds `tidegate backup` of a stopped server to what it says: a server starts on the copy with everything, and a folder that is there is whole. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { contentsOfFiles } from '../../support/installation-contents.ts';
import { runCli } from '../../support/run-cli.ts';
import { seedInstallation } from '../../support/seed-installation.ts';
import { startTidegate } from '../../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

describe('tidegate backup', () => {
  let directory: TempDirectory;
  let dataDir: string;
  let out: string;
  before(async () => {
    directory = createTempDirectory();
    dataDir = directory.file('data');
    await seedInstallation(dataDir, 500);
  });
  after(() => directory.remove());
  beforeEach(() => {
    out = directory.file('backup');
    rmSync(out, { recursive: true, force: true });
  });

  function folder(name: string): string {
    mkdirSync(directory.file(name));
    return directory.file(name);
  }
  const run = (...args: string[]) => runCli(['backup', '--out', out, ...args], { DATA_DIR: dataDir });

  it('writes a copy that holds every document, every event and the secrets, for its owner only', async () => {
    const { code, out: text, error } = await run('--json');
    expect([code, error]).to.deep.equal([0, '']);
    const { data } = JSON.parse(text);
    expect(data.directory).to.equal(out);
    expect(data.files).to.deep.equal(['documents.sqlite', 'events.duckdb', 'secrets.json']);
    for (const file of data.files) expect(statSync(join(out, file)).mode & 0o777, file).to.equal(0o600);
    expect(statSync(out).mode & 0o777).to.equal(0o700);
    const [files, copy] = [await contentsOfFiles(dataDir), await contentsOfFiles(out)];
    expect(copy.documents).to.deep.equal(files.documents);
    expect(copy.events).to.deep.equal(files.events);
    expect(data.events).to.equal(files.events.length);
    expect(readFileSync(dataPathsOf(out).secrets, 'utf8')).to.equal(
      readFileSync(dataPathsOf(dataDir).secrets, 'utf8'),
    );
  });

  it('is what a server starts on', async () => {
    expect((await run()).code).to.equal(0);
    const restored = await startTidegate({ dataDir: out });
    try {
      const { out: text } = await runCli(['organizations', 'list', '--json'], { DATA_DIR: out });
      const ids = JSON.parse(text).data.map(({ id }: { id: string }) => id);
      expect(ids).to.include.members(['org_a', 'org_b']);
    } finally {
      await restored.close();
    }
  });

  it('refuses a folder in which something is, and leaves it as it was', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'mine'), 'x');
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include('not an empty folder');
    expect(readdirSync(out)).to.deep.equal(['mine']);
  });

  it('leaves no folder when the stores cannot be read', async () => {
    const damaged = folder('damaged');
    writeFileSync(dataPathsOf(damaged).documents, 'this is no database, '.repeat(500));
    const { code } = await runCli(['backup', '--out', out], { DATA_DIR: damaged });
    expect(code).to.equal(1);
    expect([existsSync(out), existsSync(`${out}.unfinished`)]).to.deep.equal([false, false]);
  });

  it('points to mongodump where the stores are MongoDB', async () => {
    const { code, error } = await runCli(['backup', '--out', out], {
      DATA_DIR: dataDir,
      MONGODB_URI: 'mongodb://127.0.0.1:1/x',
    });
    expect(code).to.equal(1);
    expect(error).to.include('mongodump');
  });
});
