/** Folders of query processes: one each, with what the one before left, and none for ever. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { takeCacheFolder } from '../../../../../services/shared/storage/columns/cache-folder.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

describe('folders of caches', () => {
  let directory: TempDirectory;
  beforeEach(() => {
    directory = createTempDirectory();
  });
  afterEach(() => directory.remove());

  it('belong to one at a time, and keep their files for the next', async () => {
    const root = directory.file('cache');
    const folders = [await takeCacheFolder(root), await takeCacheFolder(root)];
    expect(folders.map(({ path }) => path)).to.deep.equal([join(root, '0'), join(root, '1')]);
    writeFileSync(join(root, '0', 'kept'), 'x');
    folders[0]?.release();
    const next = await takeCacheFolder(root);
    expect(next.path).to.equal(join(root, '0'));
    expect(existsSync(join(root, '0', 'kept'))).to.equal(true);
    next.release();
    folders[1]?.release();
  });

  it('are taken over from a process that died', async () => {
    const root = directory.file('cache');
    mkdirSync(join(root, '0'), { recursive: true });
    writeFileSync(join(root, '0.lock'), JSON.stringify({ pid: 2 ** 30, start: 'long ago' }));
    const folder = await takeCacheFolder(root);
    expect(folder.path).to.equal(join(root, '0'));
    folder.release();
  });

  it('go when nobody took them for a week, others stay', async () => {
    const root = directory.file('cache');
    for (const [name, days] of [
      ['1', 8],
      ['2', 6],
      ['other', 100],
    ] as const) {
      mkdirSync(join(root, name), { recursive: true });
      const then = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(root, name), then, then);
    }
    const folder = await takeCacheFolder(root);
    expect(['0', '1', '2', 'other'].map((name) => existsSync(join(root, name)))).to.deep.equal([
      true,
      false,
      true,
      true,
    ]);
    folder.release();
  });
});
