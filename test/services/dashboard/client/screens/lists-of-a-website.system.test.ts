/** Pages and sources of a website in a real browser: every number is what the API answers, and every row leads on. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { importSample } from '../../../../support/import-sample.ts';
import { enterByKeyboard } from '../../../../support/keyboard.ts';
import {
  ask,
  expectList,
  expectTiles,
  go,
  PAST,
  type Row,
  type ShownColumn,
} from '../../../../support/website-lists.ts';

const SHOP = '/dashboard/websites/web_shop';
const DATES = PAST.address;
const PAGE = { limit: 50 };

/** Lists of sessions by what they came by. */
const ATTRIBUTED: readonly ShownColumn[] = [
  ['sessions', 'count'],
  ['visitors', 'count'],
  ['bounce_rate', 'percent'],
  ['median_session_duration', 'duration'],
];
const DETAILS: readonly ShownColumn[] = [
  ({ path, title }) => `${path}${title ?? ''}`,
  ['pageviews', 'count'],
  ['visitors', 'count'],
  ['bounce_rate', 'percent'],
  ['exit_rate', 'percent'],
  ['median_time_on_page', 'duration'],
  ['avg_scroll_depth', 'percent'],
  ['first_seen', 'instant'],
  ['last_seen', 'instant'],
];
const NAME: ShownColumn = ['name', 'text'];
const SHARE: ShownColumn = ['percentage', 'percent'];

describe('the lists of a website', () => {
  const dashboard = useDashboard();
  let goalId = '';

  before(async () => {
    const { server } = dashboard;
    const key = server.keys.all;
    await importSample(server, {
      ...{ id: 'web_shop', domain: 'shop.example.com', events: 4_000, days: 40, seed: 11 },
    });
    const by = { websiteId: 'web_shop', anonymousId: 'eve', sessionId: 'e1', timestamp: PAST.noon };
    const events = [
      { ...by, name: 'screen_view', path: '/checkout' },
      { ...by, name: 'order placed', path: '/checkout', properties: { total: 12.5 } },
      { ...by, name: 'order placed', path: '/checkout', properties: { total: 12.5 } },
    ];
    for (const body of events) expectSuccess(await server.call('POST', '/track', { key, body }));
    const goal = {
      ...{ websiteId: 'web_shop', name: 'Order', type: 'event', revenueProperty: 'total', currency: 'EUR' },
      match: { op: 'eq', value: 'order placed' },
    };
    const made = await server.call('POST', '/v1/goals', { key, body: goal });
    expectSuccess(made, 201);
    goalId = made.body.data.id;
  });

  const query = (parameter: string | object, more: object = {}): Promise<readonly Row[]> =>
    ask(dashboard, parameter, { ...PAST.request, ...PAGE, ...more });
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const chips = (page: Page) => page.locator('.chip .drill').allTextContents();

  it('show pages with the numbers that the API answers, compared, searched, sorted and page by page', async () => {
    const visitor = await dashboard.enter(`${SHOP}/pages?${DATES}`);
    const { page } = visitor;
    const [totals] = await query('summary_metrics');
    const [engagement] = await query('engagement');
    await expectTiles(page, [
      [totals?.pageviews, 'count'],
      [totals?.visitors, 'count'],
      [totals?.bounce_rate, 'percent'],
      [engagement?.median_time_on_page, 'duration'],
      [engagement?.avg_scroll_depth, 'percent'],
    ]);
    await expectList(page, 'All pages', await query('page_details'), DETAILS);
    const asked = await visitor.asks(() => page.getByRole('button', { name: 'Next', exact: true }).click());
    expect(asked).to.deep.equal(['POST /v1/query']);
    await expectList(page, 'All pages', await query('page_details', { page: 2 }), DETAILS);
    await page.getByRole('button', { name: 'Sort by Exit rate' }).click();
    await eventually(() => [parameter(page, 'sort'), parameter(page, 'page')]).equals(['-exit_rate', null]);
    const worst = { sortBy: 'exit_rate', sortOrder: 'desc' };
    await expectList(page, 'All pages', await query('page_details', worst), DETAILS);
    await page.getByRole('searchbox').fill('ARTICLE-1');
    await eventually(() => parameter(page, 'search')).equals('ARTICLE-1');
    // Bounces and exits are those of whole sessions still.
    const searched = { ...worst, search: 'article-1' };
    await expectList(page, 'All pages', await query('page_details', searched), DETAILS);
    await page.reload();
    await expectList(page, 'All pages', await query('page_details', searched), DETAILS);
    await page.getByRole('searchbox').fill('nothing is called so');
    await page.getByText('This search finds nothing.').waitFor();

    await tab(page, 'Entry pages').click();
    await expectList(page, 'Entry pages', await query('session_entry_pages'), [NAME, ...ATTRIBUTED, SHARE]);
    await tab(page, 'Exit pages').click();
    const exits: ShownColumn[] = [NAME, ['pageviews', 'count'], ['visitors', 'count'], SHARE];
    await expectList(page, 'Exit pages', await query('exit_pages'), exits);
    await tab(page, 'Time').click();
    await expectList(page, 'Time', await query('page_time_analysis'), [
      NAME,
      ['sessions_with_time', 'count'],
      ['visitors', 'count'],
      ['median_time_on_page', 'duration'],
      ['percentage_of_sessions', 'percent'],
    ]);
    await page.getByLabel('Compare with').selectOption('previous');
    await tab(page, 'Exit pages').click();
    const compared = await query('exit_pages', { compare: 'previous' });
    await expectList(page, 'Exit pages', compared, exits, ['pageviews', 'count']);
    // A click keeps the sessions of the row, whole.
    const [{ name: path = '' } = {}] = compared;
    await page
      .getByRole('button', { name: String(path), exact: true })
      .first()
      .click();
    await eventually(() => chips(page)).equals([`Exit page is ${path}`]);
    const filters = [{ field: 'exit_path', op: 'eq', value: path }];
    const kept = await query('exit_pages', { compare: 'previous', filters });
    expect(kept.map(({ name }) => name)).to.deep.equal([path]);
    await expectList(page, 'Exit pages', kept, exits, ['pageviews', 'count']);
  });

  it('show where sessions came from, and what they reached of a goal, whose name is asked for when somebody chooses', async () => {
    const visitor = await dashboard.enter(`${SHOP}/sources?${DATES}`);
    const { page } = visitor;
    const [totals] = await query('summary_metrics');
    const sessions = [
      [totals?.sessions, 'count'],
      [totals?.visitors, 'count'],
      [totals?.bounce_rate, 'percent'],
      [totals?.median_session_duration, 'duration'],
    ] as const;
    await expectTiles(page, sessions);
    const channels: Readonly<Record<string, string>> = {
      ...{ direct: 'Direct', search: 'Search', social: 'Social networks', referral: 'Other websites' },
      ...{ email: 'Email', campaign: 'Campaigns', paid_search: 'Paid search', ai: 'AI assistants' },
      ...{
        paid_social: 'Paid social',
        display: 'Display ads',
        affiliate: 'Affiliates',
        paid_other: 'Other paid',
      },
    };
    const channel: ShownColumn = ({ name }) => channels[String(name)] ?? '';
    await expectList(page, 'Channels', await query('session_channels'), [channel, ...ATTRIBUTED, SHARE]);
    for (const [name, dataset] of [
      ['Sources', 'session_sources'],
      ['Referring hosts', 'session_referrers'],
      ['Entry pages', 'session_entry_pages'],
    ] as const) {
      await tab(page, name).click();
      await expectList(page, name, await query(dataset), [NAME, ...ATTRIBUTED, SHARE]);
    }
    await tab(page, 'Campaigns').click();
    await page.getByLabel('Part of the campaign').selectOption('medium');
    const mediums = await query('session_utm_mediums');
    await expectList(page, 'utm_medium', mediums, [NAME, ...ATTRIBUTED, SHARE]);

    const opened = await visitor.asks(() => page.getByRole('button', { name: 'Goal: none' }).click());
    expect(opened).to.deep.equal(['GET /v1/goals']);
    const choice = page.getByRole('dialog').getByLabel('Goal', { exact: true });
    const show = page.getByRole('dialog').getByRole('button', { name: 'Show' });
    await choice.selectOption({ label: 'Goal: Order' });
    const chosen = await visitor.asks(() => show.click());
    expect(chosen).to.deep.equal(['POST /v1/query']);
    expect(parameter(page, 'goalId')).to.equal(goalId);
    const [goal] = await query({ name: 'goals', goalId });
    await expectTiles(page, [
      ...sessions,
      [goal?.conversions, 'count'],
      [goal?.conversion_rate, 'percent'],
      [goal?.revenue, 'euros'],
    ]);
    expect(goal).to.include({ conversions: 2, revenue: 25 });
    await page.getByRole('button', { name: 'Goal: Order' }).waitFor();
    await tab(page, 'Channels').click();
    await expectList(page, 'Channels', await query({ name: 'session_channels', goalId }), [
      channel,
      ...ATTRIBUTED,
      ['conversions', 'count'],
      ['revenue', 'euros'],
      SHARE,
    ]);
    await page.getByRole('columnheader', { name: 'Revenue' }).waitFor();
    await page.getByRole('button', { name: 'Direct', exact: true }).click();
    await eventually(() => chips(page)).equals(['Channel is Direct']);
    await page.getByRole('button', { name: 'Goal: Order' }).click();
    await choice.selectOption({ label: 'none' });
    await show.click();
    await eventually(() => parameter(page, 'goalId')).equals(null);
    await page.locator('.tile').nth(4).waitFor({ state: 'detached' });
  });

  it('keep the range and the filters on the way from one to another, and tell which list failed', async () => {
    const filter = encodeURIComponent('[["path","eq","/checkout"]]');
    const visitor = await dashboard.enter(`${SHOP}/pages?${DATES}&filters=${filter}`);
    const { page } = visitor;
    const filters = [{ field: 'path', op: 'eq', value: '/checkout', of: 'session' }];
    await expectList(page, 'All pages', await query('page_details', { filters }), DETAILS);
    await page.route('**/v1/query?*', async (route) => {
      const headers = { ...route.request().headers(), accept: 'application/json' };
      const answer = await route.fetch({ headers });
      const body = await answer.json();
      for (const one of body.results[1].data)
        Object.assign(one, { success: false, error: 'It took too long.', data: [] });
      await route.fulfill({ response: answer, json: body });
    });
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByText('It took too long.').waitFor();
    const [totals] = await query('summary_metrics', { filters });
    await eventually(() => page.locator('.tile strong').first().textContent()).equals(`${totals?.sessions}`);
    expect([parameter(page, 'from'), parameter(page, 'filters')]).to.deep.equal([
      PAST.first,
      '[["path","eq","/checkout"]]',
    ]);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectList(page, 'Channels', await query('session_channels', { filters }), [
      () => 'Direct',
      ...ATTRIBUTED,
      SHARE,
    ]);
  });

  it('say in every place that the numbers did not come, and that there is nothing in a range', async () => {
    const visitor = await dashboard.enter(`${SHOP}/pages?from=2020-01-01&to=2020-01-31`);
    const { page } = visitor;
    await page.getByText('Nothing in this range.').waitFor();
    await expectTiles(page, [
      [0, 'count'],
      [0, 'count'],
      [null, 'percent'],
      [null, 'duration'],
      [null, 'percent'],
    ]);
    await page.route('**/v1/query?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { success: false, code: 'RATE_LIMIT_EXCEEDED', error: 'Too many requests.' },
      }),
    );
    visitor.allowRefusals();
    for (const screen of ['sources', 'events']) {
      await go(visitor, `${SHOP}/${screen}?${DATES}`);
      await page.locator('.notice.warn').waitFor();
      await eventually(() => page.locator('.tile strong').allTextContents()).satisfies((tiles) =>
        expect(new Set(tiles)).to.deep.equal(new Set(['–no number'])),
      );
      expect(await page.getByText('The numbers did not come.').count()).to.equal(screen === 'events' ? 2 : 1);
      expect(await page.locator('.placeholder').count()).to.equal(0);
    }
  });

  it('are read, sorted, searched and filtered by keyboard alone', async () => {
    const {
      page,
      keys,
    }: { page: Page; keys: Awaited<ReturnType<typeof enterByKeyboard>>['keys']; visitor: Visitor } =
      await enterByKeyboard(dashboard, `${SHOP}/pages?${DATES}`);
    await keys.to(tab(page, 'All pages'));
    await keys.press('ArrowRight');
    await keys.expectFocus(tab(page, 'Entry pages'));
    await eventually(() => parameter(page, 'tab')).equals('entry');
    await expectList(page, 'Entry pages', await query('session_entry_pages'), [NAME, ...ATTRIBUTED, SHARE]);
    const sort = page.getByRole('button', { name: 'Sort by Bounce rate' });
    await keys.enter(sort);
    await eventually(() => parameter(page, 'sort')).equals('-bounce_rate');
    const rows = await query('session_entry_pages', { sortBy: 'bounce_rate', sortOrder: 'desc' });
    await expectList(page, 'Entry pages', rows, [NAME, ...ATTRIBUTED, SHARE]);
    await keys.expectFocus(sort);
    const name = String(rows[0]?.name);
    await keys.enter(page.getByRole('button', { name, exact: true }));
    await eventually(() => chips(page)).equals([`Entry page is ${name}`]);
  });
});
