/** The journeys of one API key by keyboard alone: found, rotated, changed, disabled and revoked. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';

describe('an API key by keyboard alone', () => {
  const dashboard = useDashboard();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** A new key of this name, and somebody who has found it in the list. */
  async function found(name: string) {
    const entered = await enterByKeyboard(dashboard, '/dashboard/keys');
    const { visitor, page, keys } = entered;
    const key = await send(visitor, 'POST', '', { name, scopes: ['read:data'], access: { level: 'global' } });
    await keys.type(page.getByRole('searchbox'), name);
    const link = page.getByRole('link', { name, exact: true });
    await link.waitFor();
    await visitor.settled();
    await keys.enter(link);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    await visitor.settled();
    await keys.expectFocus(page.locator('#content'));
    return { ...entered, id: key.id as string };
  }

  async function send({ context }: Visitor, method: string, path: string, data?: object) {
    const headers = { origin: dashboard.origin };
    const url = `${dashboard.origin}/v1/api-keys${path}`;
    const answer = await context.request.fetch(url, { method, data, headers });
    expect(answer.ok(), `${method} ${path}`).to.equal(true);
    return (await answer.json()).data;
  }

  it('is rotated: the new secret has the focus, and nobody leaves it unasked', async () => {
    const { visitor, page, keys, id } = await found('Rotated by keys');
    const grace = page.getByRole('radio', { name: 'One hour' });
    await keys.to(grace, 'Shift+Tab');
    await keys.press('ArrowDown');
    await keys.expectFocus(page.getByRole('radio', { name: 'One day' }));
    await keys.enter(button(page, 'Rotate'));
    await keys.expectFocus(page.getByRole('heading', { level: 2, name: 'Copy the new secret' }));
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await keys.enter(button(page, 'Copy: API key'));
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).equals(
      await page.locator('.secret code').first().innerText(),
    );
    const elsewhere = page.locator('.frame-nav').getByRole('link', { name: 'Members' });
    await keys.enter(elsewhere, 'Shift+Tab');
    await keys.expectHeld(page.getByRole('dialog', { name: 'Leave without the key?' }), elsewhere);
    await keys.enter(button(page, 'I have stored it'));
    await page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    await keys.expectFocus(page.locator('#content'));
    const { previousValidUntil } = await send(visitor, 'GET', `/${id}`);
    expect(Date.parse(previousValidUntil) - Date.now()).to.be.above(80_000_000);
  });

  it('is changed, disabled and enabled, each time with the focus where it was', async () => {
    const { visitor, page, keys, id } = await found('Changed by keys');
    await keys.type(page.getByLabel('Name', { exact: true }), 'Renamed by keys');
    await keys.tick(page.getByRole('checkbox', { name: 'track:events' }));
    const save = button(page, 'Save');
    await keys.enter(save);
    await page.getByRole('heading', { level: 1, name: 'Renamed by keys' }).waitFor();
    await visitor.settled();
    await keys.expectFocus(save);
    await keys.enter(button(page, 'Disable'));
    await keys.expectFocus(button(page, 'Enable'));
    await visitor.settled();
    const { name, scopes, enabled } = await send(visitor, 'GET', `/${id}`);
    expect([name, enabled]).to.deep.equal(['Renamed by keys', false]);
    expect(scopes).to.have.members(['read:data', 'track:events']);
    await keys.press('Space');
    await keys.expectFocus(button(page, 'Disable'));
  });

  it('is revoked by its typed name, and the focus goes to the screen that says so', async () => {
    const { page, keys } = await found('Revoked by keys');
    const open = button(page, 'Revoke');
    await keys.enter(open, 'Shift+Tab');
    const dialog = page.getByRole('dialog', { name: 'Revoke this key for ever?' });
    await keys.expectHeld(dialog, open);
    await keys.press('Enter');
    await keys.expectFocus(dialog.getByRole('textbox'));
    await page.keyboard.type('Revoked by mistake');
    await keys.press('Enter');
    await dialog.getByText('This is not the name of the key.').waitFor();
    await keys.type(dialog.getByRole('textbox'), 'Revoked by keys');
    await keys.enter(dialog.getByRole('button', { name: 'Revoke' }));
    await page.getByText('This key was revoked on').waitFor();
    await keys.expectFocus(page.locator('#content'));
    await keys.enter(page.locator('.frame-nav').getByRole('link', { name: 'API keys' }));
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  });
});
