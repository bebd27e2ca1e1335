/** The screen of received events in a real browser: how many came, how many were stored, and why the others were not. */
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

const PATH = '/dashboard/websites/web_shop/ingest';

describe('the screen of received events', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    const event = { name: 'signup', websiteId: 'web_shop', anonymousId: 'a' };
    const send = (body: unknown) => server.call('POST', '/track', { key: server.keys.all, body });
    await send([event, { ...event, eventId: 'twice' }, { ...event, eventId: 'twice' }]);
    await send({ ...event, name: '' });
  });

  it('says how many were stored and why others were not, and leads to the settings', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/settings`);
    await page.getByRole('link', { name: 'Received and dropped events' }).click();
    await page.getByRole('heading', { level: 1, name: /^Events received by/ }).waitFor();
    const tile = page.locator('.tile', { hasText: 'Received' });
    await eventually(async () => {
      await page.reload();
      await tile.waitFor();
      return tile.innerText();
    }).satisfies((text) => expect(text).to.match(/Received\s+4/));
    expect(await page.locator('.tile', { hasText: 'Stored' }).innerText()).to.match(/Stored\s+2/);
    await page.getByRole('row', { name: 'Stored before, by its eventId' }).waitFor();
    await page.getByRole('row', { name: 'The event, or one sent with it, breaks a rule' }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    await page.waitForURL(/\/settings$/);
  });

  it('says that nothing was dropped, and that there is no such website', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/websites/web_blog/ingest`);
    await page.getByText('No event came in this time.').waitFor();
    await page.goto(`${dashboard.origin}${PATH.replace('web_shop', 'web_gone')}`);
    await page.getByRole('heading', { level: 1, name: 'Website' }).waitFor();
    await visitor.settled();
    // Both of its requests were refused.
    visitor.complaints.length = 0;
  });

  it('speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    await visitor.page.goto(`${dashboard.origin}${PATH}`);
    await visitor.page.getByRole('heading', { level: 1, name: /^Empfangene Ereignisse von/ }).waitFor();
  });
});
