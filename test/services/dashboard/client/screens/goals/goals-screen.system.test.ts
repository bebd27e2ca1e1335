/** Goals in a real browser: made, ordered, changed and deleted where they are read, with numbers that are those of POST /v1/query. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { define, eventIs, pageIs, trackVisits, VISIT_DAYS } from '../../../../../support/tracked-visits.ts';
import { expectTiles } from '../../../../../support/website-lists.ts';

const SHOP = '/dashboard/websites/web_shop';
const RANGE = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;
const GOALS = `${SHOP}/goals?${RANGE}`;

/** A function of an element that runs in the page; a text, as the types of this project know no documents. */
const IS_FOCUSED = new Function('each', 'return each === document.activeElement') as (
  each: unknown,
) => boolean;

describe('the screen of goals', () => {
  const dashboard = useDashboard();

  before(() => trackVisits(dashboard.server));

  async function open(path: string, locale = 'en-US'): Promise<Visitor> {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale });
    await visitor.page.goto(dashboard.origin + path);
    await visitor.settled();
    return visitor;
  }
  async function list(sort: string) {
    const { server } = dashboard;
    const path = `/v1/goals?website_id=web_shop&sort=${sort}`;
    const answer = await server.call('GET', path, { key: server.keys.all });
    expectSuccess(answer);
    return answer.body.data;
  }
  async function ask(question: object) {
    const { server } = dashboard;
    const body = { startDate: VISIT_DAYS.from, endDate: VISIT_DAYS.to, ...question };
    const answer = await server.call('POST', '/v1/query?website_id=web_shop', { key: server.keys.all, body });
    expectSuccess(answer);
    return answer.body.data[0].data;
  }
  /** What the cells of a row say, without what only readers of the screen hear. */
  const cells = async (row: Locator) =>
    (await row.locator('td').allInnerTexts()).map((text) => text.split(/\s*\n|\s+before: /)[0] ?? '');
  const filtersIn = (href: string | null) =>
    JSON.parse(new URL(href ?? '', dashboard.origin).searchParams.get('filters') ?? '');
  const names = (place: Locator) => place.locator('tbody th a').allInnerTexts();

  it('makes goals, shows what the API counts, and puts them in order by keyboard', async () => {
    const visitor = await open(GOALS);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByText('No goal yet.').waitFor();
    await page.getByRole('button', { name: 'New goal' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Paid');
    await dialog.getByLabel('What counts').selectOption('event');
    await dialog.getByLabel('Path or name').fill('purchase');
    await dialog.getByRole('button', { name: 'Condition on a property' }).click();
    await dialog.getByLabel('Property', { exact: true }).fill('total');
    await dialog.getByLabel('How').selectOption('gt');
    await dialog.getByLabel('Value').fill('much');
    await dialog.getByLabel('Property with the revenue').fill('total');
    await dialog.getByLabel('Currency').fill('XYZ');
    visitor.allowRefusals();
    await dialog.getByRole('button', { name: 'Make goal' }).click();
    await dialog.getByText('takes a number').waitFor();
    await dialog.getByText('Allowed: a currency').waitFor();
    await dialog.getByLabel('Value').fill('1');
    await dialog.getByLabel('Currency').fill('eur');
    const asked = await visitor.asks(async () => {
      await dialog.getByRole('button', { name: 'Make goal' }).click();
      await page.getByText('Paid is made.').waitFor();
    });
    expect(asked.sort()).to.deep.equal(['GET /v1/goals', 'POST /v1/goals', 'POST /v1/query']);
    expect((await list('position'))[0]).to.deep.include({
      ...{ name: 'Paid', type: 'event', match: { op: 'eq', value: 'purchase' } },
      conditions: [{ field: 'properties.total', op: 'gt', value: 1 }],
      ...{ revenueProperty: 'total', currency: 'EUR', position: 0 },
    });
    const paid = page.getByRole('row', { name: /^Paid/ });
    // 1 of 4 visitors paid, twice, in two sessions: 20 and 5.
    await eventually(async () => (await cells(paid)).slice(0, 5)).satisfies((shown) =>
      expect(shown).to.deep.equal(['2', '1', '2', '25.0%', '€25.00']),
    );

    await define(dashboard.server, 'goals', { name: 'Signup', ...eventIs('signup') });
    await define(dashboard.server, 'goals', { name: 'Pricing', ...pageIs('/pricing') });
    await page.reload();
    const main = page.locator('main');
    await eventually(() => names(main)).equals(['Paid', 'Signup', 'Pricing']);
    for (const row of await ask({ parameters: ['goals'] })) {
      const shown = await cells(page.getByRole('row', { name: new RegExp(`^${row.name}`) }));
      expect(shown[0], row.name).to.equal(`${row.conversions}`);
      expect(shown[1], row.name).to.equal(`${row.visitors}`);
      expect(shown[3], row.name).to.equal(`${row.conversion_rate.toFixed(1)}%`);
    }

    const up = page.getByRole('button', { name: 'Move up: Pricing' });
    await up.focus();
    for (const [place, order] of [
      ['number 2 of 3', ['Paid', 'Pricing', 'Signup']],
      ['number 1 of 3', ['Pricing', 'Paid', 'Signup']],
    ] as const) {
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText(`Pricing is ${place} now.`).waitFor({ state: 'attached' });
      expect(await names(main)).to.deep.equal(order);
      await eventually(() => up.evaluate(IS_FOCUSED)).equals(true);
    }
    expect((await list('position')).map(({ name }: { name: string }) => name)).to.deep.equal([
      ...['Pricing', 'Paid', 'Signup'],
    ]);
    // The first one moves no further, and keeps the focus.
    expect(await visitor.asks(() => page.keyboard.press('Enter'))).to.deep.equal([]);
    await page.getByRole('button', { name: 'Sort by Conversions' }).click();
    await eventually(() => names(main)).equals(['Pricing', 'Signup', 'Paid']);
    expect(await page.getByRole('button', { name: /^Move/ }).count()).to.equal(0);
  });

  it('shows one goal over time and by a dimension, compares it, and leads to its sessions', async () => {
    const [goal] = (await list('name')).filter(({ name }: { name: string }) => name === 'Paid');
    const visitor = await open(`${GOALS}&compare=previous`);
    const { page } = visitor;
    const asked = await visitor.asks(() => page.getByRole('link', { name: 'Paid', exact: true }).click());
    expect(asked).to.deep.equal(['POST /v1/query']);
    await page.getByRole('heading', { level: 2, name: 'Paid' }).waitFor();
    await page.getByText('Event is purchase, total is above 1').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Shop: Paid' }).waitFor();
    expect(await page.title()).to.equal('Shop: Paid – Tidegate');
    const [own] = await ask({ parameters: [{ name: 'goals', goalId: goal.id }] });
    const tiles = [
      [own.conversions, 'count'],
      [own.visitors, 'count'],
      [own.sessions, 'count'],
      [own.conversion_rate, 'percent'],
      [own.revenue, 'euros'],
    ] as const;
    await expectTiles(page, tiles);
    // Nobody came before: a rate of nobody is none to compare with.
    expect(await page.locator('.tile .change').count()).to.equal(tiles.length - 1);
    await page.getByRole('button', { name: 'Show as table' }).first().click();
    const line = (title: string) =>
      page.getByRole('table', { name: title }).locator('tbody tr td:nth-child(2)').allInnerTexts();
    await eventually(() => line('Conversions over time')).equals(['1', '1', '0', '0']);
    await eventually(() => line('Revenue over time')).equals(['€20.00', '€5.00', '€0.00', '€0.00']);
    await page.getByLabel('Group by').selectOption({ label: 'Language' });
    const group = page.getByRole('row', { name: /^German/ });
    await eventually(() => cells(group)).equals(['1', '2', '50.0%', '€25.00']);
    const [grouped] = await ask({ parameters: [{ name: 'goals', goalId: goal.id }], groupBy: ['language'] });
    expect(grouped).to.include({
      language: 'de',
      visitors: 1,
      conversions: 2,
      conversion_rate: 50,
      revenue: 25,
    });
    expect(filtersIn(await group.getByRole('link').getAttribute('href'))).to.deep.equal([
      ['event', 'eq', 'purchase'],
      ['language', 'eq', 'de'],
    ]);
    await page.getByRole('button', { name: 'Change Paid' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Nothing was changed.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Paid more');
    await dialog.getByLabel('Value').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Paid more is changed.').waitFor();
    await eventually(() => page.locator('.tile strong').first().innerText()).equals('1');

    const link = page.getByRole('link', { name: 'Sessions with it' });
    const target = new URL((await link.getAttribute('href')) ?? '', dashboard.origin);
    expect(target.pathname).to.equal(`${SHOP}/sessions`);
    expect(target.searchParams.get('from')).to.equal(VISIT_DAYS.from);
    expect(filtersIn(target.href)).to.deep.equal([['event', 'eq', 'purchase']]);
    expect(await link.getAttribute('title')).to.include('Without what filters cannot say.');
    await page.getByRole('button', { name: 'Delete Paid more' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await eventually(() => names(page.locator('main'))).equals(['Pricing', 'Signup']);
    expect(await list('position')).to.have.length(2);

    // Its address shows that it is gone, and the way back.
    visitor.allowRefusals();
    await page.goto(`${dashboard.origin}${GOALS}&goal=${goal.id}`);
    await page.getByText('There is nothing at this address.').waitFor();
    await page.getByRole('link', { name: 'All goals' }).click();
    await page.getByRole('link', { name: 'Pricing', exact: true }).waitFor();
  });

  it('shows no rate, mean or duration of nobody, here and among the pages', async () => {
    const long = 'from=2001-01-01&to=2001-01-31';
    const { page } = await open(`${GOALS}?${long}`);
    const row = page.getByRole('row', { name: /^Pricing/ });
    const isNone = (text: string | null | undefined) => expect(text).to.match(/^–/);
    await eventually(async () => (await cells(row))[3]).satisfies(isNone);
    expect((await cells(row))[0]).to.equal('0');
    await row.getByRole('link', { name: 'Pricing' }).click();
    const tile = (name: string) =>
      page.locator('.tile', { has: page.getByText(name, { exact: true }) }).locator('strong');
    await eventually(() => tile('Conversion rate').textContent()).satisfies(isNone);
    expect(await tile('Conversions').textContent()).to.equal('0');
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/pages?${long}`);
    for (const name of ['Bounce rate', 'Time on page', 'Scroll depth']) {
      await eventually(() => tile(name).textContent(), name).satisfies(isNone);
    }
  });

  it('keeps the numbers of goals at a limit, saves them as CSV, and lets viewers read alone, in German', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale: 'de-DE' });
    const { page } = visitor;
    await page.route('**/v1/auth/session', async (route) => {
      const answer = await route.fetch();
      const view = await answer.json();
      view.data.scopes = ['read:data'];
      await route.fulfill({ response: answer, json: view });
    });
    await page.goto(dashboard.origin + GOALS);
    const row = page.getByRole('row', { name: /^Pricing Seite ist \/pricing/ });
    await eventually(async () => (await cells(row))[3]).equals('50,0\u00a0%');
    expect(await page.getByRole('button', { name: /Neues Ziel|ändern|löschen|Nach oben/ }).count()).to.equal(
      0,
    );
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV herunterladen: Ziele' }).click();
    const file = readFileSync(await (await coming).path(), 'utf8').split('\r\n');
    expect(file[0]).to.match(
      /^name,goal_id,position,visitors,conversions,sessions,conversion_rate,revenue,currency/,
    );
    expect(file[1]).to.match(/^Pricing,gol_\w+,\d+,2,4,3,50/);
    visitor.allowRefusals();
    await page.route('**/v1/query?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { success: false, code: 'RATE_LIMITED' },
      }),
    );
    await page.getByRole('button', { name: 'Aktualisieren' }).click();
    await page.getByText('Das Anfragelimit ist erschöpft.').waitFor();
    expect((await cells(row))[3]).to.equal('50,0\u00a0%');
  });
});
