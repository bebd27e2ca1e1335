/** The login over a page in a real browser: what waits for it goes on for whom it was meant, and for nobody else. */
import { expect } from 'chai';
import { OWNER, useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';
import { eventually } from '../../../../support/eventually.ts';
import { withSecondOrganization } from '../../../../support/second-organization.ts';

describe('the login over a page', () => {
  const dashboard = useDashboard({ ownLogins: true, settings: withSecondOrganization() });

  /** A call of whoever's browser it is, as their own pages make it. */
  async function send({ context }: Visitor, method: string, path: string, data?: object) {
    const headers = { origin: dashboard.origin };
    const answer = await context.request.fetch(`${dashboard.origin}${path}`, { method, data, headers });
    expect(answer.status(), `${method} ${path}`).to.be.below(300);
    return answer.status() === 204 ? null : answer.json();
  }
  /** Takes both cookies of the session away, and leaves the mark of the pages. */
  async function loseSession({ context, page }: Visitor): Promise<void> {
    const browser = await context.newCDPSession(page);
    const url = `${dashboard.origin}/v1/auth`;
    for (const name of ['tg_access', 'tg_refresh'])
      await browser.send('Network.deleteCookies', { name, url });
    await browser.detach();
  }
  it('loses nothing when a session ends while it acts for another organization than the first', async () => {
    const visitor = await dashboard.enter();
    visitor.allowRefusals();
    const { page } = visitor;
    await page.locator('.frame-head .menu summary').first().click();
    await page.getByRole('button', { name: /^Other/ }).click();
    await page.locator('.frame-head .menu summary strong', { hasText: 'Other' }).first().waitFor();
    await page.locator('.user summary').click();
    await page.getByRole('link', { name: 'Account' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Grace, not saved yet');
    await visitor.settled();
    await loseSession(visitor);
    await page.getByRole('button', { name: 'Save' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).to.equal(OWNER.email);
    // It waits for an answer, however often Escape is pressed.
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    await eventually(() => page.evaluate('document.activeElement.name')).equals('password');
    const acts = dialog.locator('.row', { hasText: 'Log in' }).getByRole('button');
    expect(await acts.allInnerTexts()).to.deep.equal(['Log in', 'Cancel']);
    const [first, second] = await Promise.all([acts.nth(0).boundingBox(), acts.nth(1).boundingBox()]);
    expect(second?.y).to.equal(first?.y);
    await dialog.getByLabel('Password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).to.equal(`${dashboard.origin}/dashboard/account`);
    await eventually(() => name.inputValue()).equals('Grace, not saved yet');
    // The call that waited for the login goes on after it.
    await page.getByText('Your name is changed.').waitFor();
    await eventually(async () => {
      const { data } = await send(visitor, 'GET', '/v1/auth/session');
      return [data.activeOrganizationId, data.user.name];
    }).equals(['org_other', 'Grace, not saved yet']);
  });

  it('sends nothing of one user as another one, and closes when another tab logged in or out', async () => {
    const visitor = await dashboard.enter('/dashboard/account');
    visitor.allowRefusals();
    const viewer = await addMember(dashboard.server, 'viewer');
    const { page } = visitor;
    const second = await visitor.newTab('/dashboard');
    await second.getByRole('heading', { level: 1, name: 'Websites' }).waitFor();
    await visitor.settled(second);
    const wait = async (text: string) => {
      await page.getByLabel('Name', { exact: true }).fill(text);
      await visitor.settled();
      await loseSession(visitor);
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByRole('dialog').waitFor();
    };
    // The same user comes back in the other tab: the call goes on.
    await wait('Ada of the other tab');
    await send(visitor, 'POST', '/v1/auth/login', OWNER);
    await second.evaluate("new BroadcastChannel('tidegate-session').postMessage('changed')");
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Your name is changed.').waitFor();
    const changed = await send(visitor, 'GET', '/v1/auth/session');
    expect(changed.data.user.name).to.equal('Ada of the other tab');
    // Somebody else comes: the call is given up.
    await wait('Ada, meant for nobody else');
    await second.evaluate("new BroadcastChannel('tidegate-session').postMessage('logged-out')");
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.logIn(viewer);
    await visitor.settled();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    const { data } = await send(visitor, 'GET', '/v1/auth/session');
    expect([data.user.email, data.user.name]).to.deep.equal([viewer.email, 'viewer']);
  });
});
