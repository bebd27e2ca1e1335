/** The overview of a website by keyboard alone: ranges, tiles, lists, the table in place of the chart, and what leaves the page. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { importSample } from '../../../support/import-sample.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';
import { define, pageIs } from '../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';

describe('the overview by keyboard alone', () => {
  const dashboard = useDashboard();

  before(async () => {
    const sample = { id: 'web_shop', domain: 'shop.example.com', events: 3_000, days: 40, seed: 5 };
    await importSample(dashboard.server, sample);
    await define(dashboard.server, 'goals', { name: 'Saw the prices', ...pageIs('/pricing') });
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it('shows another range by choice, by a step, and by dates of one’s own', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `${SHOP}?range=last_7d`);
    const range = page.getByLabel('Range', { exact: true });
    await keys.choose(range, 'Last 14 days');
    await eventually(() => parameter(page, 'range')).equals('last_14d');
    await visitor.settled();
    await keys.expectFocus(range);
    const before = button(page, 'The range before');
    await keys.enter(before, 'Shift+Tab');
    await eventually(() => parameter(page, 'from')).satisfies((from) => expect(from).to.match(/^\d/));
    await visitor.settled();
    await keys.expectFocus(before);
    await keys.choose(page.getByLabel('By', { exact: true }), 'Week');
    await eventually(() => parameter(page, 'by')).equals('weekly');
    await visitor.settled();
    const first = page.getByLabel('First day');
    const last = page.getByLabel('Last day');
    // In a field of a date the parts follow each other as they are typed.
    await keys.to(first);
    await page.keyboard.type('01022020');
    await eventually(() => first.inputValue()).equals('2020-01-02');
    await keys.to(last);
    await page.keyboard.type('01032020');
    await eventually(() => last.inputValue()).equals('2020-01-03');
    await keys.enter(button(page, 'Show'));
    await page.getByRole('heading', { name: 'Nothing in this range' }).waitFor();
    expect([parameter(page, 'from'), parameter(page, 'to')]).to.deep.equal(['2020-01-02', '2020-01-03']);
    await visitor.settled();
    // The dates are a new form now, and the next Tab goes on in the screen that they changed.
    await keys.expectFocus(page.locator('#content'));
  });

  it('draws another measure by its tile, and shows the same as a table', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `${SHOP}?range=last_14d`);
    const help = button(page, 'What “Visitors” means');
    await keys.enter(help);
    const popover = page.locator('.popover:popover-open');
    await popover.waitFor();
    await keys.press('Escape');
    await popover.waitFor({ state: 'detached' });
    await keys.expectFocus(help);
    const tile = page.getByRole('button', { name: /^Sessions \d/ });
    await keys.to(tile);
    await keys.press('Space');
    await page.getByRole('heading', { name: 'Sessions over time' }).waitFor();
    await eventually(() => tile.getAttribute('aria-pressed')).equals('true');
    await keys.expectFocus(tile);
    await keys.enter(button(page, 'Show as table'));
    await page.getByRole('table', { name: 'Sessions over time' }).waitFor();
    await keys.expectFocus(button(page, 'Show as chart'));
    const begun = page.waitForEvent('download');
    await keys.enter(button(page, 'Download CSV: Sessions over time'));
    expect((await begun).suggestedFilename()).to.equal('series-daily.csv');
    const curl = button(page, 'Show as curl: Sessions over time');
    await keys.enter(curl);
    await keys.expectHeld(page.getByRole('dialog'), curl);
    // The table scrolls in itself, so it is a stop.
    await keys.to(page.getByRole('region', { name: 'Sessions over time' }));
    await visitor.settled();
  });

  it('opens the lists of a panel by the arrow keys, and more of their rows', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `${SHOP}?range=last_30d`);
    const pages = page.locator('.panel-pages');
    const top = page.getByRole('tab', { name: 'Top' });
    const entry = page.getByRole('tab', { name: 'Entry' });
    await keys.to(top);
    await keys.press('ArrowRight');
    await keys.expectFocus(entry);
    await eventually(() => entry.getAttribute('aria-selected')).equals('true');
    await visitor.settled();
    await keys.press('Home');
    await keys.expectFocus(top);
    await visitor.settled();
    const foot = pages.locator('.panel-foot > .button');
    await keys.enter(foot);
    await pages.locator('tbody tr').nth(10).waitFor();
    await visitor.settled();
    await keys.expectFocus(foot);
    const begun = page.waitForEvent('download');
    await keys.enter(pages.getByRole('button', { name: /^Download CSV/ }));
    expect((await begun).suggestedFilename()).to.match(/^top_pages.*\.csv$/);
  });

  it('opens a goal, and all of them', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `${SHOP}?range=last_30d`);
    const goal = page.locator('.panel-goals').getByRole('link', { name: 'Saw the prices' });
    await keys.enter(goal);
    await page.getByRole('heading', { level: 2, name: 'Saw the prices' }).waitFor();
    expect(parameter(page, 'range')).to.equal('last_30d');
    await visitor.settled();
    await page.goBack();
    await goal.waitFor();
    await visitor.settled();
    await keys.enter(page.locator('.panel-goals').getByRole('link', { name: 'All goals' }));
    await eventually(() => new URL(page.url()).pathname).equals(`${SHOP}/goals`);
    await visitor.settled();
  });

  it('puts panels away and brings them back, and asks for none of them meanwhile', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `${SHOP}?range=last_7d`);
    const away = (panel: string) => button(page, `Put away: ${panel}`);
    const back = (panel: string) => button(page, `Bring back: ${panel}`);
    const question = () =>
      page.waitForRequest((request) => request.postData()?.includes('"numbers"') ?? false);
    await away('Places').waitFor();
    await visitor.settled();
    const asked = await visitor.asks(async () => {
      await keys.enter(away('Places'));
      await keys.expectFocus(back('Places'));
      await keys.enter(away('Sources'), 'Shift+Tab');
      await keys.expectFocus(back('Sources'));
    });
    expect(asked, 'put away').to.deep.equal([]);
    const again = await visitor.asks(async () => {
      await keys.enter(back('Sources'));
      await keys.expectFocus(away('Sources'));
      await page.locator('.panel-sources tbody tr').first().waitFor();
    });
    expect(again, 'brought back at once').to.deep.equal([]);
    const without = question();
    await page.reload();
    expect((await without).postData())
      .to.include('"session_channels"')
      .and.not.include('"countries"');
    await back('Places').waitFor();
    await visitor.settled();
    await visitor.expectAccessible('a panel that is put away');
    const withIt = await visitor.asks(async () => {
      const whole = question();
      await keys.enter(back('Places'));
      expect((await whole).postData()).to.include('"countries"');
      await page.locator('.panel-places tbody tr').first().waitFor();
      await keys.expectFocus(away('Places'));
    });
    expect(withIt, 'brought back later').to.deep.equal(['POST /v1/query']);
    await page.getByRole('img', { name: 'Pageviews by country, as a map' }).waitFor();
  });
});
