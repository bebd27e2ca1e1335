/** Journeys in a real browser: steps as POST /v1/query counts them, where sessions came from and went to, and the sessions behind a stop. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { define, eventIs, trackVisits, VISIT_DAYS } from '../../../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const JOURNEYS = `${SHOP}/journeys?from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;
const choice = (...entry: unknown[]) => encodeURIComponent(JSON.stringify(entry));

describe('the screen of journeys', () => {
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
  /** The columns, each as its heading and its stops. */
  const steps = async (page: Page) =>
    Promise.all(
      (await page.locator('.journey > li').all()).map(async (column) => [
        // No wait: a column may go away while the others are read.
        ...(await column.getByRole('heading').allInnerTexts()),
        ...(await column.locator('.stop').allInnerTexts()).map((text) => text.replace(/\s*\n+\s*/g, ' | ')),
      ]),
    );
  const shows = (page: Page, expected: readonly (readonly string[])[]) =>
    eventually(() => steps(page)).satisfies((shown) => expect(shown).to.deep.equal(expected));

  it('shows what follows the first page of sessions, and where they ended', async () => {
    const { page } = await open(JOURNEYS);
    await shows(page, [
      [
        'Start',
        '/ | 3 sessions, 50.0%',
        '/pricing | 2 sessions, 33.3% | Ended here: 1, 50.0%',
        '/docs | 1 session, 16.7% | Ended here: 1, 100.0%',
      ],
      [
        'Step 1',
        'signup Event | 2 sessions, 33.3% | Ended here: 2, 100.0%',
        '/pricing | 1 session, 16.7%',
        'purchase Event | 1 session, 16.7% | Ended here: 1, 100.0%',
      ],
      ['Step 2', 'signup Event | 1 session, 16.7%'],
      ['Step 3', 'purchase Event | 1 session, 16.7% | Ended here: 1, 100.0%'],
    ]);
  });

  it('opens a stop: where sessions came from and went to, and the sessions behind it', async () => {
    const { page } = await open(JOURNEYS);
    const stop = page.locator('.journey > li').first().getByRole('button', { name: /^\/ / });
    await stop.press('Enter');
    expect(await stop.getAttribute('aria-pressed')).to.equal('true');
    const opened = page.locator('.opened');
    await opened.getByRole('row', { name: /signup Event went to 2 66\.7%/ }).waitFor();
    await opened.getByRole('row', { name: /\/pricing went to 1 33\.3%/ }).waitFor();
    // The address opens it again.
    await page.reload();
    await opened.getByRole('link', { name: 'These sessions' }).click();
    await page.getByRole('heading', { level: 1, name: /Sessions/ }).waitFor();
    expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).to.deep.equal([
      ['entry_path', 'eq', '/'],
    ]);
    await eventually(() => page.locator('main tbody tr').count()).equals(3);
    await page.goBack();
    await page
      .locator('.journey > li')
      .nth(1)
      .getByRole('button', { name: /^signup/ })
      .click();
    const later = page.locator('.opened');
    await later.getByRole('heading', { name: 'Step 1: signup' }).waitFor();
    await later.getByRole('row', { name: /^\/ came from 2 100\.0%/ }).waitFor();
    await later.getByText('Filters know no order.').waitFor();
    await later.getByRole('link', { name: 'Sessions with signup, in any order' }).waitFor();
  });

  it('leads to what a stop says when it is opened, and leaves the page where it is when the address opens it', async () => {
    const { page } = await open(JOURNEYS);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.locator('.journey > li').first().getByRole('button', { name: /^\/ / }).click();
    const heading = page.locator('.opened').getByRole('heading');
    const isSeen = () =>
      heading.evaluate(
        (at) => at.getBoundingClientRect().top >= 0 && at.getBoundingClientRect().bottom <= 500,
      );
    await eventually(isSeen).equals(true);
    expect(await heading.evaluate((at) => at.matches(':focus'))).to.equal(true);
    await page.reload();
    await heading.waitFor();
    expect(await heading.evaluate((at) => at.matches(':focus'))).to.equal(false);
  });

  it('asks once for a view, around what is chosen, in either direction and by kinds of events', async () => {
    const visitor = await open(JOURNEYS);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Start: first page of the session' }).click();
    await dialog.getByRole('option', { name: 'Goal: Paid' }).waitFor({ state: 'attached' });
    await dialog.getByLabel('Which events').selectOption('own');
    await dialog.getByLabel('What counts').selectOption('event');
    await dialog.getByLabel('Path or name').fill('purchase');
    const asked = await visitor.asks(async () => {
      await dialog.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('button', { name: 'Start: Event is purchase' }).waitFor();
    });
    expect(asked).to.deep.equal(['POST /v1/query']);
    await page.getByLabel('Direction').selectOption('backward');
    await shows(page, [
      ['Start', 'purchase Event | 2 sessions, 100.0%'],
      ['1 before', 'signup Event | 1 session, 50.0%', '/pricing | 1 session, 50.0% | Began here: 1, 100.0%'],
      ['2 before', '/pricing | 1 session, 50.0%'],
      ['3 before', '/ | 1 session, 50.0% | Began here: 1, 100.0%'],
    ]);
    await page.getByLabel('Steps are').selectOption('pages');
    await shows(page, [
      ['Start', 'purchase Event | 2 sessions, 100.0%'],
      ['1 before', '/pricing | 2 sessions, 100.0% | Began here: 1, 50.0%'],
      ['2 before', '/ | 1 session, 50.0% | Began here: 1, 100.0%'],
    ]);
    await page.goto(
      `${dashboard.origin}${JOURNEYS}&start=${choice('goal', goalId)}&direction=backward&depth=3`,
    );
    await page.getByRole('button', { name: 'Start: Paid' }).waitFor();
    await eventually(async () => (await steps(page)).length).equals(4);
    expect(await page.getByLabel('Steps are').count()).to.equal(0);
    await page.goto(`${dashboard.origin}${JOURNEYS}&direction=backward`);
    await page.getByText('choose what journeys lead to').waitFor();
    await page.goto(`${dashboard.origin}${JOURNEYS}&kinds=events`);
    await page.getByRole('button', { name: 'Start: first event of the session' }).waitFor();
    await shows(page, [
      [
        'Start',
        'signup Event | 3 sessions, 75.0% | Ended here: 2, 66.7%',
        'purchase Event | 1 session, 25.0% | Ended here: 1, 100.0%',
      ],
      ['Step 1', 'purchase Event | 1 session, 25.0% | Ended here: 1, 100.0%'],
    ]);
  });

  it('lists the links between stops, compared and as CSV', async () => {
    const visitor = await open(`${JOURNEYS}&tab=links&compare=2025-01-13..2025-01-16`);
    const { page } = visitor;
    await page.getByRole('row', { name: /^1 \/ signup 2/ }).waitFor();
    expect(await page.locator('main thead th').allInnerTexts()).to.deep.equal([
      ...['Step ↑', 'From', 'To', 'Sessions', 'Change', 'Of all'],
    ]);
    await page.getByRole('button', { name: 'Sort by Sessions' }).click();
    await eventually(() => page.locator('main tbody tr').first().innerText()).satisfies((text) =>
      expect(text).to.match(/^0\s+–\s+\/\s+3/),
    );
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV: Links' }).click();
    expect(readFileSync(await (await coming).path(), 'utf8')).to.match(
      /^step,from_type,from_name,type,name,sessions,percentage,previous_sessions/,
    );
    const asked = await visitor.asks(() => page.getByRole('tab', { name: 'Steps' }).press('Enter'));
    expect(asked).to.deep.equal(['POST /v1/query']);
  });

  it('says in German what there is not', async () => {
    const { page } = await open(`${JOURNEYS}&start=${choice('event', 'eq', 'none')}`, 'de-DE');
    await page.getByText('Keine Sitzung in diesem Zeitraum hat diesen Anfang.').waitFor();
    await page.getByRole('tab', { name: 'Verbindungen' }).click();
    await page.getByText('Keine Sitzung in diesem Zeitraum hat diesen Anfang.').waitFor();
  });
});
