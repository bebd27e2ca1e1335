/** What stands around every screen, and the audit, by keyboard alone: another organization, another language, the way out, filters and pages. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';
import { actsFor, organizationMenu, withSecondOrganization } from '../../../support/second-organization.ts';
import { createWebsite } from '../../../support/website-writes.ts';

describe('the frame and the audit by keyboard alone', () => {
  const dashboard = useDashboard({ settings: withSecondOrganization() });

  const content = (page: Page) => page.locator('#content');
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it('switch to another organization, and go on in its first screen', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/keys');
    const menu = organizationMenu(page);
    await keys.enter(menu, 'Shift+Tab');
    const other = page.getByRole('button', { name: /^Other/ });
    await keys.to(other);
    await keys.press('Escape');
    await other.waitFor({ state: 'hidden' });
    await keys.expectFocus(menu);
    await keys.press('Enter');
    await keys.enter(other);
    await actsFor(page, 'Other');
    await page.getByRole('link', { name: 'Elsewhere', exact: true }).waitFor();
    await visitor.settled();
    await keys.expectFocus(content(page));
    await keys.to(page.getByRole('link', { name: 'Elsewhere', exact: true }));
  });

  it('speak another language and look dark, open the account, and log out', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/organization');
    const menu = page.locator('.user summary');
    await keys.enter(menu, 'Shift+Tab');
    const language = page.locator('.user select').first();
    await keys.choose(language, 'Deutsch');
    await page.getByRole('link', { name: 'Organisation' }).waitFor();
    await keys.expectFocus(language);
    await keys.choose(page.locator('.user select').nth(1), 'Dunkel');
    await eventually(() => page.evaluate('document.documentElement.dataset.appearance')).equals('dark');
    await keys.press('Escape');
    await keys.expectFocus(menu);
    await keys.press('Enter');
    await keys.enter(page.getByRole('link', { name: 'Konto' }));
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor();
    await visitor.settled();
    await keys.expectFocus(menu);
    await keys.press('Enter');
    await keys.enter(page.getByRole('button', { name: 'Abmelden' }));
    await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor();
    await keys.expectFocus(page.getByLabel('E-Mail'));
  });

  it('narrow the audit by its filters, and leaf through it', async () => {
    for (let i = 0; i < 55; i++) await createWebsite(dashboard.server, { name: `Audited ${i}` });
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/audit');
    const rows = page.locator('tbody tr');
    await rows.nth(49).waitFor();
    const next = page.getByRole('button', { name: 'Next page' });
    await keys.enter(next, 'Shift+Tab');
    await page.getByRole('button', { name: 'First page' }).waitFor();
    await next.waitFor({ state: 'detached' });
    await visitor.settled();
    // There is no page after this one: the focus goes on from the top of it.
    await keys.expectFocus(content(page));
    await keys.enter(page.getByRole('button', { name: 'First page' }), 'Shift+Tab');
    await rows.nth(49).waitFor();
    await visitor.settled();
    await keys.expectFocus(content(page));

    const who = page.getByLabel('Who');
    await keys.choose(who, 'owner@example.com');
    await eventually(() => parameter(page, 'who')).satisfies((id) => expect(id).to.match(/^usr_/));
    await visitor.settled();
    await keys.expectFocus(who);
    await keys.choose(who, 'Everybody');
    await visitor.settled();
    await keys.choose(page.getByLabel('Action'), 'Created the website');
    await eventually(() => parameter(page, 'action')).equals('website.create');
    await visitor.settled();
    await keys.type(page.getByLabel('First day'), '01012999');
    await page.getByText('No record fits this.').waitFor();
    await eventually(() => parameter(page, 'from')).equals('2999-01-01');
    await visitor.settled();
    await keys.enter(page.getByRole('link', { name: 'All', exact: true }));
    await rows.nth(49).waitFor();
    await visitor.settled();
    await keys.expectFocus(content(page));
    const search = page.getByRole('searchbox');
    await keys.type(search, 'session.login');
    await page.getByRole('row', { name: 'Created the website' }).first().waitFor({ state: 'detached' });
    await visitor.settled();
    await keys.expectFocus(search);
    // The name of who did it is a link to all that they did.
    await keys.enter(page.getByRole('row').getByRole('link', { name: 'owner@example.com' }).first());
    await eventually(() => parameter(page, 'who')).satisfies((id) => expect(id).to.match(/^usr_/));
  });
});
