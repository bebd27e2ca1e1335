/** An organization that is switched while other tabs are open: no tab shows, changes or exports what belongs to the other one. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { actsFor, switchTo, withSecondOrganization } from '../../../support/second-organization.ts';
import { createWebsite } from '../../../support/website-writes.ts';

/** The tab hears nothing of the others, as long as their news may be on the way: it learns of a switch by an answer alone. */
const DEAF = `globalThis.BroadcastChannel = class extends EventTarget { postMessage() {} close() {} }`;
/** Notes when something of one organization stands there under the name of the other. */
const WATCH = `globalThis.mixed = [];
new MutationObserver(() => {
  const shown = document.querySelector('.frame-head .menu summary strong')?.textContent;
  const text = document.querySelector('#content')?.textContent ?? '';
  if (shown === 'Main' && text.includes('other.example.com')) mixed.push(text);
  if (shown === 'Other' && text.includes('shop.example.com')) mixed.push(text);
}).observe(document, { childList: true, subtree: true, characterData: true })`;

describe('an organization that another tab switches', () => {
  const dashboard = useDashboard({ ownLogins: true, settings: withSecondOrganization() });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const mixed = (page: Page) => page.evaluate<string[]>('mixed');

  before(async () => {
    // Each is a record of the audit: more than one request answers.
    for (let i = 1; i <= 110; i++) await createWebsite(dashboard.server, { name: `Site ${i}` });
  });

  /** Somebody with two tabs for `Main`; the second one hears nothing of the first. */
  async function twoTabs(path: string, language = 'en'): Promise<{ visitor: Visitor; second: Page }> {
    const visitor = await dashboard.enter('/dashboard/organization');
    visitor.allowRefusals();
    await visitor.page.evaluate(`localStorage.setItem('tidegate-language', '${language}')`);
    const second = await visitor.context.newPage();
    await second.addInitScript(DEAF);
    await second.addInitScript(WATCH);
    await second.goto(dashboard.origin + path);
    await actsFor(second, 'Main');
    await visitor.settled(second);
    await visitor.settled();
    return { visitor, second };
  }

  it('shows nothing of it under the name of the one before, and then that one alone', async () => {
    for (const [from, to, name] of [
      ['/dashboard/organization', 'Websites', 'Elsewhere'],
      ['/dashboard', 'Members', 'Elsewhere'],
      ['/dashboard/websites/web_shop', 'Audit', 'Elsewhere'],
    ] as const) {
      const { visitor, second } = await twoTabs(from);
      await switchTo(visitor.page, 'Other');
      await actsFor(visitor.page, 'Other');
      const refused = second.waitForResponse((answer) => answer.status() === 412);
      await second.locator('.frame-nav').getByRole('link', { name: to }).click();
      await refused;
      await actsFor(second, 'Other');
      await second.getByRole('link', { name, exact: true }).waitFor();
      await visitor.settled(second);
      expect(await mixed(second), from).to.deep.equal([]);
      expect(await second.content(), from).not.to.match(/shop\.example\.com|Something in the form/);
      await visitor.context.close();
    }
  });

  it('gets nothing that was meant for the one before', async () => {
    const { visitor, second } = await twoTabs('/dashboard/websites/new');
    await switchTo(visitor.page, 'Other');
    await actsFor(visitor.page, 'Other');
    await second.getByLabel('Domain', { exact: true }).fill('meant-for-main.example.com');
    await button(second, 'Create website').click();
    await actsFor(second, 'Other');
    await second.getByRole('link', { name: 'Elsewhere', exact: true }).waitFor();
    await visitor.settled(second);
    expect(await second.content()).not.to.include('meant-for-main');
    const headers = { origin: dashboard.origin };
    const list = await visitor.context.request.get(`${dashboard.origin}/v1/websites`, { headers });
    expect((await list.json()).data.map(({ id }: { id: string }) => id)).to.deep.equal(['web_other']);
  });

  for (const [language, csv, said] of [
    ['en', 'Download CSV: Audit', 'There is no file: another organization was chosen'],
    ['de', 'CSV herunterladen: Protokoll', 'Es gibt keine Datei: Während ihre Zeilen kamen'],
  ] as const) {
    it(`ends the export of a whole list, and says why: ${language}`, async () => {
      const { visitor, second } = await twoTabs('/dashboard/audit', language);
      const files: string[] = [];
      second.on('download', (file) => files.push(file.suggestedFilename()));
      // The second page of the list waits until the other tab has switched.
      let letGo = (): void => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const asked: string[] = [];
      await second.route('**/v1/audit?*cursor=*', async (route) => {
        asked.push(route.request().url());
        await held;
        await route.continue();
      });
      await button(second, csv).click();
      await eventually(() => asked.length).equals(1);
      await switchTo(visitor.page, 'Other');
      await actsFor(visitor.page, 'Other');
      letGo();
      const dialog = second.getByRole('dialog', { name: csv });
      await dialog.getByText(said).waitFor();
      await actsFor(second, 'Other');
      await visitor.settled(second);
      await visitor.expectAccessible('an export that ended', second);
      await second.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await mixed(second)).to.deep.equal([]);
      expect(asked).to.have.length(1);
      expect(files).to.deep.equal([]);
    });
  }
});
