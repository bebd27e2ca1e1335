/** Lists of the dashboard where there is room: words stay whole, long values take one line, and so do the buttons of a row. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectSuccess } from '../../../support/answers.ts';
import { useDashboard } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { define, eventIs, pageIs } from '../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const REFERRER = `https://www.example.com/${'a-page-that-is-long-'.repeat(20)}`;
describe('lists where there is room', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    const common = { websiteId: 'web_shop', anonymousId: 'visitor-1', sessionId: 'session-1' };
    const body = [{ ...common, name: 'screen_view', path: '/', referrer: REFERRER }];
    const headers = { 'user-agent': AGENT };
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body, headers }));
    await define(server, 'goals', { name: 'Start', ...pageIs('/') });
    await define(server, 'funnels', { name: 'Order', steps: [pageIs('/'), eventIs('paid')] });
  });

  async function open(path: string): Promise<Page> {
    const { page } = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    await page.goto(dashboard.origin + path);
    await page.locator('main tbody tr').first().waitFor();
    return page;
  }
  /** In how many lines a text stands. */
  const linesOf = (text: Locator) =>
    text.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });

  for (const screen of ['sessions', 'visitors']) {
    it(`breaks no word of short columns: ${screen}`, async () => {
      const page = await open(`${SHOP}/${screen}`);
      const row = page.locator('main tbody tr').first();
      for (const word of ['Desktop', 'Windows', 'Chrome']) {
        const text = row.getByText(word, { exact: true });
        await text.waitFor();
        await eventually(() => linesOf(text)).equals(1);
      }
    });
  }

  it('cuts a long referrer, whose title tells all of it', async () => {
    const page = await open(`${SHOP}/sessions`);
    const row = page.locator('main tbody tr').first();
    const referrer = row.locator('.cut');
    expect(await referrer.getAttribute('title')).to.equal(await referrer.textContent());
    expect((await referrer.getAttribute('title'))?.length).to.be.above(100);
    const height = await row.evaluate((one) => one.getBoundingClientRect().height);
    expect(height).to.be.below(90);
  });

  for (const screen of ['goals', 'funnels']) {
    it(`keeps the buttons of a row in one line: ${screen}`, async () => {
      const page = await open(`${SHOP}/${screen}`);
      const buttons = page.locator('main tbody tr').first().locator('.one-line button');
      const tops = await buttons.evaluateAll((all) =>
        all.map((each) => Math.round(each.getBoundingClientRect().top)),
      );
      expect(tops).to.have.length(2);
      expect(new Set(tops).size).to.equal(1);
    });
  }
});
