/** The audit in a real browser: who did what, found again by who and what. */
import { expect } from 'chai';
import { OWNER, useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

describe('the screen of the audit', () => {
  const dashboard = useDashboard({ ownLogins: true });

  it('tells in words who did what from where, with the exact moment', async () => {
    const { page } = await dashboard.enter('/dashboard/audit');
    const row = page.getByRole('row', { name: 'Logged in' }).first();
    await eventually(() => row.innerText()).satisfies((text) =>
      expect(text).to.match(/owner@example\.com[\s\S]*Logged in[\s\S]*10\.\d+\.\d+\.\d+/),
    );
    expect(await row.locator('time').getAttribute('datetime')).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('finds by action and by who, keeps both in the address, and shows the same at that address', async () => {
    const call = { key: dashboard.server.keys.all, body: { timezone: 'Europe/Vienna' } };
    expect((await dashboard.server.call('PATCH', '/v1/organization', call)).status).to.equal(200);
    const { page } = await dashboard.enter('/dashboard/audit');
    await page.getByLabel('Who').selectOption({ label: 'all' });
    await page.getByRole('row', { name: 'Changed the organization' }).waitFor();
    await page.getByRole('row', { name: 'Logged in' }).first().waitFor({ state: 'detached' });
    await page.getByLabel('Action').selectOption('organization.change');
    await page.waitForURL(/action=organization\.change/);
    await eventually(() => new URL(page.url()).searchParams.get('who')).equals('key_all');
    await page.reload();
    const row = page.getByRole('row', { name: 'Changed the organization' });
    await eventually(() => row.innerText()).satisfies((text) => expect(text).to.include('API key all'));
    await page.getByLabel('Action').selectOption('link.delete');
    await page.getByText('No record fits this.').waitFor();
  });

  it('tells fields in words, and by their names in the API where they have none', async () => {
    const { server } = dashboard;
    const body = { name: 'Told in words', key: 'told-in-words', type: 'boolean', defaultValue: true };
    const answer = await server.call('POST', '/v1/flags', { key: server.keys.all, body });
    expect(answer.status).to.equal(201);
    const { id } = answer.body.data;
    const storageState = await dashboard.loggedIn();
    const { page } = await dashboard.newVisitor({ storageState, locale: 'de-DE' });
    await page.goto(`${dashboard.origin}/dashboard/audit?action=flag.create`);
    const fields = page.getByText('Felder:');
    await eventually(() => fields.innerText()).equals('Felder: Name, key, Art, defaultValue');
    expect(await fields.locator('code').allInnerTexts()).to.deep.equal(['key', 'defaultValue']);
    expect(await fields.getByText('Art').getAttribute('title')).to.equal('type');
    // What it is about has its name, and its identifier once it is deleted.
    await page.getByRole('row').getByText('Told in words', { exact: true }).waitFor();
    expect(await page.getByRole('row').getByText(id).count()).to.equal(0);
    expect((await server.call('DELETE', `/v1/flags/${id}`, { key: server.keys.all })).status).to.equal(204);
    await page.reload();
    await page.getByRole('row').getByText(id).waitFor();
  });

  it('costs one request at first, and one for each change', async () => {
    const visitor = await dashboard.enter('/dashboard/audit');
    const { page } = visitor;
    const first = await visitor.asks(async () => {
      await page.reload();
      await page.getByRole('row', { name: 'Logged in' }).first().waitFor();
    });
    expect(first.filter((each) => each !== 'GET /v1/auth/session')).to.deep.equal(['GET /v1/audit']);
    const sorted = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'Sort by When' }).click();
      await page.waitForURL(/sort=at/);
    });
    expect(sorted).to.deep.equal(['GET /v1/audit']);
    const later = await visitor.asks(async () => {
      await page.getByLabel('First day').fill('2999-01-01');
      await page.getByText('No record fits this.').waitFor();
    });
    expect(later).to.deep.equal(['GET /v1/audit']);
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const viewport = { width, height: 800 };
        const visitor = await dashboard.enter('/dashboard/audit', OWNER, { colorScheme, viewport });
        await visitor.page.getByRole('row', { name: 'Logged in' }).first().waitFor();
        await visitor.expectAccessible('audit');
      });
    }
  }
});
