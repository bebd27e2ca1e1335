/** Pages in a real browser, under their policy: they run, and where a script is gone they load again three times and say so. */
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { pageTexts, writePages } from '../support/built-pages.ts';
import { newVisitor, requireChromium, startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

describe('pages in a browser', () => {
  const folder = createTempDirectory();
  let server: TestServer;
  let browser: Browser | undefined;
  let page: Page;
  const complaints: string[] = [];
  let loads = 0;

  before(async function () {
    requireChromium(this);
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    folder.remove();
  });
  beforeEach(async () => {
    complaints.length = 0;
    loads = 0;
    page = await (await newVisitor(browser as Browser)).newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (fault) => complaints.push(String(fault)));
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++;
    });
  });
  afterEach(async () => {
    await page.context().close();
    await server.close();
  });

  it('run their script under the policy, at every address, without a complaint', async () => {
    writePages(folder.path);
    server = await startTidegate({ settings: { DASHBOARD_DIR: folder.path } });
    await page.goto(`${server.origin}/`);
    expect(new URL(page.url()).pathname).to.equal('/dashboard');
    for (const path of ['/dashboard', '/dashboard/websites/web_1']) {
      await page.goto(server.origin + path);
      await page.waitForSelector('html[data-ran=yes]', { state: 'attached' });
    }
    expect(complaints).to.deep.equal([]);
    const refused = await page.evaluate<string>(
      "try { document.body.innerHTML = '<b>made of text</b>'; 'taken' } catch (fault) { fault.name }",
    );
    expect(refused).to.equal('TypeError');
  });

  it('load three times again where the document names a script that is gone, and are marked then', async () => {
    // A document of another version: its script is not in the folder of this process.
    const texts = { ...pageTexts(), 'document.html': pageTexts('app.ffffffff.js')['document.html'] ?? '' };
    writePages(folder.path, texts);
    server = await startTidegate({ settings: { DASHBOARD_DIR: folder.path } });
    await page.goto(`${server.origin}/dashboard/websites`);
    await page.waitForSelector('html[data-new-version=not-loaded]', { state: 'attached' });
    await eventually(() => loads).equals(4);
    await eventually(() => new URL(page.url()).pathname).equals('/dashboard/websites');
    expect(complaints).to.deep.equal([]);
    await page.reload();
    await page.waitForSelector('html[data-new-version=not-loaded]', { state: 'attached' });
    await eventually(() => loads).equals(5);
  });
});
