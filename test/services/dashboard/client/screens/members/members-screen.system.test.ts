/** The screen of members in real browsers: invitations, roles, removal and reset links, from both sides. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { addMember } from '../../../../../support/dashboard-members.ts';
import { eventually } from '../../../../../support/eventually.ts';

const PASSWORD = 'correct horse battery';
/** Markup, a formula, and characters that turn the reading direction. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202E=1+1\u2066"';

describe('the screen of members', () => {
  const dashboard = useDashboard({ ownLogins: true });

  /** Makes an invitation on an open screen; its link. */
  async function invite(page: Page, email: string, role: string): Promise<string> {
    await page.getByRole('button', { name: 'Invite a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('radio', { name: role }).check();
    await dialog.getByRole('button', { name: 'Make invitation' }).click();
    await dialog.getByRole('heading', { name: 'Invitation link' }).waitFor();
    const link = await dialog.locator('code').innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    return link;
  }

  /** A browser of its own, in which an invitation is accepted. */
  async function accept(link: string, name: string): Promise<Visitor> {
    const guest = await dashboard.newVisitor();
    await guest.page.goto(link);
    await guest.page.getByLabel('Name').fill(name);
    await guest.page.getByLabel('Password').fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Make an account' }).click();
    await guest.page.getByRole('navigation', { name: 'Main' }).waitFor();
    return guest;
  }

  const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent');
  const rowOf = (page: Page, email: string) => page.locator('.person', { hasText: email });

  it('invites by a link that is shown once, and follows a role that is lowered while a page is open', async () => {
    const owner = await dashboard.enter('/dashboard/members');
    const link = await invite(owner.page, 'ada@example.com', 'Admin');
    expect(link).to.match(/^http:\/\/localhost:\d+\/dashboard\/accept#[A-Za-z0-9_-]{43}$/);
    const token = link.split('#')[1] ?? '';
    expect(await owner.page.content()).not.to.include(token);
    await rowOf(owner.page, 'ada@example.com').getByText('Invited', { exact: true }).waitFor();

    const ada = await accept(link, 'Ada');
    expect(ada.page.url()).not.to.include(token);
    expect(await ada.page.content()).not.to.include(token);
    await ada.page.getByRole('link', { name: 'Members' }).click();
    // An admin touches no owner.
    const ownerRow = rowOf(ada.page, 'owner@example.com');
    await ownerRow.waitFor();
    expect(await ownerRow.getByRole('button').count()).to.equal(0);
    await rowOf(ada.page, 'ada@example.com').getByText('You', { exact: true }).waitFor();
    await ada.page.getByRole('button', { name: 'Invite a member' }).click();
    expect(await ada.page.getByRole('radio', { name: 'Owner' }).count()).to.equal(0);

    await owner.page.reload();
    await owner.page.getByRole('button', { name: 'Change role: Ada' }).click();
    await owner.page.getByRole('radio', { name: 'Viewer' }).check();
    await owner.page.getByRole('button', { name: 'Save' }).click();
    await owner.page.getByText('Ada: Viewer from now on.').waitFor();

    ada.allowRefusals();
    await ada.page.getByRole('dialog').getByLabel('Email').fill('grace@example.com');
    await ada.page.getByRole('button', { name: 'Make invitation' }).click();
    await ada.page.getByText('Your role does not open this page.').waitFor();
    await ada.page.getByRole('link', { name: 'Members' }).waitFor({ state: 'detached' });
    expect(await ada.page.getByRole('link', { name: 'Audit' }).count()).to.equal(0);
    expect(await ada.page.content()).not.to.include('owner@example.com');

    const second = await dashboard.newVisitor();
    second.allowRefusals();
    await second.page.goto(link);
    await second.page.getByText('This invitation is used up, expired or withdrawn.').waitFor();
  });

  it('keeps the last owner, and says why', async () => {
    const { page, allowRefusals } = await dashboard.enter('/dashboard/members');
    allowRefusals();
    await page.getByRole('button', { name: 'Change role: owner@example.com' }).click();
    await page.getByText('You may not be able to take this back yourself.').waitFor();
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Make somebody else an owner first.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove owner@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alert').getByText('The last owner stays.').waitFor();
  });

  it('resets a password by a link that works once and ends the sessions of the member', async () => {
    const owner = await dashboard.enter('/dashboard/members');
    const grace = await accept(await invite(owner.page, 'grace@example.com', 'Member'), 'Grace');
    await owner.page.reload();
    await owner.page.getByRole('button', { name: 'Reset password: Grace' }).click();
    await owner.page.getByRole('button', { name: 'Make a link' }).click();
    await owner.page.getByRole('heading', { name: 'Reset link' }).waitFor();
    const link = await owner.page.getByRole('dialog').locator('code').innerText();
    expect(link).to.match(/\/dashboard\/reset#[A-Za-z0-9_-]{43}$/);
    await owner.page.getByRole('button', { name: 'Done' }).click();
    expect(await owner.page.content()).not.to.include(link.split('#')[1]);

    const other = await dashboard.newVisitor();
    other.allowRefusals();
    const set = async (password: string): Promise<void> => {
      await other.page.goto('about:blank');
      await other.page.goto(link);
      await other.page.getByLabel('Password').fill(password);
      await eventually(() => other.page.url()).satisfies((url) => expect(url).not.to.include('#'));
      await other.page.getByRole('button', { name: 'Set password' }).click();
    };
    await set('a new password');
    await other.page.getByText('Your password is changed. Log in with it.').waitFor();
    await set('another password');
    await other.page.getByText('This link is used up or expired.').waitFor();

    grace.allowRefusals();
    await grace.page.getByRole('link', { name: 'Organization' }).click();
    await grace.page.reload();
    await grace.page.getByRole('button', { name: 'Log in' }).waitFor();
    await grace.logIn({ email: 'grace@example.com', password: 'a new password' });
  });

  it('removes a member and withdraws an invitation once they are confirmed, and says so', async () => {
    // A list of few is not searched.
    for (let others = 0; others < 4; others++) await addMember(dashboard.server, 'viewer');
    const { page } = await dashboard.enter('/dashboard/members');
    await accept(await invite(page, 'joan@example.com', 'Viewer'), 'Joan');
    await invite(page, 'vera@example.com', 'Member');
    await page.getByLabel('Search email or name').fill('JOAN');
    await rowOf(page, 'vera@example.com').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Joan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Joan is removed.').waitFor();
    await page.getByText('This search finds nobody.').waitFor();
    // What had the focus is gone: the sentence has it.
    await eventually(() => page.evaluate('document.activeElement.className')).equals('said');
    await page.getByLabel('Search email or name').fill('');
    await page.getByRole('button', { name: 'Withdraw the invitation of vera@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await rowOf(page, 'vera@example.com').waitFor({ state: 'detached' });
  });

  it('invites by keyboard alone, however quickly', async () => {
    const { page } = await dashboard.enter('/dashboard/members');
    const opener = page.getByRole('button', { name: 'Invite a member' });
    await opener.focus();
    // The keys go into the dialog from its first moment on.
    await page.keyboard.press('Enter');
    await page.keyboard.type('keys@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    const viewer = page.getByRole('radio', { name: 'Viewer' });
    await eventually(() => viewer.isChecked()).equals(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Invitation link' }).waitFor();
    // The focus is back with the end of the dialog, and not after the next frame.
    await page.evaluate(
      `new MutationObserver(() => {
        if (!document.querySelector('dialog')) globalThis.focusedAtEnd ??= document.activeElement.textContent;
      }).observe(document, { childList: true, subtree: true })`,
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('globalThis.focusedAtEnd')).to.equal('Invite a member');
    await eventually(() => focusedText(page)).equals('Invite a member');
    await rowOf(page, 'keys@example.com').getByText('Viewer').waitFor();
  });

  it('shows a hostile name as a name, there and in the audit', async () => {
    const { page } = await dashboard.enter('/dashboard/members');
    await accept(await invite(page, 'eve@example.com', 'Viewer'), HOSTILE);
    await page.reload();
    for (const place of ['members', 'audit']) {
      await page.goto(`${dashboard.origin}/dashboard/${place}`);
      await page.locator('bdi', { hasText: '<img src=x onerror=alert(1)>' }).first().waitFor();
      expect(await page.locator('main img').count(), place).to.equal(0);
    }
    await page.goto(`${dashboard.origin}/dashboard/members`);
    await rowOf(page, 'eve@example.com').getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('dialog img').count()).to.equal(0);
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const viewport = { width, height: 800 };
        const visitor = await dashboard.enter('/dashboard/members', undefined, { colorScheme, viewport });
        const { page } = visitor;
        await rowOf(page, 'owner@example.com').waitFor();
        await visitor.expectAccessible('members');
        await visitor.expectNoWider();
        await page.getByRole('button', { name: 'Invite a member' }).click();
        await page.getByRole('dialog').waitFor();
        await visitor.expectAccessible('an invitation');
      });
    }
  }
});
