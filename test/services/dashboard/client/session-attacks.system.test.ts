/** Attacks on the session of the dashboard in a real browser: what changes elsewhere, forged marks and messages, and secrets in addresses. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { addMember } from '../../../support/dashboard-members.ts';
import { fillScreens, SCREENS } from '../../../support/dashboard-screens.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  actsFor,
  organizationMenu,
  switchTo,
  withSecondOrganization,
} from '../../../support/second-organization.ts';

/** What names `org_main`'s things; the name of the organization stays in the menu that leads back. */
const OF_MAIN =
  /web_shop|web_blog|key_\w|shop\.example\.com|viewer\d*@example\.com|cover-sizes|Poster at|newsletter_opened|basket is|Startseite|Bestellung|Agency|a-path-that|visitor-1|session-1/i;

describe('attacks on the session of the dashboard', () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const dashboard = useDashboard({ ownLogins: true, settings: withSecondOrganization(), clock });

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  /** A call of whoever's browser it is, as their own pages make it. */
  async function send({ context }: Visitor, method: string, path: string, data?: object) {
    const headers = { origin: dashboard.origin };
    const answer = await context.request.fetch(`${dashboard.origin}${path}`, { method, data, headers });
    expect(answer.status(), `${method} ${path}`).to.be.below(300);
    return answer.status() === 204 ? null : answer.json();
  }
  const memberOf = async (owner: Visitor, email: string) => {
    const { data } = await send(owner, 'GET', '/v1/members?limit=100');
    return data.find((member: { email: string }) => member.email === email).id;
  };

  it('leave nothing of an organization on any screen of a second tab when the first one switches', async () => {
    const addressOf = await fillScreens(dashboard.server);
    const visitor = await dashboard.enter();
    visitor.allowRefusals();
    const second = await visitor.newTab('/dashboard');
    let shown = 0;
    for (const [path, drawn] of Object.entries(SCREENS)) {
      // What the people who run the service see is of every organization.
      if (path.startsWith('/dashboard/platform')) continue;
      await second.goto(dashboard.origin + addressOf(path));
      await second.locator(drawn).first().waitFor();
      if (OF_MAIN.test(await second.content())) shown++;
      await switchTo(visitor.page, 'Other');
      await actsFor(second, 'Other');
      await second.locator('#content h1').waitFor();
      await visitor.settled(second);
      const html = await second.evaluate('document.documentElement.outerHTML');
      expect(String(html).match(OF_MAIN)?.[0], path).to.equal(undefined);
      const values = await second.evaluate(
        '[...document.querySelectorAll("input, textarea, select")].map(({ value }) => value).join() + document.title + JSON.stringify(history.state)',
      );
      expect(String(values).match(OF_MAIN)?.[0], `values: ${path}`).to.equal(undefined);
      await switchTo(visitor.page, 'Main');
      await actsFor(visitor.page, 'Main');
    }
    expect(shown, 'screens that had something of it').to.be.above(25);
  });

  it('say in an organization that a switch to another one failed, and stay there until one succeeds', async () => {
    const visitor = await dashboard.enter();
    visitor.allowRefusals();
    const { page } = visitor;
    const menu = organizationMenu(page);
    const failed = page.getByText('The organization could not be switched. Try again.');
    const before = await menu.innerText();
    await page.route('**/v1/auth/switch', (route) => route.fulfill({ status: 503, json: {} }));
    await switchTo(page, 'Other');
    await failed.waitFor();
    expect(await menu.innerText()).to.equal(before);
    await page.unroute('**/v1/auth/switch');
    await switchTo(page, 'Other');
    await actsFor(page, 'Other');
    await failed.waitFor({ state: 'detached' });
  });

  it('take a lowered role, a removal and an ended session at the next call', async () => {
    const owner = await dashboard.enter();
    const admin = await addMember(dashboard.server, 'admin');
    const id = await memberOf(owner, admin.email);
    const other = await dashboard.enter('/dashboard/keys', admin);
    other.allowRefusals();
    const { page } = other;
    await heading(page, 'API keys');
    await other.settled();
    await send(owner, 'PATCH', `/v1/members/${id}`, { role: 'viewer' });
    await page.getByRole('link', { name: 'Members' }).click();
    await page.locator('.frame-nav').getByRole('link', { name: 'API keys' }).waitFor({ state: 'detached' });
    expect(await page.content()).not.to.match(/owner@example\.com|key_all/);
    await send(owner, 'DELETE', `/v1/members/${id}`);
    await page.getByRole('link', { name: 'Websites' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.content()).not.to.match(/web_shop|shop\.example\.com/);

    const ended = await dashboard.enter();
    await ended.settled();
    ended.allowRefusals();
    const { data } = await send(ended, 'GET', '/v1/auth/sessions');
    const own = data.find((session: { current: boolean }) => session.current).id;
    await send(owner, 'DELETE', `/v1/auth/sessions/${own}`);
    await ended.page.getByRole('link', { name: 'Organization' }).click();
    await ended.page.getByRole('dialog').waitFor();
    await ended.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await ended.page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await ended.page.content()).not.to.match(/web_shop|Main/);
  });

  it('end every session of a refresh token that comes twice, and ask for a login', async () => {
    const visitor = await dashboard.enter();
    await visitor.settled();
    visitor.allowRefusals();
    const before = (await visitor.context.cookies()).find(({ name }) => name === 'tg_refresh');
    expect(before).not.to.equal(undefined);
    await send(visitor, 'POST', '/v1/auth/refresh');
    await send(visitor, 'POST', '/v1/auth/refresh');
    // Until then it is another tab that was second, and no thief.
    ahead = 11_000;
    const cookie = `tg_refresh=${before?.value}`;
    const headers = { cookie, origin: dashboard.server.origin };
    const stolen = await dashboard.server.call('POST', '/v1/auth/refresh', { headers });
    expect(stolen.status).to.equal(401);
    await visitor.page.getByRole('link', { name: 'Organization' }).click();
    await visitor.page.getByRole('dialog').getByText('What you typed is still there').waitFor();
  });

  it('gain nothing by forged messages between tabs: they cost a login or a call', async () => {
    const visitor = await dashboard.enter('/dashboard/account');
    visitor.allowRefusals();
    const { page } = visitor;
    await heading(page, 'Account');
    await visitor.settled();
    const second = await visitor.newTab('/none.txt');
    await page.evaluate(
      "globalThis.heard = 0, new BroadcastChannel('tidegate-session').onmessage = () => { heard++; }, 0",
    );
    let sent = 0;
    for (const data of [
      null,
      1,
      {},
      { __proto__: null, type: 'changed' },
      ['logged-out'],
      'x'.repeat(100_000),
    ]) {
      visitor.requests.length = 0;
      await second.evaluate((message) => {
        new BroadcastChannel('tidegate-session').postMessage(message);
      }, data);
      await eventually(() => page.evaluate('heard')).equals(++sent);
      await visitor.settled();
      expect(visitor.asked().length, JSON.stringify(data)?.slice(0, 40)).to.be.at.most(1);
      expect(await page.locator('.frame-nav').count()).to.equal(1);
    }
    await second.evaluate(() => new BroadcastChannel('tidegate-session').postMessage('logged-out'));
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await visitor.logIn();
  });

  it('gain nothing by a forged mark of the session', async () => {
    for (const mark of ['NaN.y', '-1', '9'.repeat(3_900), '99999999999999.x']) {
      const visitor = await dashboard.newVisitor();
      visitor.allowRefusals();
      const { page, context } = visitor;
      const url = `${dashboard.origin}/dashboard`;
      await context.addCookies([
        { name: 'tidegate-access', value: mark, domain: 'localhost', path: '/dashboard' },
      ]);
      await page.goto(url);
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(visitor.asked().length, mark.slice(0, 20)).to.be.at.most(5);
      await visitor.logIn();
      await context.addCookies([
        { name: 'tidegate-access', value: mark, domain: 'localhost', path: '/dashboard' },
      ]);
      await page.reload();
      await heading(page, 'Websites');
      await context.close();
    }
  });

  it('find no token of an invitation or a reset in address, history or referrer', async () => {
    const owner = await dashboard.enter();
    const { data } = await send(owner, 'POST', '/v1/members', { email: 'late@example.com', role: 'viewer' });
    for (const place of ['accept', 'reset']) {
      const visitor = await dashboard.newVisitor();
      const { page, context } = visitor;
      const seen: string[] = [];
      context.on('request', (request) => {
        // What reads the invitation has the token where it belongs, in its body.
        const body = request.url().endsWith('/v1/auth/invitation') ? '' : request.postData();
        seen.push(`${request.url()} ${body ?? ''} ${JSON.stringify(request.headers())}`);
      });
      await page.goto(`${dashboard.origin}/dashboard/${place}#${data.token}`);
      await page.getByLabel('Password').waitFor();
      await eventually(() => page.url()).equals(`${dashboard.origin}/dashboard/${place}`);
      const kept = await page.evaluate(
        'JSON.stringify([location.href, history.state, document.referrer, { ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML, performance.getEntries().slice(1).map(({ name }) => name)])',
      );
      expect(kept).not.to.include(data.token);
      await page.goto(`${dashboard.origin}/dashboard/login`);
      await page.goBack();
      await page.locator('#content h1').waitFor();
      await page.getByLabel('Email').waitFor({ state: 'detached' });
      expect(page.url()).not.to.include('#');
      expect(seen.filter((each) => each.includes(data.token) && !each.includes('#'))).to.deep.equal([]);
    }
  });

  it('find no file of the server by odd paths and encodings', async () => {
    const { server } = dashboard;
    const document = (await server.call('GET', '/dashboard')).body;
    for (const path of [
      '/dashboard/..%2f..%2fpackage.json',
      '/dashboard/%2e%2e/%2e%2e/package.json',
      '/dashboard/..\\..\\package.json',
      '/dashboard/%5c..%5c..%5cpackage.json',
      '/dashboard/%00.js',
      '/dashboard/document.html%00.js',
      '/dashboard/__proto__',
      '/dashboard/constructor.js',
      '/dashboard/.env',
      '/dashboard/%2eenv',
      '/dashboard//evil.example/x',
      '/dashboard/%c0%ae%c0%ae/x',
      '/dashboard/%',
      `/dashboard/${'a/'.repeat(2_000)}`,
      '/dashboard;x/y.js',
      '/DASHBOARD/main.js.map',
    ]) {
      const answer = await server.call('GET', path);
      const isDocument = answer.status === 200 && answer.body === document;
      expect(isDocument || answer.status >= 400, `${path}: ${answer.status}`).to.equal(true);
      expect(answer.status, path).to.be.below(500);
      expect(answer.headers.get('location'), path).to.equal(null);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await server.call(method, '/dashboard')).status, method).to.be.within(400, 499);
  });

  it('refuse a frame around the pages', async () => {
    const visitor = await dashboard.enter();
    const { page, context } = visitor;
    await context.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${dashboard.origin}/dashboard/keys"></iframe>`,
      }),
    );
    await page.goto('http://evil.example/');
    await eventually(() => page.frames()[1]?.url()).equals('chrome-error://chromewebdata/');
    await page.waitForLoadState('networkidle');
    // Another origin is asked, and the browser says that it refuses the frame.
    visitor.complaints.length = 0;
    const frame = page.frames()[1];
    expect(frame?.url()).to.equal('chrome-error://chromewebdata/');
    expect(await frame?.content()).not.to.match(/frame-nav|key_all|tg_access/);
  });
});
