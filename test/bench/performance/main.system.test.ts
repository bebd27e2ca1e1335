/** Runs `npm run bench` as a person does, with the part that needs nothing but Node, and makes its page again. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createBenchProcesses } from '../bench-processes.ts';
import { documentSchema } from './document.ts';
import { DOCUMENT_FILE, PAGE_FILE, renderFiles } from './page.ts';

const PROGRAM = join(PACKAGE_ROOT, 'dist/test/bench/performance/main.js');

describe('npm run bench', function () {
  this.timeout(240_000);
  const directory = createTempDirectory();
  const folder = directory.file('performance');
  const processes = createBenchProcesses();
  const run = (...args: string[]) => processes.run(process.execPath, [PROGRAM, ...args], { processor: null });

  after(async () => {
    await processes.stopAll();
    directory.remove();
  });

  it('measures a part, prints its table, writes document, page and plots, and makes the page again', async () => {
    const printed = await run('--quick', '--only', 'growth', '--to', folder);
    expect(printed).to.include('CPU of a request with many of each');
    const document = documentSchema.parse(JSON.parse(readFileSync(join(folder, DOCUMENT_FILE), 'utf8')));
    expect(document.failed).to.deep.equal([]);
    expect(document.growth?.rows.map(({ routes }) => routes)).to.deep.equal([1, 50]);
    const files = renderFiles(document);
    for (const [name, text] of files) {
      expect(readFileSync(join(folder, name), 'utf8'), name).to.equal(text);
    }
    const written = readFileSync(join(folder, DOCUMENT_FILE), 'utf8');
    rmSync(join(folder, PAGE_FILE));
    await run('--render', join(folder, DOCUMENT_FILE));
    expect(readFileSync(join(folder, PAGE_FILE), 'utf8')).to.equal(files.get(PAGE_FILE));
    expect(readFileSync(join(folder, DOCUMENT_FILE), 'utf8')).to.equal(written);
  });
});
