/** The list of websites at its ends: none, and more than a page holds. */
import { expect } from 'chai';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createWebsite } from '../../../../support/website-writes.ts';

describe('the websites of the dashboard, none or many', () => {
  const dashboard = useDashboard();

  it('leads to the first one where there is none, without a query', async () => {
    const { server } = dashboard;
    for (const id of ['web_shop', 'web_blog']) {
      expectSuccess(await server.call('DELETE', `/v1/websites/${id}`, { key: server.keys.all }), 204);
    }
    const visitor = await dashboard.enter();
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Add your first website' }).waitFor();
    expect(visitor.requests.filter((request) => request.includes('/v1/query'))).to.deep.equal([]);
    await visitor.expectAccessible('no website');
    await page.getByRole('link', { name: 'Create a website' }).click();
    await page.getByRole('heading', { level: 1, name: 'New website' }).waitFor();

    const viewer = await addMember(server, 'viewer');
    const other = await dashboard.enter('/dashboard', viewer);
    await other.page.getByText('Your role cannot create one.').waitFor();
    expect(await other.page.getByRole('link', { name: 'Create a website' }).count()).to.equal(0);
  });

  it('pages, searches and sorts 120 of them, each page by one batch, and the address holds it', async () => {
    for (let i = 1; i <= 120; i++) {
      const number = String(i).padStart(3, '0');
      const fields = { name: `Site ${number}`, domain: `s${number}.example.com` };
      const { createdAt } = await createWebsite(dashboard.server, fields);
      // None is as old as another: the newest is the last.
      await eventually(() => Date.now()).satisfies((now) => expect(now).to.be.above(Date.parse(createdAt)));
    }
    const visitor = await dashboard.enter();
    const { page } = visitor;
    const cards = page.locator('.website-card');
    const names = async () => (await cards.locator('h2').allTextContents()).map((name) => name.slice(5));
    const search = () => new URL(page.url()).search;
    const settled = async (first: string) => {
      await cards.first().getByRole('link', { name: first, exact: true }).waitFor();
      await cards.first().getByText('No event yet').waitFor();
    };
    await settled('Site 001');
    expect(await names()).to.have.length(47);
    await visitor.settled();
    const batch = page.waitForRequest((request) => request.url().endsWith('/v1/query'));
    const asked = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'Next page' }).click();
      await settled('Site 048');
    });
    expect((await batch).postDataJSON()).to.have.length(50);
    expect(asked).to.deep.equal(['GET /v1/websites', 'POST /v1/query']);
    await visitor.expectAccessible('the second page of many websites');
    await page.getByRole('button', { name: 'Next page' }).click();
    await settled('Site 095');
    expect(await names()).to.have.length(26);
    expect(await page.getByRole('button', { name: 'Next page' }).count()).to.equal(0);
    await page.reload();
    await settled('Site 095');
    await page.goBack();
    await settled('Site 048');

    await page.getByLabel('Search by name or domain').fill('S07');
    await settled('Site 070');
    await eventually(names).equals(Array.from({ length: 10 }, (_, i) => `07${i}`));
    await eventually(search).equals('?search=S07');
    await page.getByLabel('Search by name or domain').fill('nothing like it');
    await page.getByText('No website fits the search').waitFor();
    await page.getByLabel('Search by name or domain').fill('');
    await settled('Site 001');
    await page.getByLabel('Order').selectOption('Newest first');
    await settled('Site 120');
    await eventually(search).equals('?sort=-createdAt');
  });
});
