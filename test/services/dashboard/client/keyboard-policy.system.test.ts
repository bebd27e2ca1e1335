/** Shares, queries of one's own, and the screens of operators by keyboard alone. */
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';

const SHOP = '/dashboard/websites/web_shop';

describe('shares, SQL and the platform by keyboard alone', () => {
  const dashboard = useDashboard();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('make a share, and revoke it', async () => {
    const { page, keys } = await enterByKeyboard(dashboard, `${SHOP}/sharing`);
    const dialog = page.getByRole('dialog');
    await keys.enter(button(page, 'New share'));
    await keys.type(dialog.getByLabel('Name'), 'Agency');
    await keys.tick(dialog.getByRole('checkbox', { name: 'Top pages' }));
    await keys.enter(dialog.getByRole('button', { name: 'Make share' }));
    await dialog.getByRole('heading', { name: 'Embed code' }).waitFor();
    await keys.press('Escape');
    await keys.enter(button(page, 'Revoke Agency'));
    await keys.enter(dialog.getByRole('button', { name: 'Revoke' }));
    await page.getByText('Nothing is shared').waitFor();
  });

  it('run a query and look at its line, and pick datasets', async () => {
    const { page, keys } = await enterByKeyboard(dashboard, `${SHOP}/sql`);
    await keys.type(page.getByLabel('Query'), 'SELECT 1 AS one, 2 AS two');
    await keys.enter(button(page, 'Run'));
    await page.getByRole('table', { name: 'Result' }).waitFor();
    await keys.to(page.getByRole('tab', { name: 'SQL' }), 'Shift+Tab');
    await keys.press('ArrowRight');
    await keys.press('Enter');
    await keys.type(page.getByLabel('Dataset', { exact: true }), 'pages');
    await keys.enter(button(page, 'Add'));
    await button(page, 'Remove pages').waitFor();
  });

  it('search the routes of the configuration, and have a request explained', async () => {
    const { page, keys } = await enterByKeyboard(dashboard, '/dashboard/platform?view=configuration');
    await keys.type(page.getByLabel('Search routes, rules, policies and files'), 'query/custom');
    await page
      .getByRole('status')
      .getByText(/^1 of \d+ routes$/)
      .waitFor();
    await page.goto(`${dashboard.origin}/dashboard/platform?view=explain`);
    await keys.choose(page.getByLabel('Method'), 'POST');
    await keys.type(page.getByLabel('Path'), '/v1/query/custom');
    await keys.enter(button(page, 'Explain'));
    await page
      .getByRole('table', { name: 'Policies' })
      .or(page.getByText('query-custom').first())
      .first()
      .waitFor();
  });
});
