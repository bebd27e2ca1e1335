/** The overview in a real browser: what it asks for and when, by keyboard, in every state, width and appearance. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { importSample } from '../../../../../support/import-sample.ts';
import { gapsOf, holdQueries, noteQueries, POLL } from '../../../../../support/page-calls.ts';

const SHOP = '/dashboard/websites/web_shop';

describe('the overview of a website', () => {
  const dashboard = useDashboard();

  before(async () => {
    await importSample(dashboard.server, {
      id: 'web_shop',
      domain: 'shop.example.com',
      events: 6_000,
      days: 40,
      seed: 3,
    });
  });

  const ready = async (visitor: Visitor): Promise<void> => {
    await visitor.page.locator('.overview[aria-busy=false] .panel-events tbody tr').first().waitFor();
    await visitor.settled();
  };
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it('asks three times at first, once for another range or list, and not at all for another measure', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    const first = await visitor.asks(async () => {
      await page.goto(dashboard.origin + SHOP);
      await ready(visitor);
    });
    expect(first.sort()).to.deep.equal([
      'GET /v1/auth/session',
      'GET /v1/websites/web_shop',
      'POST /v1/query',
    ]);
    const chosen = (name: string) => page.getByRole('tab', { name, selected: true }).waitFor();
    const ask = ['POST /v1/query'];
    const lastWeek = await visitor.asks(async () => {
      await page.getByLabel('Range', { exact: true }).selectOption('last_7d');
      await eventually(() => parameter(page, 'range')).equals('last_7d');
    });
    expect(lastWeek, 'another range').to.deep.equal(ask);
    const weekBefore = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'The range before' }).click();
      await eventually(() => parameter(page, 'from')).satisfies((from) => expect(from).to.match(/^\d/));
    });
    expect(weekBefore, 'the range before').to.deep.equal(ask);
    const exits = await visitor.asks(async () => {
      await page.getByRole('tab', { name: 'Exit' }).click();
      await chosen('Exit');
    });
    expect(exits, 'another list').to.deep.equal(ask);
    const top = await visitor.asks(async () => {
      await page.getByRole('tab', { name: 'Top' }).click();
      await chosen('Top');
    });
    expect(top, 'the list before').to.deep.equal([]);
    const sessions = await visitor.asks(async () => {
      await page.getByRole('button', { name: /^Sessions/ }).click();
      await page.getByRole('heading', { name: 'Sessions over time' }).waitFor();
      await eventually(() => parameter(page, 'measure')).equals('sessions');
    });
    expect(sessions, 'another measure').to.deep.equal([]);
    const table = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'Show as table', exact: true }).click();
      await page.getByRole('table', { name: 'Sessions over time' }).waitFor();
    });
    expect(table, 'a table').to.deep.equal([]);
  });

  it('asks who is there now while the tab is seen, and a hidden tab for nothing', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    await page.clock.install();
    const queriedAt = await noteQueries(page);
    await page.addInitScript(
      "globalThis.isHidden = false; Object.defineProperty(document, 'hidden', { get: () => globalThis.isHidden })",
    );
    await page.goto(dashboard.origin + SHOP);
    await ready(visitor);
    visitor.requests.length = 0;
    for (const times of [2, 3]) {
      await page.clock.runFor(21_000);
      await eventually(queriedAt).satisfies((all) => expect(all.length).to.be.at.least(times));
      await visitor.settled();
    }
    expect([...new Set(visitor.requests)]).to.deep.equal([POLL]);
    // However long the test took, it is twenty seconds from an answer to the next question.
    expect(Math.min(...gapsOf(await queriedAt()))).to.be.at.least(20_000);
    await page.evaluate('isHidden = true');
    await visitor.settled();
    visitor.requests.length = 0;
    await page.clock.runFor(120_000);
    await visitor.settled();
    expect(visitor.requests).to.deep.equal([]);
    await page.evaluate("isHidden = false; document.dispatchEvent(new Event('visibilitychange'))");
    await eventually(() => [...new Set(visitor.requests)]).equals([POLL]);
  });

  it('draws another range into the lists that are there, and begins each with its first rows', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_30d`);
    const { page } = visitor;
    await ready(visitor);
    const pages = page.locator('.panel-pages');
    await pages.getByRole('button', { name: 'More' }).click();
    await pages.locator('tbody tr').nth(10).waitFor();
    const table = await pages.locator('table').elementHandle();
    const answered = page.waitForResponse((answer) => answer.url().includes('/v1/query'));
    await page.getByLabel('Range', { exact: true }).selectOption('last_14d');
    await answered;
    await ready(visitor);
    await pages.locator('tbody tr').nth(10).waitFor({ state: 'detached' });
    expect(await pages.locator('tbody tr').count()).to.equal(10);
    expect(await table?.evaluate((element) => (element as { isConnected?: boolean }).isConnected)).to.equal(
      true,
    );
  });

  it('is read and zoomed by keyboard', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_14d`);
    const { page } = visitor;
    await ready(visitor);
    const reader = page.getByRole('slider', { name: 'Visitors over time' });
    const text = () => reader.getAttribute('aria-valuetext');
    const range = () => [parameter(page, 'from'), parameter(page, 'to')];
    await reader.focus();
    const last = await eventually(text).satisfies((said) =>
      expect(said).to.match(/, [\d,]+, still running$/),
    );
    await page.keyboard.press('ArrowLeft');
    await eventually(text).satisfies((said) => expect(said).to.match(/^\w{3}, \w{3} \d+, [\d,]+$/));
    await page.keyboard.press('End');
    await eventually(text).equals(last);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    const [from = ''] = await eventually(range).satisfies(([first, end]) => {
      expect((Date.parse(end ?? '') - Date.parse(first ?? '')) / 86_400_000).to.equal(2);
    });
    await visitor.settled();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await eventually(range).equals([from, from]);
    await visitor.settled();
    await page.goBack();
    await page.goBack();
    await eventually(() => page.getByLabel('Range', { exact: true }).inputValue()).equals('last_14d');
    await ready(visitor);
    await page.getByRole('tab', { name: 'Browsers' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('columnheader', { name: 'System' }).waitFor();
    await eventually(() => parameter(page, 'devices')).equals('os_name');
  });

  it('zooms into what is dragged over, down to hours', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=yesterday`);
    const { page } = visitor;
    await ready(visitor);
    const box = await page.getByRole('slider').boundingBox();
    if (box === null) throw new Error('the chart has no place');
    const at = (hour: number) => box.x + (box.width * hour) / 23;
    await page.mouse.move(at(6), box.y + 50);
    await page.mouse.down();
    await page.mouse.move(at(9), box.y + 50, { steps: 4 });
    await page.mouse.up();
    await eventually(() => `${parameter(page, 'from')} ${parameter(page, 'to')}`).satisfies((range) =>
      expect(range).to.match(/T06:00:00\.000Z .*T10:00:00\.000Z$/),
    );
  });

  for (const width of [1280, 768, 320]) {
    it(`moves nothing when its numbers come: ${width} px`, async () => {
      const visitor = await dashboard.enter('/dashboard', undefined, { viewport: { width, height: 800 } });
      const { page } = visitor;
      await visitor.settled();
      const answer = await holdQueries(page);
      await page.goto(dashboard.origin + SHOP);
      await page.locator('.panel-events .skeleton').waitFor();
      await page.getByRole('heading', { name: 'Shop' }).waitFor();
      const places = () =>
        page
          .locator('.tiles, .overview > .numbers, .panel')
          .evaluateAll((all) =>
            all.map((each) =>
              Math.round(
                (each as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top,
              ),
            ),
          );
      const before = await places();
      await visitor.expectAccessible(`loading at ${width} px`);
      answer();
      await visitor.settled();
      expect(await places()).to.deep.equal(before);
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is accessible in every width, as chart and as table: ${colorScheme}`, async () => {
      const visitor = await dashboard.enter(SHOP, undefined, { colorScheme });
      const { page } = visitor;
      await visitor.settled();
      for (const width of [1280, 768, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await page.locator('.world-place').scrollIntoViewIfNeeded();
        await page.getByRole('img', { name: 'Pageviews by country, as a map' }).waitFor();
        await visitor.expectAccessible(`${width} px`);
      }
      await page.getByRole('button', { name: 'Show as table', exact: true }).click();
      await page.getByRole('table', { name: 'Visitors over time' }).waitFor();
      await visitor.expectAccessible('as a table');
    });
  }

  it('says what is missing where nothing is: an event at all, or one in the range', async () => {
    const visitor = await dashboard.enter('/dashboard/websites/web_blog');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No event yet' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'Show the snippet' }).getAttribute('href')).equals(
      '/dashboard/websites/web_blog/settings',
    );
    await visitor.expectAccessible('a website without an event');
    await page.goto(`${dashboard.origin}${SHOP}?from=2020-01-01&to=2020-01-31`);
    await page.getByRole('heading', { name: 'Nothing in this range' }).waitFor();
    await visitor.expectAccessible('a range without an event');
    const asked = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'Look through all time' }).click();
      await page.getByText(/^Events outside it: [\d,]+\.$/).waitFor();
    });
    expect(asked).to.deep.equal(['POST /v1/query']);
    await visitor.expectAccessible('a range without an event, and events outside it');
  });

  it('shows a dataset that failed in its own place, and all others', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    let isBroken = true;
    await page.route('**/v1/query*', async (route) => {
      const headers = { ...route.request().headers(), accept: 'application/json' };
      const response = await route.fetch({ headers });
      const body = await response.json();
      for (const { data } of body.results) {
        for (const answer of isBroken ? data : []) {
          if (answer.parameter !== 'top_pages') continue;
          Object.assign(answer, { success: false, data: [], error: 'It took too long.' });
        }
      }
      await route.fulfill({ response, json: body });
    });
    await page.goto(dashboard.origin + SHOP);
    await ready(visitor);
    const alerts = page.getByRole('alert');
    await eventually(() => alerts.count()).equals(1);
    const pages = page.locator('.panel-pages');
    await pages.getByText('It took too long.').waitFor();
    expect(await page.locator('.panel-devices tbody tr').count()).to.be.above(3);
    isBroken = false;
    await pages.getByRole('button', { name: 'Try again' }).click();
    await pages.locator('tbody tr').first().waitFor();
    await eventually(() => alerts.count()).equals(0);
  });

  it('keeps its numbers when a limit is used up, and says so', async () => {
    const visitor = await dashboard.enter(SHOP);
    visitor.allowRefusals();
    const { page } = visitor;
    await ready(visitor);
    const tiles = () => page.locator('.tile strong').allTextContents();
    const before = await tiles();
    await page.route('**/v1/query*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '30', 'x-ratelimit-limit': '50' },
        json: { success: false, code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.', error: 'x' },
      }),
    );
    await page.getByLabel('Range', { exact: true }).selectOption('last_7d');
    await page.getByText('The rate limit of 50 requests is used up for the moment.').waitFor();
    expect(await tiles()).to.deep.equal(before);
    expect(await page.locator('.panel-pages tbody tr').count()).to.be.above(3);
  });
});
