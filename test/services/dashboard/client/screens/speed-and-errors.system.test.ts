/** Speed and errors of a website in a real browser: every number is what the API answers, and every row leads on. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { importSample } from '../../../../support/import-sample.ts';
import { enterByKeyboard } from '../../../../support/keyboard.ts';
import { SHOWN_NUMBER } from '../../../../support/shown-values.ts';
import {
  ask,
  cellsOf,
  expectList,
  expectSeries,
  expectTiles,
  go,
  PAST,
  type Row,
  type ShownColumn,
} from '../../../../support/website-lists.ts';

const SHOP = '/dashboard/websites/web_shop';
const DATES = PAST.address;

/** Of the vital that has a value on one day alone, so that its line has gaps. */
const RARE = 'FCP';
const STACK = 'TypeError: basket is undefined\n    at add (https://shop.example.com/app.js:10:7)';
const MESSAGE = 'basket is undefined';
const NAME: ShownColumn = ['name', 'text'];
const MESSAGES: readonly ShownColumn[] = [
  NAME,
  ['count', 'count'],
  ['users', 'count'],
  ['first_seen', 'instant'],
  ['last_seen', 'instant'],
];
const DEVICES: Readonly<Record<string, string>> = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' };
const countries = new Intl.DisplayNames('en', { type: 'region' });

describe('speed and errors of a website', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    const key = server.keys.all;
    await importSample(server, {
      ...{ id: 'web_shop', domain: 'shop.example.com', events: 6_000, days: 40, seed: 23 },
    });
    const by = {
      websiteId: 'web_shop',
      anonymousId: 'eve',
      sessionId: 'e1',
      timestamp: PAST.noon,
      path: '/basket',
    };
    const failed = { ...by, name: 'error', errorType: 'TypeError', filename: 'app.js', lineno: 10, colno: 7 };
    const events = [
      { ...by, name: 'web_vitals', metricName: RARE, metricValue: 3_000.5 },
      { ...failed, message: MESSAGE, stack: STACK },
      { ...failed, message: MESSAGE, timestamp: PAST.noon + 1_000, stack: 'pwn' },
      { ...failed, message: `${'long '.repeat(300)}one` },
      { ...by, name: 'error' },
    ];
    for (const body of events) expectSuccess(await server.call('POST', '/track', { key, body }));
  });

  const query = (parameter: string | object, more: object = {}): Promise<readonly Row[]> =>
    ask(dashboard, parameter, { ...PAST.request, limit: 50, ...more });
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const card = (page: Page, name: string) => page.locator('.vitals .tile', { hasText: name });
  const of = (vital: string) => ({ filters: [{ field: 'metric_name', op: 'eq', value: vital }] });
  const rated = (kind: 'milliseconds' | 'decimal', good: number, fair: number): ShownColumn => {
    return ({ p75 }) => {
      const value = Number(p75);
      const rating = value <= good ? 'good' : value <= fair ? 'needs improvement' : 'poor';
      return `${SHOWN_NUMBER[kind](value)} ${rating}`;
    };
  };

  it('shows each vital with its rating and its shares, one over time, and by what it depends on', async () => {
    const visitor = await dashboard.enter(`${SHOP}/speed?${DATES}`);
    const { page } = visitor;
    const vitals = await query('web_vitals');
    const kinds = { LCP: 'milliseconds', INP: 'milliseconds', CLS: 'decimal', FCP: 'milliseconds' } as const;
    for (const [name, kind] of Object.entries(kinds)) {
      const row = vitals.find(({ metric_name }) => metric_name === name) ?? {};
      const percent = (share: unknown) => SHOWN_NUMBER.percent(Number(share));
      await card(page, name)
        .locator('strong', { hasText: SHOWN_NUMBER[kind](Number(row.p75)) })
        .waitFor();
      const said = await card(page, name).locator('.small').allTextContents();
      expect(said, name).to.include.members([
        `${percent(row.good)} good, ${percent(row.fair)} needs improvement, ${percent(row.poor)} poor`,
        Number(row.samples) === 1 ? '1 value' : `${SHOWN_NUMBER.count(Number(row.samples))} values`,
      ]);
    }
    await card(page, RARE).locator('.badge.bad', { hasText: 'poor' }).waitFor();
    await card(page, 'TTFB').getByText('not measured').waitFor();
    const samples: ShownColumn = ['samples', 'count'];
    const paths = await query('web_vitals_by_page', of('LCP'));
    await expectList(page, 'LCP by page', paths, [NAME, samples, rated('milliseconds', 2_500, 4_000)]);

    const asked = await visitor.asks(() => card(page, 'CLS').getByRole('button', { name: /^CLS/ }).click());
    expect(asked).to.deep.equal(['POST /v1/query']);
    expect(parameter(page, 'vital')).to.equal('CLS');
    const shares: ShownColumn[] = [
      ['good', 'percent'],
      ['fair', 'percent'],
      ['poor', 'percent'],
    ];
    await tab(page, 'Devices').click();
    const devices = await query('web_vitals', { ...of('CLS'), groupBy: ['device_type'] });
    await expectList(page, 'CLS by device', devices, [
      ({ device_type }) => DEVICES[String(device_type)] ?? 'Unknown',
      ...[samples, rated('decimal', 0.1, 0.25), ...shares],
    ]);
    await tab(page, 'Countries').click();
    await page.getByLabel('Compare with').selectOption('previous');
    const places = await query('web_vitals', { ...of('CLS'), groupBy: ['country'], compare: 'previous' });
    await expectList(
      page,
      'CLS by country',
      places,
      [
        ({ country }) =>
          String(country).length === 2 ? (countries.of(String(country)) ?? '') : String(country),
        ...[samples, rated('decimal', 0.1, 0.25), ...shares],
      ],
      ['samples', 'count'],
    );
    await page.getByLabel('Compare with').selectOption('none');
    await tab(page, 'Load times').click();
    await expectList(page, 'Load times', await query('performance', { sortBy: 'pageviews' }), [
      NAME,
      ['pageviews', 'count'],
      ['visitors', 'count'],
      ['p50_load_time', 'milliseconds'],
      ['p95_load_time', 'milliseconds'],
      ['p99_load_time', 'milliseconds'],
      ['avg_load_time', 'milliseconds'],
      ['avg_ttfb', 'milliseconds'],
    ]);
  });

  it('draws a vital where it was measured, and no line where it was not', async () => {
    const visitor = await dashboard.enter(`${SHOP}/speed?${DATES}&vital=${RARE}`);
    const { page } = visitor;
    await page.locator('.chart .point').waitFor();
    // One day of many has a value: a point without a line.
    expect(await page.locator('.chart .line').count()).to.equal(0);
    const slider = page.getByRole('slider');
    await slider.focus();
    await eventually(() => slider.getAttribute('aria-valuetext')).satisfies((text) =>
      expect(text).to.match(/3,001 ms$/),
    );
    await page.getByRole('button', { name: 'Show as table', exact: true }).click();
    await expectSeries(
      page,
      `${RARE} at the 75th percentile, in milliseconds over time`,
      await query('vitals_over_time', of(RARE)),
      [
        ['p75', 'milliseconds', 'samples'],
        ['samples', 'count'],
        ['good', 'percent', 'samples'],
        ['fair', 'percent', 'samples'],
        ['poor', 'percent', 'samples'],
      ],
    );
    await go(visitor, `${SHOP}/speed?${DATES}&vital=TTFB&view=table`);
    await page.locator('.chart').getByText('Nothing in this range.').waitFor();
  });

  it('groups errors by message, and shows each time, the pages and the sessions of one', async () => {
    const visitor = await dashboard.enter(`${SHOP}/errors?${DATES}`);
    const { page } = visitor;
    const [totals] = await query('error_summary');
    await expectTiles(page, [
      [totals?.total_errors, 'count'],
      [totals?.affected_users, 'count'],
      [totals?.affected_sessions, 'count'],
      [totals?.unique_errors, 'count'],
    ]);
    await expectList(page, 'Errors by message', await query('error_types'), MESSAGES);
    await page.getByRole('searchbox').fill('BASKET');
    await expectList(page, 'Errors by message', await query('error_types', { search: 'basket' }), MESSAGES);
    const opening = await visitor.asks(() => page.getByRole('link', { name: MESSAGE }).click());
    expect(opening).to.deep.equal(['POST /v1/query']);
    await page.getByRole('heading', { name: MESSAGE, exact: true }).waitFor();
    const own = { filters: [{ field: 'message', op: 'eq', value: MESSAGE }] };
    const [summary] = await query('error_summary', own);
    expect(summary).to.include({ total_errors: 2, affected_users: 1 });
    await expectTiles(page, [
      [summary?.total_errors, 'count'],
      [summary?.affected_users, 'count'],
      [summary?.affected_sessions, 'count'],
    ]);
    await expectList(page, 'Each time', await query('errors', own), [
      ['timestamp', 'instant'],
      ['path', 'text'],
      ['browser_name', 'text'],
      ['os_name', 'text'],
      ['anonymous_id', 'text'],
      ({ error_type, filename, lineno, colno, stack }) =>
        `${error_type} ${filename}:${lineno}:${colno}Stack${stack}`,
    ]);
    await page.locator('details', { hasText: 'at add' }).locator('summary').click();
    await page.locator('details[open] pre', { hasText: 'at add' }).waitFor();
    await expectList(page, 'Pages with it', await query('errors_by_page', own), [
      NAME,
      ['errors', 'count'],
      ['users', 'count'],
    ]);
    await page.getByRole('button', { name: 'Show as table', exact: true }).click();
    await expectSeries(page, 'Errors over time', await query('errors_over_time', own), [
      ['errors', 'count'],
      ['users', 'count'],
      ['sessions', 'count'],
    ]);
    const sessions = await page.getByRole('link', { name: 'Sessions with it' }).getAttribute('href');
    const { pathname, searchParams } = new URL(sessions ?? '', dashboard.origin);
    expect([pathname, searchParams.get('from'), searchParams.get('filters')]).to.deep.equal([
      `${SHOP}/sessions`,
      PAST.first,
      JSON.stringify([['message', 'eq', MESSAGE]]),
    ]);
  });

  it('opens a message that is long, and errors without one', async () => {
    const visitor = await dashboard.enter(`${SHOP}/errors?${DATES}&search=long`);
    const { page } = visitor;
    await page.getByRole('link', { name: /^long long/ }).click();
    await expectTiles(page, [
      [1, 'count'],
      [1, 'count'],
      [1, 'count'],
    ]);
    expect(parameter(page, 'message')).to.have.length(1_000);
    await page.reload();
    await expectTiles(page, [
      [1, 'count'],
      [1, 'count'],
      [1, 'count'],
    ]);
    await go(visitor, `${SHOP}/errors?${DATES}&search=unknown`);
    await page.getByRole('link', { name: 'Unknown', exact: true }).click();
    await eventually(async () => (await cellsOf(page, 'Each time')).map(([, path]) => path)).equals([
      '/basket',
    ]);
  });

  it('says what did not come, and that there is nothing', async () => {
    const visitor = await dashboard.enter('/dashboard/websites/web_blog/errors');
    const { page } = visitor;
    await page.getByText('Nothing in this range.').waitFor();
    await go(visitor, '/dashboard/websites/web_blog/speed');
    await eventually(() => page.locator('.vitals').getByText('not measured').count()).equals(5);
    await page.route('**/v1/query?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { success: false, code: 'RATE_LIMIT_EXCEEDED', error: 'Too many requests.' },
      }),
    );
    visitor.allowRefusals();
    await go(visitor, `${SHOP}/speed?${DATES}`);
    await page.locator('.notice.warn').waitFor();
    await eventually(() => page.getByText('The numbers did not come.').count()).equals(2);
    await eventually(() => page.locator('.vitals strong').allTextContents()).equals(
      Array(5).fill('–no number'),
    );
    await page.unrouteAll();
    await page.route('**/v1/query?*', async (route) => {
      const answer = await route.fetch({
        headers: { ...route.request().headers(), accept: 'application/json' },
      });
      const body = await answer.json();
      Object.assign(body.results[1].data[0], { success: false, error: 'It took too long.', data: [] });
      await route.fulfill({ response: answer, json: body });
    });
    await go(visitor, `${SHOP}/errors?${DATES}`);
    await page.getByText('It took too long.').waitFor();
    await expectList(page, 'Errors by message', await query('error_types'), MESSAGES);
  });

  it('are chosen and opened by keyboard alone', async () => {
    const { page, keys } = await enterByKeyboard(dashboard, `${SHOP}/speed?${DATES}`);
    const inp = card(page, 'INP').getByRole('button', { name: /^INP/ });
    await keys.enter(inp);
    await eventually(() => parameter(page, 'vital')).equals('INP');
    await keys.expectFocus(inp);
    await page.getByRole('heading', { name: 'INP by page' }).waitFor();
    await keys.to(tab(page, 'Pages'));
    await keys.press('End');
    await page.getByRole('heading', { name: 'Load times' }).waitFor();
    await keys.expectFocus(tab(page, 'Load times'));
  });
});
