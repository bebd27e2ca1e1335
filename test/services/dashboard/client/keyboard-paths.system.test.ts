/** Goals, funnels, retention and journeys by keyboard alone: made, changed, deleted, and followed to the sessions behind a number. */
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';
import { trackVisits, VISIT_DAYS } from '../../../support/tracked-visits.ts';

const DAYS = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;

describe('goals, funnels, retention and journeys by keyboard alone', () => {
  const dashboard = useDashboard();

  before(() => trackVisits(dashboard.server));

  const enter = (screen: string) =>
    enterByKeyboard(dashboard, `/dashboard/websites/web_shop/${screen}?${DAYS}`);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

  it('make a goal, change it, and delete it', async () => {
    const { page, keys } = await enter('goals');
    const dialog = dialogOf(page);
    await keys.enter(button(page, 'New goal'));
    await keys.expectHeld(dialog, button(page, 'New goal'));
    await keys.press('Enter');
    await keys.type(dialog.getByLabel('Name', { exact: true }), 'Paid');
    await keys.choose(dialog.getByLabel('What counts'), 'Event');
    await keys.type(dialog.getByLabel('Path or name'), 'purchase');
    await keys.enter(dialog.getByRole('button', { name: 'Make goal' }));
    await page.getByText('Paid is made.').waitFor();
    await keys.enter(page.getByRole('link', { name: 'Paid', exact: true }));
    await page.getByRole('heading', { level: 2, name: 'Paid' }).waitFor();
    await keys.choose(page.getByLabel('Group by'), 'Language');
    await page.getByRole('row', { name: /^German/ }).waitFor();
    await keys.enter(button(page, 'Change Paid'));
    await keys.type(dialog.getByLabel('Name', { exact: true }), 'Sold');
    await keys.enter(dialog.getByRole('button', { name: 'Save' }));
    await keys.expectFocus(page.locator('.said', { hasText: 'Sold is changed.' }));
    await keys.enter(page.getByRole('link', { name: 'Sessions with it' }));
    await heading(page, /Sessions/).waitFor();
    await page.goBack();
    await keys.enter(button(page, 'Delete Sold'));
    await keys.enter(dialog.getByRole('button', { name: 'Delete' }));
    await page.getByText('No goal yet.').waitFor();
  });

  it('make a funnel of steps, and open the sessions that left after one', async () => {
    const { page, keys } = await enter('funnels');
    const dialog = dialogOf(page);
    await keys.enter(button(page, 'New funnel'));
    await keys.type(dialog.getByLabel('Name', { exact: true }), 'Buy');
    const step = (number: number) =>
      dialog.getByRole('group', { name: `Step ${number}`, exact: true }).getByLabel('Path or name');
    await keys.type(step(1), '/');
    await keys.type(step(2), '/pricing');
    await keys.enter(dialog.getByRole('button', { name: 'Make funnel' }));
    await page.getByText('Buy is made.').waitFor();
    await keys.enter(page.getByRole('link', { name: 'Buy', exact: true }));
    const steps = page.getByRole('table', { name: 'Steps' }).locator('tbody tr');
    await eventually(() => steps.count()).equals(2);
    await keys.enter(steps.first().getByRole('link').first());
    await heading(page, /Sessions/).waitFor();
  });

  it('open who is behind a cell of retention', async () => {
    const { page, keys } = await enter('retention');
    await keys.choose(page.getByLabel('Shows'), 'Visitors');
    const cell = button(page, '2, Sun, Jan 12, Day 0');
    await keys.enter(cell);
    await keys.expectHeld(dialogOf(page), cell);
    await keys.press('Enter');
    await keys.enter(dialogOf(page).getByRole('link'));
    await heading(page, /Sessions/).waitFor();
  });

  it('open a stop of a journey, and list the links between stops', async () => {
    const { page, keys } = await enter('journeys');
    await keys.enter(page.locator('.journey > li').first().getByRole('button', { name: /^\/ / }));
    await page
      .locator('.opened')
      .getByRole('row', { name: /signup Event went to 2/ })
      .waitFor();
    await keys.to(page.getByRole('tab', { name: 'Steps' }), 'Shift+Tab');
    await keys.press('ArrowRight');
    await keys.expectFocus(page.getByRole('tab', { name: 'Links' }));
    await keys.press('Enter');
    await page.getByRole('row', { name: /^1 \/ signup 2/ }).waitFor();
  });
});
