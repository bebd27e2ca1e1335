/** The login in a real browser: whom it lets in, where it leads, and what it says when it does not. */
import { expect } from 'chai';
import { OWNER, useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

describe('the login of the dashboard', () => {
  const dashboard = useDashboard({ ownLogins: true });

  it('asks for a login without a call that must fail, and leads to the address that was wanted', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.page.goto(`${dashboard.origin}/dashboard/organization?tab=limits`);
    await visitor.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await visitor.settled();
    expect(visitor.asked()).to.deep.equal([]);
    await visitor.logIn();
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(() => visitor.page.url()).equals(
      `${dashboard.origin}/dashboard/organization?tab=limits`,
    );
  });

  it('says that email or password is wrong, forgets the password, and keeps the email', async () => {
    const visitor = await dashboard.newVisitor();
    visitor.allowRefusals();
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
    await eventually(() => page.getByLabel('Password').inputValue()).equals('');
    expect(await page.getByLabel('Email').inputValue()).to.equal(OWNER.email);
    await visitor.expectAccessible('a refused login');
  });

  const elsewhere = [
    'https://evil.example/dashboard',
    '//evil.example/dashboard',
    '/\\evil.example',
    'javascript:alert(1)',
    '/docs',
    '/dashboard/../docs',
    '/dashboard/login?next=/dashboard/login',
    '/dashboardx',
    'data:text/html,x',
  ];
  it('never leads out of the dashboard, whatever the link said', async () => {
    for (const next of elsewhere) {
      const visitor = await dashboard.newVisitor();
      await visitor.page.goto(`${dashboard.origin}/dashboard/login?next=${encodeURIComponent(next)}`);
      await visitor.logIn();
      await visitor.page.getByRole('heading', { level: 1 }).waitFor();
      await eventually(() => visitor.page.url(), next).equals(`${dashboard.origin}/dashboard`);
      await visitor.settled();
      expect(visitor.page.url(), next).to.equal(`${dashboard.origin}/dashboard`);
    }
  });

  it('works by keyboard alone, in German too, and in both appearances', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', colorScheme: 'dark' });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard`);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await eventually(() => page.evaluate('document.documentElement.lang')).equals('de');
    await visitor.expectAccessible('the login in German, dark');
    await page.keyboard.type(OWNER.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
  });

  for (const width of [1280, 768, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const visitor = await dashboard.newVisitor({ colorScheme, viewport: { width, height: 700 } });
        await visitor.page.goto(`${dashboard.origin}/dashboard/login`);
        await visitor.page.getByRole('heading', { name: 'Log in' }).waitFor();
        await visitor.expectAccessible(`the login at ${width} px, ${colorScheme}`);
        await visitor.expectNoWider();
      });
    }
  }

  it('says in words that a session needs https, and that a page of another host has none', async () => {
    const visitor = await dashboard.newVisitor();
    visitor.allowRefusals();
    const { page } = visitor;
    // Chromium resolves every name to this server: a page on http that is not this machine.
    await page.route('http://gate.example/**', async (route) => {
      const url = new URL(route.request().url());
      const answer = await route.fetch({ url: `${dashboard.origin}${url.pathname}${url.search}` });
      await route.fulfill({ response: answer });
    });
    await page.goto('http://gate.example/dashboard/login');
    await page.getByText('A session needs https.').waitFor();
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('This page does not belong to the service').waitFor();
    // This page is of another origin, which the browser and the watch both say.
    visitor.complaints.length = 0;
  });

  it('says that thirty logins a minute are allowed', async () => {
    const visitor = await dashboard.newVisitor();
    visitor.allowRefusals();
    const { page } = visitor;
    const address = '198.51.100.9';
    await visitor.context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
    await page.goto(`${dashboard.origin}/dashboard/login`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    for (let i = 0; i < 30; i++) {
      const headers = { origin: dashboard.origin };
      await dashboard.server.call('POST', '/v1/auth/login', { body: { email: 'x' }, headers, address });
    }
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('Too many logins from this address').waitFor();
  });

  it('tells people without JavaScript where the API is described', async () => {
    const visitor = await dashboard.newVisitor({ javaScriptEnabled: false });
    await visitor.page.goto(`${dashboard.origin}/dashboard`);
    // Selectors by text and role skip what stands in <noscript>.
    const told = visitor.page.locator('noscript p');
    expect(await told.count()).to.equal(2);
    expect(await told.first().isVisible()).to.equal(true);
    expect(await told.first().innerText()).to.match(/^These pages need JavaScript\. .*\/docs\.$/);
  });
});
