/** The goals of the overview in a real browser: the first ten in their order, with the numbers of POST /v1/query, and the ways to all of them. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { addMember } from '../../../../../support/dashboard-members.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { define, eventIs, pageIs, trackVisits, VISIT_DAYS } from '../../../../../support/tracked-visits.ts';
import { ask, expectList } from '../../../../../support/website-lists.ts';

const SHOP = '/dashboard/websites/web_shop';
const RANGE = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;
const DAYS = { startDate: VISIT_DAYS.from, endDate: VISIT_DAYS.to };
/** Sessions of the last two days that saw the first page, beside those of the two before. */
const COMPARED = {
  address: `from=2025-01-14&to=2025-01-15&compare=previous&filters=${encodeURIComponent('[["path","eq","/"]]')}`,
  request: { startDate: '2025-01-14', endDate: '2025-01-15', compare: 'previous' },
};
/** More than the API counts at once. */
const MANY = 101;
const COLUMNS = [
  ['name', 'text'],
  ['visitors', 'count'],
  ['conversions', 'count'],
  ['conversion_rate', 'percent'],
] as const;

/** In how many lines the numbers of each row stand, and of each head. */
const LINES = `[...document.querySelectorAll('.panel .bars tr')].map(
  (row) => new Set([...row.querySelectorAll('.number')].map((each) => Math.round(each.getBoundingClientRect().top))).size)`;

/** Heads of the goals that stand in more than one line. */
const BROKEN = `[...document.querySelectorAll('.panel-goals thead th')].filter((head) => {
  const range = document.createRange();
  range.selectNodeContents(head);
  return range.getClientRects().length > 1;
}).map((head) => head.textContent)`;

const panelOf = (page: Page) => page.locator('.panel-goals');

describe('the goals of the overview', () => {
  const dashboard = useDashboard();

  before(() => trackVisits(dashboard.server));

  async function open(query: string, options: { locale?: string; path?: string } = {}): Promise<Visitor> {
    const { locale = 'en-US', path = SHOP } = options;
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale });
    await visitor.page.goto(`${dashboard.origin}${path}?${query}`);
    await panelOf(visitor.page).locator('.rows:not(:has(.skeleton))').waitFor();
    await visitor.settled();
    return visitor;
  }

  it('says that there is none, and leads whoever may make one to where they are made', async () => {
    const visitor = await open(RANGE);
    const { page } = visitor;
    const panel = panelOf(page);
    await panel.getByText('This website has no goal yet.').waitFor();
    expect(await panel.getByRole('button', { name: /CSV|curl|SQL/ }).count()).to.equal(0);
    await visitor.expectAccessible('a website without goals');
    await panel.getByRole('link', { name: 'Make one' }).click();
    await page.getByRole('button', { name: 'New goal' }).waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('from')]).to.deep.equal([`${SHOP}/goals`, VISIT_DAYS.from]);
    const user = await addMember(dashboard.server, 'viewer');
    const viewer = await dashboard.enter(`${SHOP}?${RANGE}`, user);
    await panelOf(viewer.page).getByText('This website has no goal yet.').waitFor();
    expect(await panelOf(viewer.page).getByRole('link').count()).to.equal(0);
  });

  describe('of a website with many', () => {
    before(async () => {
      const { server } = dashboard;
      const first = [
        { name: 'Paid', ...eventIs('purchase'), revenueProperty: 'total', currency: 'EUR' },
        { name: 'Signed up', ...eventIs('signup') },
        { name: 'Saw the prices', ...pageIs('/pricing') },
        // Of one name, and the other way round in the order of their numbers.
        { name: 'Twin', ...pageIs('/docs') },
        { name: 'Twin', ...pageIs('/') },
      ];
      for (const goal of first) await define(server, 'goals', goal);
      for (let number = first.length; number < MANY; number++) {
        await define(server, 'goals', { name: `Goal ${number}`, ...eventIs(`event-${number}`) });
      }
    });

    it('shows the first ten in their order, with the numbers of the API, in the one call of the screen', async () => {
      const visitor = await open(RANGE);
      const { page } = visitor;
      const asked = await visitor.asks(async () => {
        const call = page.waitForRequest((request) => request.url().includes('/v1/query'));
        await page.getByRole('button', { name: 'Refresh' }).click();
        expect((await call).postData()).to.include('"goals"');
      });
      expect(asked).to.deep.equal(['POST /v1/query']);
      const rows = await ask(dashboard, 'goals', { ...DAYS, limit: 10 });
      expect(rows.map(({ name }) => name).slice(0, 5)).to.deep.equal([
        ...['Paid', 'Signed up', 'Saw the prices', 'Twin', 'Twin'],
      ]);
      expect(rows.map(({ visitors }) => visitors).slice(0, 5)).to.deep.equal([1, 3, 2, 1, 3]);
      await expectList(page, 'Goals', rows, COLUMNS);
      // As long as the most visitors that one of them has.
      const shares = await panelOf(page)
        .locator('.share')
        .evaluateAll((all) =>
          all.map((each) => (each as unknown as { style: { width: string } }).style.width),
        );
      expect(shares.slice(0, 5).map((width) => Math.round(Number.parseFloat(width)))).to.deep.equal([
        ...[33, 100, 67, 33, 100],
      ]);
    });

    it('keeps filters, range and comparison, and takes them along to a goal and to all', async () => {
      const visitor = await open(COMPARED.address);
      const { page } = visitor;
      const filters = [{ field: 'path', op: 'eq', value: '/', of: 'session' }];
      const rows = await ask(dashboard, 'goals', { ...COMPARED.request, filters, limit: 10 });
      expect(
        rows.map(({ previous }) => (previous as { visitors: number }).visitors).slice(0, 3),
      ).to.deep.equal([1, 2, 1]);
      await expectList(page, 'Goals', rows, COLUMNS, ['visitors', 'count']);
      const panel = panelOf(page);
      const kept = new URLSearchParams(COMPARED.address);
      const isKept = () => {
        const { searchParams } = new URL(page.url());
        for (const name of ['from', 'to', 'compare', 'filters']) {
          expect(searchParams.get(name), name).to.equal(kept.get(name));
        }
        return searchParams.get('goal');
      };
      await panel.getByRole('link', { name: 'Signed up' }).click();
      await page.getByRole('heading', { name: 'Signed up', exact: true }).waitFor();
      expect(isKept()).to.equal(rows[1]?.goal_id);
      await visitor.settled();
      await page.goBack();
      await panel.getByRole('link', { name: 'All goals' }).click();
      await page.getByRole('link', { name: 'Goal 99' }).waitFor();
      expect(isKept()).to.equal(null);
    });

    it('writes all of them to a file, a hundred of a call, and the command of those that are shown', async () => {
      const visitor = await open(COMPARED.address);
      const { page } = visitor;
      const panel = panelOf(page);
      const begun = page.waitForEvent('download');
      const asked = await visitor.asks(async () => {
        await panel.getByRole('button', { name: 'Download CSV: Goals' }).click();
        expect((await begun).suggestedFilename()).to.equal('goals.csv');
      });
      expect(asked).to.deep.equal(['POST /v1/query', 'POST /v1/query']);
      const lines = readFileSync(await (await begun).path(), 'utf8')
        .split('\r\n')
        .slice(0, -1);
      expect(lines).to.have.length(MANY + 1);
      expect(lines[0]).to.match(/^name,goal_id,.*,previous_visitors,/);
      expect(lines.at(-1)).to.match(/^Goal 100,gol_\w+,/);
      expect(new Set(lines.map((line) => line.split(',').length)).size).to.equal(1);
      await panel.getByRole('button', { name: 'Show as curl: Goals' }).click();
      const command = await page.getByRole('dialog').locator('code').textContent();
      expect(command).to.contain('"parameters":["goals"],"startDate":"2025-01-14"');
      // The screen of goals has the same file.
      await page.goto(`${dashboard.origin}${SHOP}/goals?${RANGE}`);
      const again = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV: Goals' }).click();
      expect(readFileSync(await (await again).path(), 'utf8').split('\r\n')).to.have.length(MANY + 2);
    });

    it('is put away, and asks for nothing until it is brought back', async () => {
      const visitor = await open(RANGE);
      const { page } = visitor;
      const question = () =>
        page.waitForRequest((request) => request.postData()?.includes('"numbers"') ?? false);
      await page.getByRole('button', { name: 'Put away: Goals' }).click();
      const without = question();
      await page.reload();
      expect((await without).postData()).not.to.include('"goals"');
      const whole = question();
      await page.getByRole('button', { name: 'Bring back: Goals' }).click();
      expect((await whole).postData()).to.include('"goals"');
      await panelOf(page).getByRole('link', { name: 'Paid' }).waitFor();
    });

    it('says in its place why its numbers did not come, and leaves the others', async () => {
      const visitor = await dashboard.enter();
      const { page } = visitor;
      let isBroken = true;
      await page.route('**/v1/query*', async (route) => {
        const response = await route.fetch({
          headers: { ...route.request().headers(), accept: 'application/json' },
        });
        const body = await response.json();
        for (const answer of body.results.flatMap(({ data }: { data: object[] }) => data)) {
          if (isBroken && answer.parameter === 'goals') {
            Object.assign(answer, { success: false, data: [], error: 'It took too long.' });
          }
        }
        await route.fulfill({ response, json: body });
      });
      await page.goto(`${dashboard.origin}${SHOP}?${RANGE}`);
      await panelOf(page).getByText('It took too long.').waitFor();
      await eventually(() => page.getByRole('alert').count()).equals(1);
      isBroken = false;
      await panelOf(page).getByRole('button', { name: 'Try again' }).click();
      await panelOf(page).getByRole('link', { name: 'Paid' }).waitFor();
    });

    it('has neither numbers nor a way to make one where the call is refused with 403, and keeps them where a later one is', async () => {
      const visitor = await open(RANGE);
      const { page } = visitor;
      visitor.allowRefusals();
      await page.route('**/v1/query*', (route) =>
        route.fulfill({
          status: 403,
          json: { success: false, code: 'INSUFFICIENT_SCOPE', error: 'It lacks read:data.', message: 'x' },
        }),
      );
      await page.getByRole('button', { name: 'Refresh' }).click();
      const why = page.getByRole('alert').getByText('Your role does not open this page.');
      await why.waitFor();
      await panelOf(page).getByRole('link', { name: 'Paid' }).waitFor();
      await page.reload();
      await why.waitFor();
      await panelOf(page).getByText('The numbers did not come.').waitFor();
      expect(await panelOf(page).getByText('This website has no goal yet.').count()).to.equal(0);
      expect(await panelOf(page).getByRole('link').count()).to.equal(0);
    });

    it('is accessible and no wider than the page in German, with a comparison, light and dark', async () => {
      const visitor = await open(COMPARED.address, { locale: 'de-DE' });
      const { page } = visitor;
      const head = panelOf(page).locator('thead th');
      await eventually(() => head.allTextContents()).equals([
        ...['Ziel', 'Besucher', 'Änderung', 'Conversions', 'Rate'],
      ]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          await panelOf(page).scrollIntoViewIfNeeded();
          // All numbers of a row stand in one line, in whichever list.
          const lines = await page.evaluate<number[]>(LINES);
          expect([lines.length > 20, new Set(lines)]).to.deep.equal([true, new Set([1])]);
          await eventually(() => page.evaluate(BROKEN), `heads at ${width} px`).equals([]);
          await visitor.expectNoWider(`${colorScheme}, ${width} px`);
          await visitor.expectAccessible(`${colorScheme}, ${width} px`);
        }
      }
    });
  });
});
