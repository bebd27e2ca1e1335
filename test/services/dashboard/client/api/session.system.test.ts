/** The session of the pages in a real browser: it runs out, is renewed, ended and changed while pages are open. */
import { expect } from 'chai';
import { OWNER, useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';

const LONG_READ = '/v1/auth/session';
/** A few rounds that find a fault; the long form is REFRESH_SESSIONS=4 REFRESH_ROUNDS=25. */
const SESSIONS = Number(process.env.REFRESH_SESSIONS ?? 1);
const ROUNDS = Number(process.env.REFRESH_ROUNDS ?? 8);

describe('the session of the dashboard', () => {
  const dashboard = useDashboard({ ownLogins: true });

  const count = (visitor: Visitor, request: string): number =>
    visitor.requests.filter((each) => each === request).length;

  /** Takes the access cookie away and no other, as its end does; `clearCookies` would take all, and put the others back. */
  async function loseAccess({ context, page }: Visitor): Promise<void> {
    const browser = await context.newCDPSession(page);
    await browser.send('Network.deleteCookies', { name: 'tg_access', url: dashboard.origin });
    await browser.detach();
  }

  it('is renewed without a word when its access runs out, and the call is made again', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    visitor.allowRefusals();
    const { page } = visitor;
    await visitor.settled();
    await loseAccess(visitor);
    await page.getByRole('link', { name: 'Websites' }).click();
    await page.getByText('Shop', { exact: true }).first().waitFor();
    await visitor.settled();
    expect(count(visitor, 'POST /v1/auth/refresh')).to.equal(1);
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('is renewed before the first call when a page is opened after it ran out', async () => {
    const visitor = await dashboard.enter();
    await visitor.settled();
    await loseAccess(visitor);
    await visitor.page.evaluate("document.cookie = 'tidegate-access=1.mark; Path=/dashboard'");
    visitor.requests.length = 0;
    await visitor.page.reload();
    await visitor.page.getByText('Shop', { exact: true }).first().waitFor();
    expect(visitor.asked().slice(0, 2)).to.deep.equal(['POST /v1/auth/refresh', `GET ${LONG_READ}`]);
  });

  // A session is refreshed thirty times a minute at most.
  for (let session = 1; session <= SESSIONS; session++) {
    it(`is renewed once for both tabs, ${ROUNDS} times over: session ${session} of ${SESSIONS}`, async () => {
      const visitor = await dashboard.enter();
      visitor.allowRefusals();
      const other = await visitor.newTab('/dashboard');
      for (const tab of [visitor.page, other]) {
        await tab.getByText('Shop', { exact: true }).first().waitFor();
        await visitor.settled(tab);
      }
      for (let round = 1; round <= ROUNDS; round++) {
        visitor.requests.length = 0;
        await loseAccess(visitor);
        const name = round % 2 ? 'Organization' : 'Websites';
        const turns = [visitor.page, other].map(async (tab) => {
          await tab.getByRole('link', { name }).click();
          await tab.getByRole('heading', { level: 1, name }).waitFor();
          await visitor.settled(tab);
        });
        await Promise.all(turns);
        expect(count(visitor, 'POST /v1/auth/refresh'), `round ${round}`).to.be.at.most(1);
        expect(await visitor.page.getByRole('dialog').count(), `round ${round}`).to.equal(0);
      }
    }).timeout(240_000);
  }

  it('asks for a login over the page when it is over, and keeps address and form', async () => {
    const visitor = await dashboard.enter('/dashboard/account?tab=name');
    visitor.allowRefusals();
    const { page } = visitor;
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Ada, not saved yet');
    await visitor.settled();
    await visitor.context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What you typed is still there').waitFor();
    await visitor.expectAccessible('the login over a page');
    await dialog.getByLabel('Password').fill(OWNER.password);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => name.inputValue()).equals('Ada, not saved yet');
    expect(page.url()).to.equal(`${dashboard.origin}/dashboard/account?tab=name`);
    // The call that met the end of the session is made again.
    await page.getByText('Your name is changed.').waitFor();
    await eventually(async () => {
      const headers = { origin: dashboard.origin };
      const view = await visitor.context.request.get(`${dashboard.origin}${LONG_READ}`, { headers });
      return (await view.json()).data.user.name;
    }).equals('Ada, not saved yet');
  });

  it('ends in all tabs when one logs out, and leaves nothing behind in the documents', async () => {
    const visitor = await dashboard.enter();
    const other = await visitor.newTab('/dashboard/organization');
    await other.getByRole('heading', { level: 1 }).waitFor();
    for (const tab of [visitor.page, other]) await visitor.settled(tab);
    await visitor.page.locator('.user summary').click();
    await visitor.page.getByRole('button', { name: 'Log out' }).click();
    for (const tab of [visitor.page, other]) {
      await tab.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(await tab.content()).not.to.match(/web_shop|owner@example\.com/);
    }
    const cookies = async () => (await visitor.context.cookies()).map(({ name }) => name);
    await eventually(cookies).equals([]);
  });

  it('belongs to own pages: another origin, a null origin and a frame get nothing', async () => {
    const visitor = await dashboard.enter();
    const cookie = (await visitor.context.cookies())
      .filter(({ name }) => name === 'tg_access')
      .map(({ name, value }) => `${name}=${value}`)
      .join();
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await dashboard.server.call('GET', LONG_READ, { headers: { cookie, origin } });
      expect(answer.status, origin).to.equal(401);
    }
    const page = await fetch(`${dashboard.origin}/dashboard`);
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).to.equal('DENY');
  });
});
