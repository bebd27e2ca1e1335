/** The screen of custom SQL in a real browser: rows, faults of the query, views, and an address that shows the same. */
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';

interface Config {
  readonly arguments?: readonly { readonly required: boolean }[];
}

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
    await page.getByRole('heading', { level: 1, name: 'SQL', exact: true }).waitFor();
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
    await page.getByLabel('Query').fill('SELECT 1 AS one');
    await page.getByRole('button', { name: 'Run' }).click();
    await page
      .getByRole('status')
      .getByText(/^1 row in/)
      .waitFor();
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
    await page.getByRole('alert').getByText('The query does not run as it stands.').waitFor();
    // The answer of the API is a 400.
    visitor.complaints.length = 0;
    await query.fill("SELECT '<b>x</b>' AS html, NULL AS nothing, [1, 2] AS list");
    await page.getByRole('button', { name: 'Run' }).click();
    const row = page.getByRole('row', { name: '<b>x</b>' });
    await row.waitFor();
    expect(await row.innerText()).to.match(/<b>x<\/b>\s+–\s+\[1,2\]/);
    expect(await page.locator('main b').count()).to.equal(0);
  });

  it('takes parameters, draws a line over time, and says what is left of the limit', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${PATH}`);
    await page
      .getByLabel('Query')
      .fill(
        "SELECT timestamp::DATE AS day, count(*) AS views, 2 AS two FROM pageviews WHERE path = $path AND 1 < $most AND '$no' <> '' GROUP BY day",
      );
    await page.getByLabel('$path').fill('/a');
    await page.getByLabel('$most').fill('3');
    expect(await page.getByLabel('$no').count()).to.equal(0);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/^2\d of 30 are left of the limit with least left/).waitFor();
    const cells = page.getByRole('table', { name: 'Result' }).locator('tbody td');
    expect(await cells.allInnerTexts()).to.deep.equal(['2', '2']);
    await page.getByRole('tab', { name: 'Line' }).click();
    await page.getByRole('slider', { name: 'Result: views' }).waitFor();
    await page.reload();
    expect(await page.getByLabel('$path').inputValue()).to.equal('/a');
    await page.getByLabel('Column').selectOption('two');
    await page.getByRole('slider', { name: 'Result: two' }).waitFor();
  });

  it('answers datasets of the catalogue, each as a table, kept in the address', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${PATH}`);
    await page.getByRole('tab', { name: 'Datasets' }).click();
    for (const name of ['pages', 'countries']) {
      await page.getByLabel('Dataset', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    }
    // A name that is not offered is told of where it was typed, and can be mended there.
    await page.getByLabel('Dataset', { exact: true }).fill('cuntries');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('There is no dataset “cuntries”').waitFor();
    expect(await page.getByLabel('Dataset', { exact: true }).inputValue()).to.equal('cuntries');
    await page.getByLabel('Dataset', { exact: true }).fill('');
    await page.getByRole('heading', { name: 'countries' }).waitFor();
    const row = page.getByRole('table', { name: 'pages' }).getByRole('row', { name: '/a' });
    expect(await row.innerText()).to.match(/^\/a\s/);
    expect(new URL(page.url()).searchParams.get('datasets')).to.equal('pages,countries');
    const { body } = await dashboard.server.call('GET', '/v1/query/types');
    const needs = ({ arguments: all = [] }: Config) => all.some(({ required }) => required);
    const alone = Object.values(body.configs as Record<string, Config>).filter((config) => !needs(config));
    expect(await page.locator('main datalist option').count()).to.equal(alone.length - 2);
    await page.getByRole('button', { name: 'Remove pages' }).click();
    await row.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'countries' }).waitFor();
  });

  it('speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    await visitor.page.goto(`${dashboard.origin}${PATH}`);
    await visitor.page.getByRole('heading', { level: 1, name: 'SQL', exact: true }).waitFor();
  });
});
