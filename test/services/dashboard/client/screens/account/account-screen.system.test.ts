/** The own account in real browsers: name, password, sessions. */
import { expect } from 'chai';
import { OWNER, useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';

describe('the screen of the account', () => {
  const dashboard = useDashboard({ ownLogins: true });

  it('changes the own name, and shows it in the header of every tab', async () => {
    const visitor = await dashboard.enter('/dashboard/account');
    const { page } = visitor;
    const other = await visitor.newTab('/dashboard/organization');
    await other.getByRole('heading', { level: 1 }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('<b>Otto</b>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your name is changed.').waitFor();
    for (const tab of [page, other]) {
      await tab.locator('.user summary bdi', { hasText: '<b>Otto</b>' }).waitFor();
    }
  });

  it('marks this session, shows devices, and ends one elsewhere at once', async () => {
    const here = await dashboard.enter('/dashboard/account');
    const phone = await dashboard.enter('/dashboard', OWNER, { userAgent: PHONE });
    await here.page.reload();
    const rows = here.page.locator('.session');
    const marked = rows.filter({ hasText: 'This session' });
    await marked.waitFor();
    await here.settled();
    expect(await marked.count()).to.equal(1);
    expect(await marked.getByRole('button').count()).to.equal(0);
    await here.page.getByRole('button', { name: 'End the session of Safari on iOS' }).click();
    await here.page.getByText('The session has ended.').waitFor();
    phone.allowRefusals();
    await phone.page.reload();
    await phone.page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  it('refuses a wrong current password beside its field, and ends the other sessions by a new one', async () => {
    const here = await dashboard.enter('/dashboard/account');
    const other = await dashboard.enter('/dashboard');
    const { page } = here;
    here.allowRefusals();
    const change = async (current: string, next: string): Promise<void> => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('wrong', 'another password');
    await page.getByText('The current password is wrong.').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await here.expectAccessible('a refused password');
    await change(OWNER.password, 'another password');
    await page.getByText('Your other sessions have ended.').waitFor();
    other.allowRefusals();
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await change('another password', OWNER.password);
    await page.getByText('Your other sessions have ended.').waitFor();
  });

  it('ends all other sessions', async () => {
    const here = await dashboard.enter('/dashboard/account');
    await dashboard.enter('/dashboard');
    await here.page.reload();
    await here.page.getByRole('button', { name: 'End all others' }).click();
    await here.page.getByText('All other sessions have ended.').waitFor();
    await here.page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    await eventually(() => here.page.locator('.session').count()).equals(1);
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const viewport = { width, height: 800 };
        const visitor = await dashboard.enter('/dashboard/account', OWNER, { colorScheme, viewport });
        await visitor.page.getByText('This session').waitFor();
        await visitor.expectAccessible('account');
      });
    }
  }
});
