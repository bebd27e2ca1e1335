/** A server whose pages are missing: it serves nothing, rather than an API whose dashboard answers errors, and touches no store. */
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { dataPathsOf } from '../../config/data-directory.ts';
import { startTidegate } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

describe('a server whose pages are missing', () => {
  let folder: TempDirectory;
  beforeEach(() => {
    folder = createTempDirectory();
  });
  afterEach(() => folder.remove());

  const faultOf = (pages: string): Promise<string> =>
    startTidegate({ dataDir: folder.path, settings: { DASHBOARD_DIR: pages } }).then(
      async (server) => {
        await server.close();
        return 'started';
      },
      (thrown: Error) => thrown.message,
    );

  it('does not start, and says where the folder is named, which it is, and what to run', async () => {
    const nowhere = folder.file('nowhere');
    expect(await faultOf(nowhere))
      .to.match(/gateway\.config\.yml:\d+ pipelines\.dashboard\.policies\[\d\]\.pages\[0\]\.action\.folder: /)
      .and.to.include(`${nowhere}: there is no such file or folder, or it cannot be read (ENOENT)`)
      .and.to.include('allowed: a folder that a build filled; npm run build')
      .and.to.include('setting DASHBOARD_DIR');
  });

  it('does not start over a folder without built pages, and says what is wrong with it', async () => {
    expect(await faultOf(folder.path)).to.include(`${folder.path}: it holds no document.html`);
  });

  it('leaves the stores as they were: it opened and migrated none', async () => {
    await faultOf(folder.file('nowhere'));
    const { documents, events, secrets } = dataPathsOf(folder.path);
    expect([documents, events, secrets].filter(existsSync)).to.deep.equal([]);
  });
});
