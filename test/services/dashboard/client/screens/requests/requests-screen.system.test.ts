/** The screen of requests over time in a real browser: by outcome, endpoint, key and the limit that refused, in a range that stands in the address. */
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { LARGER_PLANS } from '../../../../../support/dashboard-looks.ts';
import { eventually } from '../../../../../support/eventually.ts';

describe('the screen of requests over time', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    for (let count = 0; count < 5; count++)
      await server.call('GET', '/v1/websites', { key: server.keys.all });
    for (let count = 0; count < 3; count++)
      await server.call('GET', '/v1/websites', { key: server.keys.trackOnly });
  });

  it('shows requests by what became of them, by endpoint and by key, and keeps the choice in the address', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/organization/limits`);
    await page.getByRole('link', { name: 'What was asked over time' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests over time' }).waitFor();
    await page.clock.install();
    // Counts are written some seconds after the requests.
    const refused = page.getByRole('row', { name: 'Refused for another reason' });
    await eventually(async () => {
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('tabpanel').locator('table, p.soft').first().waitFor();
      return (await refused.count()) > 0 ? refused.innerText() : '';
    }).satisfies((text) => expect(text).to.match(/\s3\s/));
    await page.getByRole('tab', { name: 'Endpoint' }).click();
    expect(await page.getByRole('row', { name: 'websites' }).innerText()).to.match(/websites\s+8\s/);
    await page.getByRole('tab', { name: 'Key' }).click();
    await page.getByRole('row', { name: 'People, by a session' }).waitFor();
    const key = page.getByRole('link', { name: 'track', exact: true });
    expect(await key.getAttribute('title')).to.equal('key_track');
    await page.route('**/v1/api-keys?*', (route) => route.fulfill({ json: { success: true, data: [] } }));
    await page.reload();
    await page.getByRole('row', { name: 'key_track' }).waitFor();
    await page.unroute('**/v1/api-keys?*');
    await page.getByRole('tab', { name: 'Limit that refused' }).click();
    await page.getByText('No limit refused a request in this time.').waitFor();
    await page.getByRole('link', { name: 'Last hour' }).click();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('by'), searchParams.get('range')]).to.deep.equal(['limit', 'hour']);
    await page.reload();
    expect(
      await page.getByRole('tab', { name: 'Limit that refused' }).getAttribute('aria-selected'),
    ).to.equal('true');
    expect(await page.getByRole('link', { name: 'Last hour' }).getAttribute('aria-current')).to.equal('true');
  });

  it('shows what larger plans would have admitted, and says where there is none', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/organization/requests?range=hour`);
    await page.getByRole('tab', { name: 'Larger plans' }).click();
    await page.getByText('No plan has larger numbers').waitFor();
    await page.route('**/v1/usage/plans?range=day', (route) => route.fulfill({ json: LARGER_PLANS }));
    await page.getByRole('link', { name: 'Last 24 hours' }).click();
    const row = page.getByRole('row', { name: 'hobby' });
    expect(await row.innerText()).to.match(/hobby\s+100\s+600\s+no quota\s+no quota\s+50 of 130/);
    await page.getByText('130 requests refused, in 2 different minutes').waitFor();
  });

  it('speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/organization/requests?range=month`);
    await page.getByRole('heading', { level: 1, name: 'Anfragen im Verlauf' }).waitFor();
    await page.getByRole('tab', { name: 'Endpunkt' }).waitFor();
  });
});
