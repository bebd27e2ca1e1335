/** Forms that stand open while the session changes, in a real browser: what was typed goes out once, for whom it was meant, or is gone with the session. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { OWNER, useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { addMember } from '../../../support/dashboard-members.ts';

interface Form {
  readonly path: string;
  /** Where it is sent. */
  readonly to: string;
  /** Types the text into it. */
  fill(page: Page, text: string): Promise<void>;
  readonly submit: string;
}

const named = (name: string) => (page: Page, text: string) =>
  page.getByLabel(name, { exact: true }).fill(text);
/** A screen of each kind: a form of its own, one that changes what is there, and a dialog over a list. */
const FORMS: readonly Form[] = [
  {
    path: '/dashboard/links/new',
    to: '/v1/links',
    submit: 'Make link',
    async fill(page, text) {
      await named('Target')(page, `https://shop.example.com/${text}`);
      await named('Name')(page, text);
    },
  },
  { path: '/dashboard/flags/new', to: '/v1/flags', submit: 'Create', fill: named('Key') },
  {
    path: '/dashboard/websites/web_shop/settings',
    to: '/v1/websites/web_shop',
    submit: 'Save',
    fill: named('Name'),
  },
  {
    path: '/dashboard/websites/web_shop/sharing',
    to: '/v1/shares',
    submit: 'Make share',
    async fill(page, text) {
      await page.getByRole('button', { name: 'New share' }).click();
      await named('Name')(page, text);
    },
  },
];

describe('a form that stands open while the session changes', () => {
  const dashboard = useDashboard({ ownLogins: true });

  /** Takes cookies of the session away, and leaves the mark of the pages. */
  async function lose({ context, page }: Visitor, ...names: string[]): Promise<void> {
    const browser = await context.newCDPSession(page);
    for (const name of names) {
      for (const path of ['/v1', '/v1/auth']) {
        await browser.send('Network.deleteCookies', { name, url: `${dashboard.origin}${path}` });
      }
    }
    await browser.detach();
  }
  const login = (page: Page) => page.getByRole('dialog').filter({ hasText: 'What you typed is still there' });
  /** Fills a form and leaves it open. */
  async function fill({ page, settled }: Visitor, form: Form, text: string): Promise<void> {
    await page.goto(dashboard.origin + form.path);
    await page.locator('#content h1').waitFor();
    await settled();
    await form.fill(page, text);
    await settled();
  }
  const submit = (page: Page, { submit: name }: Form) =>
    page.getByRole('button', { name, exact: true }).first().click();
  /** The answer that says that the form was taken, and what was sent. */
  const taken = (page: Page, { to }: Form) =>
    page.waitForResponse(
      (answer) =>
        new URL(answer.url()).pathname === to &&
        ['POST', 'PATCH'].includes(answer.request().method()) &&
        answer.ok(),
    );

  for (const form of FORMS) {
    it(`is sent when the access ran out meanwhile, and after a login when the whole session did: ${form.path}`, async () => {
      const visitor = await dashboard.enter('/dashboard/account');
      visitor.allowRefusals();
      const { page } = visitor;
      await fill(visitor, form, 'access-gone');
      await lose(visitor, 'tg_access');
      const renewed = taken(page, form);
      await submit(page, form);
      expect((await renewed).request().postData()).to.include('access-gone');
      expect(await login(page).count()).to.equal(0);

      await fill(visitor, form, 'session-gone');
      await lose(visitor, 'tg_access', 'tg_refresh');
      await submit(page, form);
      await login(page).getByLabel('Password').fill(OWNER.password);
      const goesOn = taken(page, form);
      await login(page).getByRole('button', { name: 'Log in' }).click();
      expect((await goesOn).request().postData()).to.include('session-gone');
    });
  }

  it('is refused to a role that was lowered, and leaves nothing of what was typed after a logout elsewhere', async () => {
    const owner = await dashboard.enter('/dashboard/members');
    const admin = await addMember(dashboard.server, 'admin');
    const headers = { origin: dashboard.origin };
    const list = await owner.context.request.get(`${dashboard.origin}/v1/members?limit=100`, { headers });
    const { id } = (await list.json()).data.find(({ email }: { email: string }) => email === admin.email);
    for (const form of FORMS.slice(0, 2)) {
      const role = (data: object) =>
        owner.context.request.patch(`${dashboard.origin}/v1/members/${id}`, { data, headers });
      expect((await role({ role: 'admin' })).ok()).to.equal(true);
      const visitor = await dashboard.enter('/dashboard/account', admin);
      visitor.allowRefusals();
      const { page } = visitor;
      await fill(visitor, form, 'typed-by-an-admin');
      expect((await role({ role: 'viewer' })).ok()).to.equal(true);
      const refused = page.waitForResponse(
        (answer) => new URL(answer.url()).pathname === form.to && answer.status() === 403,
      );
      await submit(page, form);
      await refused;
      await page.locator('#content').getByRole('alert').first().waitFor();

      const second = await visitor.newTab('/dashboard/account');
      await second.locator('.user summary').click();
      await second.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      const values = await page.evaluate(
        'document.documentElement.outerHTML + [...document.querySelectorAll("input, textarea")].map(({ value }) => value) + JSON.stringify(history.state)',
      );
      expect(values, form.path).to.not.match(/typed-by-an-admin|web_shop|shop\.example\.com/);
    }
    for (const { to } of FORMS.slice(0, 2)) {
      const kept = await dashboard.server.call('GET', to, { key: dashboard.server.keys.all });
      expect(JSON.stringify(kept.body), to).to.not.include('typed-by-an-admin');
    }
  });
});
