/** The list of websites in a real browser: its numbers, its requests, long lists, and what it says when something is missing. */
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { gapsOf, noteQueries } from '../../../../support/page-calls.ts';
import { createWebsite } from '../../../../support/website-writes.ts';

const QUERY = '/v1/query';
const cardOf = (page: Page, name: string) =>
  page.locator('.website-card').filter({ has: page.getByRole('link', { name, exact: true }) });
const numbersOf = (page: Page, name: string) => cardOf(page, name).locator('.number').allInnerTexts();
const changesOf = (page: Page, name: string) => cardOf(page, name).locator('dd.small').allTextContents();

describe('the websites of the dashboard', () => {
  const dashboard = useDashboard();

  async function send(...events: object[]): Promise<void> {
    const { server } = dashboard;
    const key = server.keys.all;
    const body = { parameters: ['summary_metrics'], preset: 'last_7d' };
    const total = async (): Promise<number> => {
      const answer = await server.call('POST', '/v1/query?organization_id=org_main', { key, body });
      expectSuccess(answer, 200);
      return answer.body.data[0].data[0].total_events;
    };
    const before = await total();
    expectSuccess(await server.call('POST', '/track', { key, body: events }), 200);
    // Queries show a little later what ingest answered.
    await eventually(total, 'events').equals(before + events.length);
  }
  const view = (websiteId: string, visitor: string, secondsAgo: number) => ({
    name: 'screen_view',
    websiteId,
    anonymousId: visitor,
    sessionId: `of ${visitor}`,
    path: '/',
    timestamp: Date.now() - secondsAgo * 1000,
  });

  it('shows of each the numbers that the API gives for the last 24 hours, with three requests in all', async () => {
    const ago = [7_300, 10_900, 11_000, 40_000, 85_000, 90_000];
    await send(...ago.map((seconds, index) => view('web_shop', `v${index % 4}`, seconds)));
    const visitor = await dashboard.enter();
    const { page } = visitor;
    await cardOf(page, 'Shop').getByText('Last event').waitFor();
    await visitor.settled();
    const batch = page
      .waitForRequest((request) => request.url().endsWith(QUERY))
      .then((request) => request.postDataJSON());
    const asked = await visitor.asks(async () => {
      await page.reload();
      await cardOf(page, 'Shop').getByText('Last event').waitFor();
    });
    expect(asked).to.deep.equal(['GET /v1/auth/session', 'GET /v1/websites', `POST ${QUERY}`]);

    const body = await batch;
    expect(body.map(({ preset }: { preset: string }) => preset)).to.deep.equal(
      Array(body.length).fill('last_24h'),
    );
    const { server } = dashboard;
    const answer = await server.call('POST', QUERY, { key: server.keys.all, body });
    expectSuccess(answer, 200);
    const [ofAll, totals, lines] = answer.body.results.map(
      ({ data }: { data: { data: unknown[] }[] }) => data[0]?.data,
    );
    for (const [id, name] of [
      ['web_shop', 'Shop'],
      ['web_blog', 'Blog'],
    ] as const) {
      const isOf = (row: { website_id: string }) => row.website_id === id;
      const { visitors, pageviews } = totals.find(isOf);
      expect(await numbersOf(page, name)).to.deep.equal([String(visitors), String(pageviews)]);
      // A point of the area for every hour of the answer, and two on its ground.
      const area = (await cardOf(page, name).locator('.area').getAttribute('d')) ?? '';
      expect(area.match(/[ML]/g)?.length).to.equal(lines.filter(isOf).length + 2);
    }
    const { visitors, pageviews, sessions } = ofAll[0];
    expect(await page.locator('.website-totals .number').allInnerTexts()).to.deep.equal(
      [visitors, pageviews, sessions].map(String),
    );
    expect(await numbersOf(page, 'Shop')).to.deep.equal(['4', '5']);
    // The one of 25 hours ago was before.
    expect(await changesOf(page, 'Shop')).to.deep.equal(['+300.0% before: 1', '+400.0% before: 1']);
    expect(await changesOf(page, 'Blog')).to.deep.equal(['±0 before: 0', '±0 before: 0']);
    await cardOf(page, 'Shop').getByText('Last event 2 hours ago').waitFor();
    await cardOf(page, 'Blog').getByText('No event yet').waitFor();
  });

  it('shows all cards over the range of the address, by one request, and leads on with it', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    await cardOf(page, 'Shop').getByText('Last event').waitFor();
    await visitor.settled();
    const asked = await visitor.asks(async () => {
      await page.getByLabel('Range', { exact: true }).selectOption('Last 7 days');
      await eventually(() => numbersOf(page, 'Shop')).equals(['4', '6']);
    });
    expect(asked).to.deep.equal([`POST ${QUERY}`]);
    expect(new URL(page.url()).search).to.equal('?range=last_7d');
    await page.getByRole('heading', { name: 'All websites: Last 7 days' }).waitFor();
    const line = cardOf(page, 'Shop').getByRole('img');
    expect(await line.getAttribute('aria-label')).to.match(/^Visitors by the day: between 0 and [34], /);
    await visitor.expectAccessible('the websites over seven days');
    await page.goBack();
    await eventually(() => numbersOf(page, 'Shop')).equals(['4', '5']);
    await page.goForward();
    await page.getByRole('link', { name: 'Shop', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?range=last_7d');
  });

  it('shows pinned websites first, in this browser, whether or not it keeps anything', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    const names = () => page.locator('.website-card h2').allInnerTexts();
    await eventually(names).equals(['Blog', 'Shop']);
    const pin = page.getByRole('button', { name: 'Pin Shop' });
    await pin.focus();
    await page.keyboard.press('Enter');
    await eventually(names).equals(['Shop', 'Blog']);
    // The card moved, and its button keeps the focus.
    await eventually(() => pin.evaluate('document.activeElement.getAttribute("aria-pressed")')).equals(
      'true',
    );
    await page.reload();
    await eventually(names).equals(['Shop', 'Blog']);
    expect(await pin.getAttribute('aria-pressed')).to.equal('true');
    await visitor.expectAccessible('a pinned website');
    await pin.click();
    await eventually(names).equals(['Blog', 'Shop']);

    await page.addInitScript(
      "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } })",
    );
    await page.reload();
    await eventually(names).equals(['Blog', 'Shop']);
    await pin.click();
    await eventually(names).equals(['Shop', 'Blog']);
  });

  it('tells a website without an event for a day from one that never had any', async () => {
    const silent = await createWebsite(dashboard.server, { name: 'Silent' });
    await createWebsite(dashboard.server, { name: 'Unborn' });
    const server = await createWebsite(dashboard.server, { name: 'Server' });
    await send(view(silent.id, 'a', 200_000), { name: 'screen_view', websiteId: server.id, path: '/' });
    const { page } = await dashboard.enter();
    await cardOf(page, 'Silent').getByText('No event in this range').waitFor();
    await cardOf(page, 'Unborn').getByText('No event yet').waitFor();
    await cardOf(page, 'Unborn').getByRole('link', { name: 'Set up tracking' }).waitFor();
    await cardOf(page, 'Server').getByText('Events in this range').waitFor();
    expect(await numbersOf(page, 'Server')).to.deep.equal(['0', '1']);
  });

  it('leads to the overview and to the settings of a website', async () => {
    const { page } = await dashboard.enter();
    const card = cardOf(page, 'Shop');
    expect(await card.getByRole('link', { name: 'Shop', exact: true }).getAttribute('href')).to.equal(
      '/dashboard/websites/web_shop',
    );
    await card.getByRole('link', { name: 'Settings: Shop' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    await eventually(() => new URL(page.url()).pathname).equals('/dashboard/websites/web_shop/settings');
  });

  it('says in one card alone that a part of it failed', async () => {
    const visitor = await dashboard.newVisitor();
    const { page } = visitor;
    await page.route(`**${QUERY}`, async (route: Route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const shop = answer.results.find(({ queryId }: { queryId: string }) => queryId === 'web_shop');
      // The latest visitors.
      Object.assign(shop.data[0], { success: false, data: [], error: 'too much' });
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await visitor.logIn();
    await cardOf(page, 'Shop').getByText('This part could not be computed.').waitFor();
    expect(await numbersOf(page, 'Shop')).to.deep.equal(['4', '5']);
    expect(await page.getByText('This part could not be computed.').count()).to.equal(1);
    await cardOf(page, 'Blog').getByText('No event yet').waitFor();
    await visitor.expectAccessible('a card that failed');
  });

  it('says in every card that the numbers of all failed, and keeps the totals of the organization', async () => {
    const visitor = await dashboard.newVisitor();
    const { page } = visitor;
    await page.route(`**${QUERY}`, async (route: Route) => {
      const response = await route.fetch();
      const answer = await response.json();
      Object.assign(answer.results[1].data[0], { success: false, data: [], error: 'too much' });
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await visitor.logIn();
    for (const name of ['Shop', 'Blog']) {
      await cardOf(page, name).getByText('This part could not be computed.').waitFor();
      expect(await numbersOf(page, name)).to.deep.equal(['–', '–']);
    }
    expect(await page.locator('.website-totals .number').first().innerText()).to.not.equal('–');
  });

  it('keeps the websites while the queries cannot answer, and the last numbers when they no longer do', async () => {
    const visitor = await dashboard.newVisitor();
    visitor.allowRefusals();
    const { page } = visitor;
    let isDown = true;
    await page.route(`**${QUERY}`, (route: Route) =>
      isDown
        ? // Not asked again by itself before somebody presses the button.
          route.fulfill({ status: 503, headers: { 'retry-after': '600' }, json: { success: false } })
        : route.continue(),
    );
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await visitor.logIn();
    await page.getByRole('alert').getByText('The service cannot answer right now.').waitFor();
    await cardOf(page, 'Shop').waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await cardOf(page, 'Blog').getByText('No event yet').waitFor();
    await eventually(() => page.getByRole('alert').count()).equals(0);
  });

  it('asks again every minute while it is seen, and never while it is not', async () => {
    const visitor = await dashboard.newVisitor();
    const { page } = visitor;
    await page.clock.install();
    const times = await noteQueries(page);
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await visitor.logIn();
    await cardOf(page, 'Blog').getByText('No event yet').waitFor();
    const show = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const another = async (act: () => Promise<unknown>) => {
      const before = (await times()).length;
      await act();
      await eventually(async () => (await times()).length).satisfies((count) =>
        expect(count).to.be.above(before),
      );
    };
    await visitor.settled();
    visitor.requests.length = 0;
    await page.clock.fastForward(30_000);
    await another(() => page.clock.fastForward(31_000));
    await show(true);
    // One may have been due just before.
    await visitor.settled();
    const seen = await times();
    await page.clock.fastForward(600_000);
    await visitor.settled();
    expect(await times()).to.deep.equal(seen);
    await another(() => show(false));
    await visitor.settled();
    // From the first drawing on, and not from its request.
    expect(Math.min(...gapsOf(await times()))).to.be.at.least(59_000);
    expect([...new Set(visitor.asked())]).to.deep.equal([`POST ${QUERY}`]);
  });

  it('goes on without a website that somebody deleted meanwhile', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Short lived' });
    const visitor = await dashboard.newVisitor();
    visitor.allowRefusals();
    const { page } = visitor;
    await page.clock.install();
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await visitor.logIn();
    await cardOf(page, 'Short lived').getByText('No event yet').waitFor();
    const { server } = dashboard;
    expectSuccess(await server.call('DELETE', `/v1/websites/${id}`, { key: server.keys.all }), 204);
    await page.clock.fastForward(65_000);
    await cardOf(page, 'Short lived').waitFor({ state: 'detached' });
    await cardOf(page, 'Blog').getByText('No event yet').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
