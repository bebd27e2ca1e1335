/** The page of an invitation in a real browser: it says who invites whom to what before anybody accepts. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';

const ACCEPT = '/dashboard/accept';

describe('the page of an invitation', () => {
  const dashboard = useDashboard({ ownLogins: true });

  /** The token of an invitation that the owner makes. */
  async function invite(owner: Visitor, email: string, role: string): Promise<string> {
    const answer = await owner.page.request.post(`${dashboard.origin}/v1/members`, {
      headers: { origin: dashboard.origin },
      data: { email, role },
    });
    expect(answer.status()).to.equal(201);
    return (await answer.json()).data.token;
  }
  const facts = (page: Page) => page.locator('.facts dd').allTextContents();

  it('names the organization, the role and the email, and is used up by the acceptance alone', async () => {
    const owner = await dashboard.enter();
    const token = await invite(owner, 'grace@example.com', 'viewer');
    const guest = await dashboard.newVisitor();
    const { page } = guest;
    for (let time = 0; time < 2; time++) {
      await page.goto('about:blank');
      await page.goto(`${dashboard.origin}${ACCEPT}#${token}`);
      await page.locator('.facts').waitFor();
      const [organization, ...rest] = await facts(page);
      expect(organization).to.equal(await owner.page.locator('.frame-head bdi').first().textContent());
      expect(rest).to.deep.equal(['Viewer', 'grace@example.com']);
    }
    await guest.expectAccessible('an invitation');
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Make an account' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();

    guest.allowRefusals();
    await page.goto('about:blank');
    await page.goto(`${dashboard.origin}${ACCEPT}#${token}`);
    await page.getByText('This invitation is used up, expired or withdrawn.').waitFor();
    expect(await page.getByRole('textbox').count(), 'fields to fill in vain').to.equal(0);
  });

  it('tells who is logged in as somebody else that the invitation is not theirs', async () => {
    const owner = await dashboard.enter();
    const token = await invite(owner, 'joan@example.com', 'member');
    await owner.page.goto(`${dashboard.origin}${ACCEPT}#${token}`);
    await owner.page
      .getByText(/^You are logged in as owner@example.com, and the invitation is for/)
      .waitFor();
    expect((await facts(owner.page)).slice(1)).to.deep.equal(['Member', 'joan@example.com']);
    await owner.page.getByRole('button', { name: 'Make an account' }).waitFor();
    expect(await owner.page.getByRole('button', { name: 'Join', exact: true }).count()).to.equal(0);
    await owner.expectAccessible('an invitation of somebody else');
  });
});
