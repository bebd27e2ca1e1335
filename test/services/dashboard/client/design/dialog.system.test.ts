/** Escape in dialogs, in a real browser: what was typed is not lost by one key, and what nobody typed in closes at once. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';

const GOALS = '/dashboard/websites/web_shop/goals';
const LOST = 'What you typed is not saved.';

describe('Escape in a dialog', () => {
  const dashboard = useDashboard();

  async function open(path: string): Promise<Page> {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    await visitor.page.goto(dashboard.origin + path);
    await visitor.settled();
    return visitor.page;
  }
  const pressEscape = (page: Page) => page.keyboard.press('Escape');

  it('asks before it closes one in which something was typed, and goes on where it was', async () => {
    const page = await open(GOALS);
    await page.getByRole('button', { name: 'New goal' }).click();
    const dialog = page.getByRole('dialog', { name: 'New goal' });
    const name = dialog.getByLabel('Name', { exact: true });
    await name.pressSequentially('Signed up');
    await pressEscape(page);
    await dialog.getByText(LOST).waitFor();
    expect(await name.inputValue()).to.equal('Signed up');
    // Whoever types on is asked anew, and whoever presses it again leaves.
    await page.keyboard.type(' today');
    await dialog.getByText(LOST).waitFor({ state: 'detached' });
    expect(await name.inputValue()).to.equal('Signed up today');
    await pressEscape(page);
    await dialog.getByText(LOST).waitFor();
    await pressEscape(page);
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => page.evaluate('document.activeElement.textContent')).equals('New goal');
    // The dialog is as good as new.
    await page.getByRole('button', { name: 'New goal' }).click();
    expect(await name.inputValue()).to.equal('');
    await pressEscape(page);
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows the question in a long form wherever it is scrolled to, and asks of no text that was removed', async () => {
    const page = await open('/dashboard/websites/web_shop/sharing');
    await page.getByRole('button', { name: 'New share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Pages that may embed it').fill('https://www.example.com');
    await pressEscape(page);
    const asks = dialog.getByText(LOST);
    await asks.waitFor();
    const height = page.viewportSize()?.height ?? 0;
    await eventually(async () => {
      const { y = -1, height: own = 0 } = (await asks.boundingBox()) ?? {};
      return y >= 0 && y + own <= height;
    }).equals(true);
    await dialog.getByLabel('Pages that may embed it').fill('');
    await pressEscape(page);
    await dialog.waitFor({ state: 'detached' });
  });

  it('closes at once what holds nothing to lose: a search, the name of what ends', async () => {
    const page = await open('/dashboard/websites/web_shop/settings');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('goals');
    await pressEscape(page);
    await palette.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete website …' }).click();
    await page.getByRole('dialog').getByLabel('Name of the website').fill('Sh');
    await pressEscape(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
