/** Retention in a real browser: cohorts as POST /v1/query counts them, by what visitors begin and return with, and the sessions behind a cell. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { define, eventIs, trackVisits, VISIT_DAYS } from '../../../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const RETENTION = `${SHOP}/retention?from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;
const choice = (...entry: unknown[]) => encodeURIComponent(JSON.stringify(entry));

describe('the screen of retention', () => {
  const dashboard = useDashboard();
  let goalId = '';

  before(async () => {
    await trackVisits(dashboard.server);
    goalId = await define(dashboard.server, 'goals', { name: 'Paid', ...eventIs('purchase') });
  });

  async function open(path: string, locale = 'en-US'): Promise<Visitor> {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale });
    await visitor.page.goto(dashboard.origin + path);
    await visitor.settled();
    return visitor;
  }
  /** What each row says, without what only readers of the screen hear. */
  const table = async (page: Page) => {
    const rows = await page.locator('.cohorts tbody tr').all();
    const textsOf = async (row: Locator) =>
      (await row.locator('th, td').allInnerTexts()).map((text) => text.trim());
    return Promise.all(rows.map(textsOf));
  };
  const shows = (page: Page, expected: readonly (readonly string[])[]) =>
    eventually(() => table(page)).satisfies((rows) =>
      expect(rows.map((row) => row.map((text) => text.split(/\s*\n/)[0] ?? ''))).to.deep.equal(expected),
    );

  it('shows cohorts by the day, with the mean of those whose day is over, in percent or visitors', async () => {
    const { page } = await open(RETENTION);
    await page.getByRole('columnheader', { name: 'Day 3' }).waitFor();
    const days = ['Sun, Jan 12', 'Mon, Jan 13', 'Tue, Jan 14', 'Wed, Jan 15'] as const;
    await shows(page, [
      ['All', '4', '33.3%', '0.0%', '50.0%'],
      [days[0], '2', '50.0%', '0.0%', '50.0%'],
      [days[1], '1', '0.0%', '0.0%', ''],
      [days[2], '0', '–', '', ''],
      [days[3], '1', '', '', ''],
    ]);
    await page.getByLabel('Shows').selectOption('people');
    await shows(page, [
      ['All', '4', '33.3%', '0.0%', '50.0%'],
      [days[0], '2', '1', '0', '1'],
      [days[1], '1', '0', '0', ''],
      [days[2], '0', '–', '', ''],
      [days[3], '1', '', '', ''],
    ]);
    expect(page.url()).to.contain('show=people');
    // Later cohorts have less time to return later: there is no mean.
    await page.getByLabel('Counts').selectOption('rolling');
    await eventually(() => page.locator('.cohorts tbody tr').count()).equals(4);
    await page.getByLabel('By').selectOption('weekly');
    await page.getByText('Nothing in this range.').waitFor({ state: 'detached' });
    await shows(page, [['Jan 12, 2025', '4']]);
  });

  it('asks once for a view, and begins and returns with what is chosen', async () => {
    const visitor = await open(RETENTION);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Began with: any event' }).click();
    await dialog.getByRole('option', { name: 'Goal: Paid' }).waitFor({ state: 'attached' });
    await dialog.getByLabel('Which events').selectOption('own');
    await dialog.getByLabel('What counts').selectOption('event');
    await dialog.getByLabel('Path or name').fill('signup');
    await dialog.getByRole('button', { name: 'Condition on a property' }).click();
    await dialog.getByLabel('Property', { exact: true }).fill('plan');
    await dialog.getByLabel('How').selectOption('gt');
    await dialog.getByLabel('Value').fill('much');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await dialog.getByText('Allowed: a number.').waitFor();
    await dialog.getByLabel('How').selectOption('eq');
    await dialog.getByLabel('Value').fill('pro');
    const asked = await visitor.asks(async () => {
      await dialog.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('button', { name: 'Began with: Event is signup, plan is pro' }).waitFor();
    });
    expect(asked).to.deep.equal(['POST /v1/query']);
    // ada on the 12th, ben on the 15th.
    await eventually(async () => (await table(page)).map(([, size]) => size)).equals([
      '2',
      '1',
      '0',
      '0',
      '1',
    ]);
    await page.goto(
      `${dashboard.origin}${RETENTION}&start=${choice('goal', goalId)}&returning=${choice('page', 'eq', '/pricing')}`,
    );
    await page.getByRole('button', { name: 'Began with: Paid' }).waitFor();
    await page.getByRole('button', { name: 'Returned with: Page is /pricing' }).waitFor();
    await eventually(async () => (await table(page))[1]).satisfies((row) =>
      expect(row).to.deep.equal(['Sun, Jan 12', '1', '100.0%', '0.0%', '0.0%']),
    );
    await page.getByRole('button', { name: 'Began with: Paid' }).click();
    await dialog.getByLabel('Which events').selectOption('');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Began with: any event' }).waitFor();
  });

  it('says who is behind a cell, and leads to exactly them or says that it leads to more', async () => {
    const visitor = await open(RETENTION);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const link = dialog.getByRole('link');
    await page.getByRole('button', { name: '2, Sun, Jan 12, Day 0' }).click();
    await dialog.getByText('Visitors: 2 of 2, 100.0%.').waitFor();
    expect(await link.innerText()).to.equal('Sessions of these visitors');
    await link.click();
    await page.getByRole('heading', { level: 1, name: /Sessions/ }).waitFor();
    expect(new URL(page.url()).search).to.equal('?from=2025-01-12&to=2025-01-12');
    await eventually(() => page.locator('main tbody tr').count()).equals(2);
    await page.goBack();
    const cell = page.getByRole('button', { name: '50.0%, Sun, Jan 12, Day 3' });
    await cell.press('Enter');
    await dialog.getByText('Visitors: 1 of 2, 50.0%.').waitFor();
    await dialog.getByText('Filters cannot say').waitFor();
    expect(await link.innerText()).to.equal('Sessions of all visitors, Jan 15, 2025');
    await page.keyboard.press('Escape');
    expect(
      await cell.evaluate(
        (each) =>
          each === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
      ),
    ).to.equal(true);
  });

  it('compares each cohort with the one at its place, and gives the rows as CSV', async () => {
    const { page } = await open(`${RETENTION}&compare=2025-01-13..2025-01-16`);
    await page.locator('.cohorts .change').first().waitFor();
    const [, size] = (await table(page))[1] ?? [];
    expect(size).to.match(/^2\s*±0/);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV: Cohorts' }).click();
    const [head, first] = readFileSync(await (await coming).path(), 'utf8').split('\r\n');
    expect(head).to.match(/^date,period,cohort_visitors,visitors,percentage,previous_cohort_visitors/);
    expect(first).to.match(/^2025-01-12,0,2,2,100,2/);
  });

  it('says in German what there is not, and what failed', async () => {
    const visitor = await open(`${SHOP}/retention?from=2024-01-01&to=2024-01-03`, 'de-DE');
    const { page } = visitor;
    await page.getByText('Nichts in diesem Zeitraum.').waitFor();
    await page.goto(
      `${dashboard.origin}${SHOP}/retention?from=2023-01-01&to=2025-01-15&start=${choice('goal', 'gol_none')}`,
    );
    await page.getByRole('button', { name: 'Begann mit: …' }).waitFor();
    await page.getByText('gol_none').first().waitFor();
    await page.getByRole('button', { name: 'Noch einmal versuchen' }).first().waitFor();
  });

  it('tells that there is no such website', async () => {
    const visitor = await open('/dashboard');
    visitor.allowRefusals();
    await visitor.page.goto(`${dashboard.origin}/dashboard/websites/web_none/retention`);
    await visitor.page.getByRole('heading', { name: 'Website', exact: true }).waitFor();
  });
});
