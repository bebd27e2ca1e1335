/** The journeys of members, of the own account and of the organization by keyboard alone. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { OWNER, useDashboard } from '../../../support/dashboard.ts';
import { addMember } from '../../../support/dashboard-members.ts';
import { eventually } from '../../../support/eventually.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';

describe('people and their organization by keyboard alone', () => {
  const dashboard = useDashboard();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (place: Page | Locator, name: string) => place.getByRole('heading', { name });
  /** What says that an act is done. */
  const said = (page: Page, text: string) => page.locator('.said', { hasText: text });

  it('members get another role and a reset link, and are removed', async () => {
    const { email } = await addMember(dashboard.server, 'viewer');
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/members');
    const row = page.locator('.person', { hasText: email });
    const dialog = page.getByRole('dialog');
    const act = (text: string) => row.getByRole('button').filter({ hasText: text });

    await keys.enter(act('Change role'));
    await keys.expectHeld(dialog, act('Change role'));
    await keys.press('Enter');
    await keys.to(dialog.getByRole('radio', { name: 'Viewer' }));
    await keys.press('ArrowUp');
    await keys.expectFocus(dialog.getByRole('radio', { name: 'Member' }));
    await keys.enter(dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'detached' });
    await keys.expectFocus(said(page, 'Member from now on.'));
    await visitor.settled();

    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await keys.enter(act('Reset password'));
    await keys.enter(dialog.getByRole('button', { name: 'Make a link' }));
    // The button is gone with what it did: the next Tab goes on in the same dialog.
    await keys.expectFocus(heading(dialog, 'Reset link'));
    await keys.enter(dialog.getByRole('button', { name: /^Copy/ }));
    await eventually(() => page.evaluate<string>('navigator.clipboard.readText()')).satisfies((text) =>
      expect(text).to.match(/\/dashboard\/reset#./),
    );
    await keys.enter(dialog.getByRole('button', { name: 'Done' }));
    await dialog.waitFor({ state: 'detached' });
    await keys.expectFocus(act('Reset password'));

    await keys.enter(act('Remove'));
    await keys.expectHeld(dialog, act('Remove'));
    await keys.press('Space');
    await keys.enter(dialog.getByRole('button', { name: 'Remove' }));
    await row.waitFor({ state: 'detached' });
    await keys.expectFocus(said(page, 'is removed.'));
  });

  it('the organization is changed, and its limits leave as a command', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/organization');
    await keys.type(page.getByLabel('Slug'), 'by-keys');
    await keys.type(page.getByLabel('Time zone'), 'Europe/Vienna');
    await keys.enter(button(page, 'Save'));
    await keys.expectFocus(said(page, 'All members see it from now on.'));
    await page.getByText('Times in Europe/Vienna').waitFor();
    await visitor.settled();
    const curl = button(page, 'Show as curl: Plan and limits');
    await keys.enter(curl);
    await keys.expectHeld(page.getByRole('dialog'), curl);
    const begun = page.waitForEvent('download');
    await keys.enter(button(page, 'Download CSV: Plan and limits'), 'Shift+Tab');
    expect((await begun).suggestedFilename()).to.equal('limits.csv');
    await keys.expectFocus(button(page, 'Download CSV: Plan and limits'));
  });

  it('the account gets a name and a password, and ends a session elsewhere', async () => {
    const user = await addMember(dashboard.server, 'member');
    const phone = await dashboard.newVisitor({ userAgent: 'Mozilla/5.0 (iPhone) Version/17.0 Safari/604.1' });
    await enterByKeyboard(dashboard, '/dashboard', { user, visitor: phone });
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/account', { user });
    visitor.allowRefusals();
    phone.allowRefusals();
    await keys.type(page.getByLabel('Name', { exact: true }), 'Ada by keys');
    await keys.press('Enter');
    await keys.expectFocus(said(page, 'Your name is changed.'));
    await visitor.settled();

    const end = page.getByRole('button', { name: 'End the session of Safari on iOS' });
    await keys.enter(end);
    await keys.expectFocus(said(page, 'The session has ended.'));
    await end.waitFor({ state: 'detached' });
    await phone.page.reload();
    await phone.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await visitor.settled();

    await keys.type(page.getByLabel('Current password'), 'not this one');
    await keys.press('Tab');
    await page.keyboard.type('a longer password');
    await keys.press('Enter');
    await page.getByText('The current password is wrong.').waitFor();
    await keys.to(page.getByLabel('Current password'), 'Shift+Tab');
    await page.keyboard.type(user.password);
    await keys.enter(button(page, 'Change password'));
    await keys.expectFocus(said(page, 'Your password is changed.'));
    const login = { email: user.email, password: 'a longer password' };
    const headers = { origin: dashboard.server.origin };
    const answer = await dashboard.server.call('POST', '/v1/auth/login', { body: login, headers });
    expect(answer.status).to.equal(200);
    expect(user.password).not.to.equal(OWNER.password);
  });
});
