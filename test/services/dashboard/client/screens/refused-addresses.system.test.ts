/** Addresses that somebody mistyped or may not open, in a real browser: what is said fits, and blames no role that is not at fault. */
import { expect } from 'chai';
import { useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';

describe('addresses that are refused', () => {
  const dashboard = useDashboard();

  async function open(path: string): Promise<Visitor> {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    visitor.allowRefusals();
    await visitor.page.goto(`${dashboard.origin}/dashboard${path}`);
    return visitor;
  }

  for (const screen of ['goals', 'funnels', 'retention', 'journeys', 'sessions', 'sql?sql=SELECT+1']) {
    it(`says that there is no such website, and asks nobody for another role: ${screen}`, async () => {
      const { page } = await open(`/websites/web_none/${screen}`);
      await page.getByRole('alert').getByText('There is nothing at this address.').first().waitFor();
      expect(await page.getByText('Your role does not open this page.').count()).to.equal(0);
    });
  }

  it('tells who makes operators, which owners and admins do not', async () => {
    const viewer = await addMember(dashboard.server, 'viewer');
    const { page } = await dashboard.enter('/dashboard/platform', viewer);
    const alert = page.getByRole('alert');
    await alert.getByText('tidegate users operator').waitFor();
    expect(await alert.innerText()).not.to.include('Ask an owner');
  });

  it('says what was asked for wrongly where nobody filled in a form', async () => {
    const { page } = await open(`/websites/web_shop/sessions?session=${'x'.repeat(2_048)}`);
    const alert = page.getByRole('alert').first();
    await alert.getByText('What was asked for is not allowed.').waitFor();
    expect(await alert.innerText()).not.to.match(/form/i);
    expect(await alert.getByRole('button').count()).to.equal(0);
  });
});
