/** The journeys of websites by keyboard alone: found and opened, made up to the snippet, changed, and deleted. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { enterByKeyboard } from '../../../support/keyboard.ts';
import { createWebsite } from '../../../support/website-writes.ts';

describe('websites by keyboard alone', () => {
  const dashboard = useDashboard();

  before(async () => {
    for (let i = 1; i <= 12; i++) {
      const number = String(i).padStart(2, '0');
      await createWebsite(dashboard.server, { name: `Site ${number}`, domain: `s${number}.example.com` });
    }
  });

  const websiteOf = async (id: string) => {
    const { server } = dashboard;
    return (await server.call('GET', `/v1/websites/${id}`, { key: server.keys.all })).body;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const content = (page: Page) => page.locator('#content');

  it('are skipped to, searched, ordered and opened', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard');
    await page.reload();
    await visitor.settled();
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await keys.enter(skip);
    await keys.expectFocus(content(page));
    await keys.type(page.getByRole('searchbox'), 's07');
    const cards = page.locator('.website-card h2');
    await eventually(() => cards.allTextContents()).equals(['Site 07']);
    await keys.expectFocus(page.getByRole('searchbox'));
    await visitor.settled();
    await keys.enter(page.getByRole('link', { name: 'Site 07', exact: true }));
    await page.getByRole('heading', { level: 1, name: 'Site 07' }).waitFor();
    await visitor.settled();
    // The card is gone, and the next Tab goes on in the screen that it opened.
    await keys.expectFocus(content(page));
    await keys.enter(page.locator('.frame-nav').getByRole('link', { name: 'Websites' }), 'Shift+Tab');
    await cards.first().waitFor();
    await visitor.settled();
    await keys.choose(page.getByLabel('Order'), 'Newest first');
    await eventually(() => cards.first().textContent()).equals('Site 12');
    await keys.expectFocus(page.getByLabel('Order'));
  });

  it('are made up to the snippet, which is copied', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard');
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await keys.enter(page.getByRole('link', { name: 'New website' }));
    const domain = page.getByLabel('Domain', { exact: true });
    await keys.expectFocus(domain);
    // The browser asks for what must be there, and keeps the focus at it.
    await keys.press('Enter');
    await keys.expectFocus(domain);
    await keys.type(page.getByLabel('Name'), 'Made by keys');
    await keys.to(domain, 'Shift+Tab');
    await page.keyboard.type('keys.example.com');
    await keys.enter(button(page, 'Create website'));
    await page.getByRole('heading', { level: 1, name: 'Made by keys' }).waitFor();
    await keys.expectFocus(content(page));
    const copy = button(page, 'Copy: Tracking snippet');
    await keys.enter(copy);
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).equals(
      await page.locator('.copy code').first().innerText(),
    );
    await keys.expectFocus(copy);
    await keys.enter(page.locator('summary', { hasText: 'Send events from a server' }));
    await keys.to(button(page, 'Copy: curl line'));
    await keys.enter(page.getByRole('link', { name: 'Settings of the website' }));
    await page.getByRole('heading', { name: 'General' }).waitFor();
    await keys.expectFocus(content(page));
  });

  it('are changed, and what is wrong has the focus', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'To change', domain: 'change.example.com' });
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `/dashboard/websites/${id}/settings`);
    visitor.allowRefusals();
    const save = button(page, 'Save');
    await keys.type(page.getByLabel('Name', { exact: true }), 'Changed by keys');
    await keys.tick(page.getByRole('checkbox', { name: 'Honour privacy signals' }));
    const zone = page.getByLabel('Time zone');
    await keys.to(zone, 'Shift+Tab');
    await page.keyboard.type('Nowhere/None');
    await keys.enter(save);
    // What the service refuses has the focus, wherever it stands.
    await page.locator('[aria-invalid=true]').waitFor();
    await keys.expectFocus(zone);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Europe/Berlin');
    await keys.enter(save);
    await page.getByText('Saved.').waitFor();
    await keys.expectFocus(save);
    const { data } = await websiteOf(id);
    expect(data.name).to.equal('Changed by keys');
    expect(data.settings).to.deep.equal({ timezone: 'Europe/Berlin', honorPrivacySignals: true });
  });

  it('are deleted by their typed name, and the focus goes to what says so', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'To delete', domain: 'delete.example.com' });
    const { page, keys } = await enterByKeyboard(dashboard, `/dashboard/websites/${id}/settings`);
    const open = button(page, 'Delete website …');
    await keys.enter(open);
    const dialog = page.getByRole('dialog', { name: 'Delete this website?' });
    await keys.expectFocus(dialog.getByLabel('Name of the website'));
    await keys.expectHeld(dialog, open);
    await keys.press('Enter');
    await keys.expectFocus(dialog.getByLabel('Name of the website'));
    await page.keyboard.type('Something else');
    await keys.enter(dialog.getByRole('button', { name: 'Delete website' }));
    await dialog.getByText('This is not the name.').waitFor();
    await keys.type(dialog.getByLabel('Name of the website'), 'To delete');
    await keys.enter(dialog.getByRole('button', { name: 'Delete website' }));
    await page.locator('.website-card').first().waitFor();
    await keys.expectFocus(page.locator('#content div', { hasText: /^The website is deleted\./ }).first());
    expect((await websiteOf(id)).code).to.equal('ACCESS_DENIED');
    await keys.to(page.getByRole('link', { name: 'Site 01', exact: true }));
  });
});
