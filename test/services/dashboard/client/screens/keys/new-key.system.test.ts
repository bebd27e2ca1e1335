/** The four steps of a new API key in a real browser: they end with a call that the key makes, and say what is missing where it is missing. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../../../../../../config/settings.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import {
  createKey,
  keyStored,
  makeKey,
  NEW_KEY,
  nextStep,
  secretOf,
  stepShown,
} from '../../../../../support/dashboard-keys.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { KEYS } from '../../../../../support/test-organizations.ts';

describe('a new API key', () => {
  const dashboard = useDashboard();

  it('ends its four steps with a line that calls with the new key, and leads to the key', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    const secret = await makeKey(page, 'Night report', ['read:data'], ['Blog']);
    expect(secret).to.match(/^tg_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    const line = (await page.locator('.secret code').nth(1).textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).to.deep.include({ success: true, total: 1 });
    expect(JSON.parse(stdout).websites[0]).to.include({ id: 'web_blog' });
    await keyStored(page).click();
    await page.getByRole('heading', { level: 1, name: 'Night report' }).waitFor();
    await eventually(() => new URL(page.url()).pathname).satisfies((path) =>
      expect(path).to.match(/^\/dashboard\/keys\/key_\w+$/),
    );
  });

  const lines = [
    ['track:events', [], '"status":"success"'],
    ['track:events', ['Blog', 'Shop'], '"status":"success"'],
    ['read:links', [], '"success":true'],
    ['write:links', ['Shop'], '"success":true'],
    ['manage:flags', ['Shop'], '"success":true'],
    ['manage:config', [], '"success":true'],
    ['manage:websites', ['Shop'], '"success":true'],
  ] as const;
  it('shows a line that works for every scope alone', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    for (const [scope, websites, answer] of lines) {
      await makeKey(page, `Only ${scope}`, [scope], websites);
      const line = (await page.locator('.secret code').nth(1).textContent()) ?? '';
      expect((await promisify(execFile)('sh', ['-c', line])).stdout, scope).to.include(answer);
      await keyStored(page).click();
      await page.getByRole('heading', { level: 1, name: `Only ${scope}` }).waitFor();
      await page.goto(dashboard.origin + NEW_KEY);
    }
  });

  it('says beside each field what is missing, and puts the focus there', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    const focused = () =>
      page.evaluate('document.activeElement.getAttribute("name") ?? document.activeElement.type');
    await nextStep(page).click();
    await page.getByText('Give it a name of 1 to 100 characters.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    await eventually(focused).equals('name');
    await page.getByLabel('Name', { exact: true }).fill('Checked');
    await page.getByLabel('Expiry').selectOption('date');
    await nextStep(page).click();
    await page.getByText('Choose a day that is not over.').waitFor();
    await eventually(focused).equals('lastDay');
    await page.getByLabel('Last day').fill('2020-01-01');
    await nextStep(page).click();
    await page.getByText('Choose a day that is not over.').waitFor();
    await page.getByLabel('Expiry').selectOption('30');
    await nextStep(page).click();
    await stepShown(page, 'Scopes');
    await nextStep(page).click();
    await page.getByRole('alert').getByText('Tick at least one scope.').waitFor();
    await eventually(focused).equals('checkbox');
    await page.getByRole('button', { name: 'Assistant' }).click();
    await nextStep(page).click();
    await page.getByRole('radio', { name: 'Only these websites' }).check();
    await createKey(page).click();
    await page.getByRole('alert').getByText('Choose at least one website.').waitFor();
  });

  it('says beside its field what the API refuses, and keeps what was typed', async () => {
    const visitor = await dashboard.enter(NEW_KEY);
    const { page } = visitor;
    visitor.allowRefusals();
    const { body } = await dashboard.server.call('POST', '/v1/websites', {
      key: KEYS.all,
      body: { name: 'Short-lived', domain: 'short.example.com' },
    });
    await page.getByLabel('Name', { exact: true }).fill('Late');
    await nextStep(page).click();
    await page.getByRole('button', { name: 'Read reports' }).click();
    await nextStep(page).click();
    await page.getByRole('radio', { name: 'Only these websites' }).check();
    await page.getByRole('searchbox', { name: 'Search websites' }).fill('short');
    await page.getByRole('checkbox', { name: 'Short-lived' }).check();
    await dashboard.server.call('DELETE', `/v1/websites/${body.data.id}`, { key: KEYS.all });
    await createKey(page).click();
    await page.getByRole('alert').getByText(body.data.id).waitFor();
    await stepShown(page, 'Websites');
    await page.getByRole('button', { name: 'Take Short-lived away' }).click();
    await page.getByRole('radio', { name: 'All websites' }).check();
    await createKey(page).click();
    await stepShown(page, 'Copy the key');
  });

  it('keeps the steps in the address: the way back goes one back, and a bare address begins with what is missing', async () => {
    const { page } = await dashboard.enter(`${NEW_KEY}?step=websites`);
    await stepShown(page, 'Name');
    await page.getByLabel('Name', { exact: true }).fill('Back and forth');
    await nextStep(page).click();
    await stepShown(page, 'Scopes');
    await page.goBack();
    await stepShown(page, 'Name');
    await eventually(() => page.getByLabel('Name', { exact: true }).inputValue()).equals('Back and forth');
  });

  it('finds a website among more than one search shows', async () => {
    for (let i = 0; i < 24; i++) {
      const body = { name: `Many ${String(i).padStart(2, '0')}`, domain: `many${i}.example.com` };
      await dashboard.server.call('POST', '/v1/websites', { key: KEYS.all, body });
    }
    const { page } = await dashboard.enter(NEW_KEY);
    await page.getByLabel('Name', { exact: true }).fill('Of many');
    await nextStep(page).click();
    await page.getByRole('button', { name: 'Assistant' }).click();
    await nextStep(page).click();
    await page.getByRole('radio', { name: 'Only these websites' }).check();
    const found = page.getByRole('group', { name: 'Websites found' });
    await page.getByRole('searchbox', { name: 'Search websites' }).fill('many');
    // The search starts when typing pauses, and begins with the first page.
    await found.getByRole('checkbox', { name: 'Blog' }).waitFor({ state: 'detached' });
    await found.getByRole('checkbox', { name: 'Many 00' }).check();
    await page.getByRole('button', { name: 'Next page' }).click();
    await found.getByRole('checkbox', { name: 'Many 23' }).check();
    await page.getByRole('searchbox', { name: 'Search websites' }).fill('many13.example');
    await found.getByRole('checkbox', { name: 'Many 13' }).check();
    await page.getByText('3 websites chosen').waitFor();
    await page.getByRole('button', { name: 'Take Many 00 away' }).click();
    await page.getByText('2 websites chosen').waitFor();
    await createKey(page).click();
    const secret = await secretOf(page);
    const { body } = await dashboard.server.call('GET', '/v1/query/websites', { key: secret });
    expect(body.websites.map(({ name }: { name: string }) => name)).to.have.members(['Many 23', 'Many 13']);
    await keyStored(page).click();
    await page.getByRole('button', { name: 'Take Many 23 away' }).waitFor();
  });

  it('names with each scope only routes that it opens', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    await page.getByLabel('Name', { exact: true }).fill('Scopes');
    await nextStep(page).click();
    await stepShown(page, 'Scopes');
    const { apiEndpoints } = parse(readFileSync(join(PACKAGE_ROOT, 'config/gateway.config.yml'), 'utf8')) as {
      apiEndpoints: Record<string, { paths: string | string[]; scopes?: string[] }>;
    };
    const opened = Object.values(apiEndpoints).flatMap(({ paths, scopes = [] }) =>
      [paths].flat().flatMap((path) => scopes.map((scope) => `${scope} ${path}`)),
    );
    for (const check of await page.locator('.check').all()) {
      const scope = await check.locator('code').textContent();
      const hint = (await check.locator('.hint').textContent()) ?? '';
      const routes = hint.match(/\/[a-z0-9/-]+[a-z]/g) ?? [];
      expect(routes, hint).not.to.deep.equal([]);
      expect(opened, hint).to.include.members(routes.map((route) => `${scope} ${route}`));
    }
  });

  it('is made by keyboard alone', async () => {
    const { page } = await dashboard.enter('/dashboard/keys');
    const press = async (key: string, times = 1) => {
      for (let i = 0; i < times; i++) await page.keyboard.press(key);
    };
    const reach = async (
      name: string | RegExp,
      role: 'link' | 'button' | 'textbox' | 'checkbox' | 'radio',
    ) => {
      const wanted = page.getByRole(role, { name, exact: typeof name === 'string' });
      await wanted.waitFor();
      for (let i = 0; i < 60; i++) {
        if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
        await press('Tab');
      }
      throw new Error(`Tab does not reach the ${role} ${name}`);
    };
    await reach('New API key', 'link');
    await press('Enter');
    await reach('Name', 'textbox');
    await page.keyboard.type('By keyboard');
    await press('Enter');
    await stepShown(page, 'Scopes');
    await reach('Assistant', 'button');
    await press('Space');
    await reach(/read:links/, 'checkbox');
    await press('Space');
    await press('Enter');
    await stepShown(page, 'Websites');
    await reach('All websites, including future ones', 'radio');
    await press('ArrowDown');
    await reach('Blog', 'checkbox');
    await press('Space');
    await reach('Create API key', 'button');
    await press('Enter');
    await stepShown(page, 'Copy the key');
    const secret = await secretOf(page);
    await reach('I have stored it', 'button');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor();
    const { body } = await dashboard.server.call('GET', '/v1/query/websites', { key: secret });
    expect(body.websites.map(({ id }: { id: string }) => id)).to.deep.equal(['web_blog']);
    expect((await dashboard.server.call('GET', '/v1/links', { key: secret })).status).to.equal(403);
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds in any step: ${width} px, ${colorScheme}`, async () => {
        const visitor = await dashboard.enter(NEW_KEY, undefined, {
          colorScheme,
          viewport: { width, height: 700 },
        });
        const { page } = visitor;
        const check = (where: string) => expectWhole(visitor, `${where}, ${width} px, ${colorScheme}`);
        await stepShown(page, 'Name');
        await page.getByLabel('Expiry').selectOption('date');
        await nextStep(page).click();
        await page.getByText('Choose a day that is not over.').waitFor();
        await check('the name, refused');
        await page.getByLabel('Name', { exact: true }).fill('Seen by axe');
        await page.getByLabel('Expiry').selectOption('never');
        await nextStep(page).click();
        await stepShown(page, 'Scopes');
        await nextStep(page).click();
        await page.getByText('Tick at least one scope.').waitFor();
        await check('the scopes, refused');
        await page.getByRole('button', { name: 'Manage' }).click();
        await nextStep(page).click();
        await page.getByRole('radio', { name: 'Only these websites' }).check();
        await page.getByRole('checkbox', { name: 'Blog' }).check();
        await check('the websites');
        await createKey(page).click();
        await stepShown(page, 'Copy the key');
        await check('the secret');
        await page.getByRole('link', { name: 'Websites' }).first().click();
        await page.getByRole('dialog').waitFor();
        await check('the question before leaving');
      });
    }
  }
});

/** axe finds nothing, and nothing is wider than the page. */
async function expectWhole(visitor: Visitor, where: string): Promise<void> {
  await visitor.expectAccessible(where);
  await visitor.expectNoWider(where);
}
