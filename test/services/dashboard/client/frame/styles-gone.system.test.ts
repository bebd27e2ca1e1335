/** A document whose style sheet is of another version, in a browser: it is loaded again as for a script, and shown all the same in the end. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PAGES_FOLDER } from '../../../../../services/dashboard/pages-folder.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';

describe('a style sheet of another version', () => {
  const folder = createTempDirectory();
  cpSync(PAGES_FOLDER, folder.path, { recursive: true });
  const path = folder.file('document.html');
  const text = readFileSync(path, 'utf8').replace(/\.[A-Za-z0-9_-]{8,}\.css"/, '.ffffffff.css"');
  writeFileSync(path, text);
  writeFileSync(`${path}.gz`, gzipSync(text));
  writeFileSync(`${path}.br`, brotliCompressSync(text));
  const dashboard = useDashboard({ settings: { DASHBOARD_DIR: folder.path } });
  after(() => folder.remove());

  it('loads the page three times again, and then shows what there is, with a word on it', async () => {
    expect(text).to.include('.ffffffff.css"');
    const visitor = await dashboard.newVisitor();
    visitor.allowRefusals();
    const { page } = visitor;
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++;
    });
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await page.waitForSelector('html[data-new-version=not-loaded]', { state: 'attached' });
    await page.getByLabel('Email', { exact: true }).waitFor();
    await page.getByText('A new version of this page could not be loaded.').waitFor();
    expect(loads).to.equal(4);
    // No style sheet of a wrong type was taken, and nothing but that was complained of.
    const others = visitor.complaints.filter((each) => !each.includes('.ffffffff.css'));
    visitor.complaints.length = 0;
    expect(others).to.deep.equal([]);
  });
});
