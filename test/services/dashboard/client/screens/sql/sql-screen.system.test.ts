/** The screen of custom SQL in a real browser: rows, faults of the query, views, and an address that shows the same. */
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';

const PATH = '/dashboard/websites/web_shop/sql';

describe('the screen of custom SQL', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    for (const path of ['/a', '/a', '/b']) {
      const event = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'a', path };
      await server.call('POST', '/track', { key: server.keys.all, body: event });
    }
  });

  it('runs a query, shows its rows, and an address that shows the same', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/settings`);
    await page.getByRole('link', { name: 'SQL', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /^SQL over/ }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    const row = page.getByRole('row', { name: '/a' });
    await row.waitFor();
    expect(await row.innerText()).to.match(/\/a\s+2/);
    await page
      .getByRole('status')
      .getByText(/^2 rows in/)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('sql')).to.include('FROM pageviews');
    await page.reload();
    await row.waitFor();
    await page.getByRole('button', { name: 'Views and columns' }).click();
    await page.getByText('custom_events').waitFor();
  });

  it('says what is wrong with a query, as the API does, and runs the next one', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${PATH}`);
    const query = page.getByLabel('Query');
    await query.fill('DROP TABLE events');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').waitFor();
    // The answer of the API is a 400.
    visitor.complaints.length = 0;
    await query.fill("SELECT '<b>x</b>' AS html, NULL AS nothing, [1, 2] AS list");
    await page.getByRole('button', { name: 'Run' }).click();
    const row = page.getByRole('row', { name: '<b>x</b>' });
    await row.waitFor();
    expect(await row.innerText()).to.match(/<b>x<\/b>\s+–\s+\[1,2\]/);
    expect(await page.locator('main b').count()).to.equal(0);
  });

  it('speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    await visitor.page.goto(`${dashboard.origin}${PATH}`);
    await visitor.page.getByRole('heading', { level: 1, name: /^SQL über/ }).waitFor();
  });
});
