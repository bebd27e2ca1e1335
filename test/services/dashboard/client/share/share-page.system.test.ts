/** The page of a share in a real browser, for people who have nothing but its link: unlocked, ranged, revoked while open, and embedded. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { type ForeignPage, startForeignPage } from '../../../../support/foreign-page.ts';
import { HOSTILE_TEXTS } from '../../../../support/hostile-texts.ts';
import { makeShare } from '../../../../support/made-share.ts';
import { layoutFaults } from '../../../../support/page-layout.ts';

const PASSWORD = 'correct horse';
const DAY_MS = 86_400_000;
const DATASETS = [
  ...['summary_metrics', 'summary', 'top_pages', 'entry_pages', 'countries', 'device_types'],
  ...['custom_events', 'web_vitals', 'session_channels', 'traffic_sources'],
];
const QUERY = 'POST /public/v1/shares/{token}/query';

describe('the page of a share', () => {
  const dashboard = useDashboard();
  let friend: ForeignPage;
  let stranger: ForeignPage;

  before(async () => {
    friend = await startForeignPage();
    stranger = await startForeignPage();
    const { server } = dashboard;
    const paths = ['/', '/', '/blog', ...HOSTILE_TEXTS.map((text) => [...text].slice(0, 300).join(''))];
    const events = paths.flatMap((path, i) => {
      const at = Date.now() - (i % 4) * DAY_MS;
      const visitor = { websiteId: 'web_shop', anonymousId: `v${i % 7}`, sessionId: `s${i % 9} ${i % 4}` };
      return [
        { name: 'screen_view', ...visitor, path, timestamp: at },
        {
          name: i % 2 ? 'signup' : [...(HOSTILE_TEXTS[i] ?? 'x')].slice(0, 200).join(''),
          ...visitor,
          path: '/',
          timestamp: at,
        },
      ];
    });
    for (let from = 0; from < events.length; from += 100) {
      const body = events.slice(from, from + 100);
      expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
    }
  });
  after(async () => {
    await friend?.close();
    await stranger?.close();
  });

  const share = (asked: Readonly<Record<string, unknown>> = {}, state?: Readonly<Record<string, unknown>>) =>
    makeShare(dashboard.server, { datasets: DATASETS, ...asked }, state);
  const addressOf = (token: string, query = '') => `${dashboard.origin}/share/${token}${query}`;
  async function open(token: string, query = '', locale = 'en-US'): Promise<Visitor> {
    const visitor = await dashboard.newVisitor({ locale });
    await visitor.page.goto(addressOf(token, query));
    return visitor;
  }
  const asked = ({ requests }: Visitor, token: string) =>
    requests.filter((each) => each.includes('/public/')).map((each) => each.replace(token, '{token}'));
  /** In the first hour of a day its line is a point, whose area has no width. */
  const drawn = (page: Page) => page.locator('.chart path.area').waitFor({ state: 'attached' });

  /** What the page says of these datasets, and what POST /v1/query does. */
  async function expectSame(page: Page, fields: object): Promise<void> {
    const { server } = dashboard;
    const body = { parameters: ['summary_metrics', 'top_pages', 'summary'], limit: 10, ...fields };
    const answer = await server.call('POST', '/v1/query?website_id=web_shop', { key: server.keys.all, body });
    expectSuccess(answer);
    const [totals, pages] = answer.body.data.map(({ data }: { data: object[] }) => data);
    const number = new Intl.NumberFormat('en');
    const counts = ['visitors', 'sessions', 'pageviews'].map((name) => number.format(totals[0][name]));
    const tiles = () => page.locator('.tile strong').allInnerTexts();
    await eventually(async () => (await tiles()).slice(0, 3)).equals(counts);
    const rows = () =>
      page.evaluate<string[][]>(
        "[...document.querySelectorAll('.panel-pages tbody tr')].map((row) => [...row.querySelectorAll('bdi, td')].map((each) => each.textContent))",
      );
    await eventually(async () => (await rows()).map((row) => row.slice(0, 3))).equals(
      pages.map((row: { name: string; pageviews: number; visitors: number }) => [
        row.name,
        number.format(row.pageviews),
        number.format(row.visitors),
      ]),
    );
  }

  it('asks for the password, and shows in one call what POST /v1/query says, without cookie or referrer', async () => {
    const { token } = await share({ name: 'For the agency', password: PASSWORD });
    const visitor = await open(token);
    const { page, context } = visitor;
    await context.addCookies([{ name: 'tg_access', value: 'nonsense', url: dashboard.origin }]);
    const told: Record<string, string>[] = [];
    page.on('request', (request) => void request.allHeaders().then((headers) => told.push(headers)));
    await page.getByLabel('Password').fill('wrong horse');
    visitor.allowRefusals();
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    await page.getByText('This is not the password.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    visitor.requests.length = 0;
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'For the agency' }).waitFor();
    await drawn(page);
    expect(asked(visitor, token)).to.deep.equal(['POST /public/v1/shares/{token}/unlock', QUERY]);
    await expectSame(page, { preset: 'last_7d' });
    expect(await page.title()).to.equal('For the agency');

    // A reload asks for no password, another tab does.
    visitor.requests.length = 0;
    await page.reload();
    await drawn(page);
    expect(asked(visitor, token)).to.deep.equal([QUERY]);
    const sent = told.filter((headers) => headers['sec-fetch-dest'] !== 'document');
    expect(
      sent.filter(({ cookie, referer }) => cookie !== undefined || (referer ?? '') !== ''),
    ).to.deep.equal([]);
    expect(await context.cookies().then((all) => all.map(({ name }) => name))).to.deep.equal(['tg_access']);
    const tab = await context.newPage();
    await tab.goto(addressOf(token));
    await tab.getByLabel('Password').waitFor();
  });

  it('shows a part of the range by its address, opens lists and more rows one by one, and prints', async () => {
    const { token } = await share();
    const visitor = await open(token, '?range=today');
    const { page } = visitor;
    await drawn(page);
    await expectSame(page, { preset: 'today' });
    await page.getByLabel('Range').selectOption('whole');
    await expectSame(page, { preset: 'last_7d' });
    expect(new URL(page.url()).search).to.equal('');
    const options = await page.getByLabel('Range').locator('option').allInnerTexts();
    expect(options).to.include.members(['Whole range', 'Today', 'Yesterday', 'Other dates']);
    expect(options).to.not.include.members(['Last 14 days']);
    // What lies beyond it is the whole range, whatever an address says.
    await page.goto(addressOf(token, '?range=last_90d'));
    await expectSame(page, { preset: 'last_7d' });

    await visitor.settled();
    visitor.requests.length = 0;
    await page.getByRole('tab', { name: 'Entry pages' }).click();
    await page.locator('.panel-pages').getByRole('columnheader', { name: 'Sessions' }).waitFor();
    await page.locator('.panel-pages').getByRole('button', { name: 'Show more' }).click();
    await page.locator('.panel-pages tbody tr').nth(15).waitFor();
    expect(asked(visitor, token)).to.deep.equal([QUERY, QUERY]);
    expect(new URL(page.url()).searchParams.get('pages')).to.equal('entry_pages');
    // Sources are those of sessions, and those of pageviews are called so.
    const sources = page.locator('.panel-sources');
    await sources.getByRole('heading', { name: 'Sources', exact: true }).waitFor();
    await sources.getByRole('columnheader', { name: 'Sessions' }).waitFor();
    expect(await sources.getByRole('row', { name: /^Direct/ }).count()).to.equal(1);
    await page.getByRole('heading', { name: 'Sources of pageviews' }).waitFor();
    // What the page has no drawing for stands there as a table.
    await page.getByRole('heading', { name: 'web_vitals' }).waitFor();
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('heading', { name: 'Sessions over time' }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await eventually(() => page.locator('.numbers tbody tr').count()).equals(7);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByLabel('Range').isVisible()).to.equal(false);
    expect(await page.locator('.tile').first().isVisible()).to.equal(true);
  });

  it('says so when it is revoked while open, and as the first thing to whoever opens it then', async () => {
    const { id, token } = await share();
    const visitor = await open(token);
    const { page } = visitor;
    await drawn(page);
    const { server } = dashboard;
    expectSuccess(await server.call('DELETE', `/v1/shares/${id}`, { key: server.keys.all }), 204);
    visitor.allowRefusals();
    await page.getByLabel('Range').selectOption('today');
    await page.getByRole('heading', { name: 'There is no such share' }).waitFor();
    expect(await page.locator('.tile, table').count()).to.equal(0);
    visitor.requests.length = 0;
    const answer = await page.reload();
    expect(answer?.status()).to.equal(404);
    await page.getByRole('heading', { name: 'There is no such share' }).waitFor();
    await visitor.expectAccessible('none');
    expect(asked(visitor, token)).to.deep.equal([]);
  });

  it('keeps its numbers when a limit is used up, and says when it asks again', async () => {
    const { token } = await share();
    const visitor = await open(token);
    const { page } = visitor;
    await drawn(page);
    visitor.allowRefusals();
    await page.route('**/public/**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '8', 'x-ratelimit-limit': '100' },
        json: { success: false, code: 'RATE_LIMIT_EXCEEDED', error: 'x', message: 'x', requestId: 'r' },
      }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The rate limit of 100 requests is used up').waitFor();
    await page.getByText(/^Trying again/).waitFor();
    expect(await page.locator('.tile strong').first().innerText()).to.match(/^\d/);
  });

  it('works in a page of an origin that it names, in the colours that this page asks for, and in no other', async () => {
    const { token } = await share({ password: PASSWORD, origins: [friend.origin] });
    const address = addressOf(token, '?theme=dark');
    const context = await dashboard.browser.newContext({ locale: 'de-DE', colorScheme: 'light' });
    try {
      const complaints: string[] = [];
      context.on('console', (message) => complaints.push(message.text()));
      const page = await context.newPage();
      await page.goto(friend.framing(address));
      const frame = page.frameLocator('iframe');
      await frame.getByLabel('Passwort').fill(PASSWORD);
      await frame.getByRole('button', { name: 'Zahlen zeigen' }).click();
      await frame.locator('.chart path.area').waitFor();
      expect(await frame.locator('html').getAttribute('lang')).to.equal('de');
      expect(await frame.locator('html').getAttribute('data-appearance')).to.equal('dark');
      expect(complaints).to.deep.equal([]);

      await page.goto(stranger.framing(address));
      await eventually(() => complaints.join('\n')).satisfies((text) =>
        expect(text).to.match(/frame-ancestors/),
      );
      expect(await frame.locator('form, .tile').count()).to.equal(0);
    } finally {
      await context.close();
    }
  });

  it('has no fault that axe finds, and nothing cut, in every size and colour, locked, open and in German', async () => {
    const locked = await share({ password: PASSWORD });
    const opened = await share({ name: `${HOSTILE_TEXTS[2]}`.slice(0, 100) });
    for (const [name, token, shows, locale] of [
      ['locked', locked.token, 'form', 'en-US'],
      ['open', opened.token, '.chart path.area', 'de-DE'],
    ] as const) {
      const visitor = await open(token, '', locale);
      const { page } = visitor;
      await page.locator(shows).waitFor();
      await visitor.settled();
      for (const width of [1280, 768, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await visitor.expectNoWider(`${name}, ${width} px`);
        expect(await layoutFaults(page), `${name}, ${width} px`).to.deep.equal([]);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await visitor.expectAccessible(`${name}, ${width} px, ${colorScheme}`);
        }
      }
      // What visitors and owners typed does nothing.
      const harm =
        "globalThis.pwned !== undefined || document.querySelector('.pwn, #app script, #app img, #app iframe') !== null";
      expect(await page.evaluate(harm)).to.equal(false);
    }
  });
});
