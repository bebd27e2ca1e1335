/** The screen of the organization in real browsers: settings that all see at once, limits as they are. */
import { expect } from 'chai';
import { OWNER, useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

describe('the screen of the organization', () => {
  const dashboard = useDashboard();

  it('shows the limits that bind, and which of them are its own', async () => {
    const { page } = await dashboard.enter('/dashboard/organization');
    const row = (limit: string) => page.getByRole('row', { name: limit });
    await row('Requests per 10 seconds').waitFor();
    expect(await row('Requests per 10 seconds').innerText()).to.match(/1,000,000\s+Own/);
    expect(await row('Custom SQL queries').innerText()).to.match(/30\s+Service/);
    const usage = page.getByRole('table', { name: 'Usage' });
    await eventually(() => usage.getByRole('row').count()).equals(13);
  });

  it('changes the time zone, which the header shows at once in every tab', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const { page } = visitor;
    const other = await visitor.newTab('/dashboard');
    await other.getByText(/^Times in /).waitFor();
    await page.getByLabel('Time zone').fill('Mars/Base');
    visitor.allowRefusals();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No such time zone.').waitFor();
    await page.getByLabel('Time zone').fill('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All members see it from now on.').waitFor();
    for (const tab of [page, other]) await tab.getByText('Times in Asia/Tokyo').waitFor();
  });

  it('undoes nobody else’s change, and loses nothing that was typed', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Renamed here');
    const { status } = await dashboard.server.call('PATCH', '/v1/organization', {
      key: dashboard.server.keys.all,
      body: { slug: 'from-elsewhere' },
    });
    expect(status).to.equal(200);
    visitor.allowRefusals();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this in the meantime.').waitFor();
    await page.getByRole('button', { name: 'Load it again' }).click();
    await eventually(() => page.getByLabel('Slug').inputValue()).equals('from-elsewhere');
    await visitor.settled();
    expect(await page.getByLabel('Name').inputValue()).to.equal('Renamed here');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All members see it from now on.').waitFor();
    await page.locator('.frame-head').getByText('Renamed here').waitFor();
    await visitor.settled();
    expect(await page.getByLabel('Slug').inputValue()).to.equal('from-elsewhere');
  });

  it('shows what was saved by its answer, and asks for it no more', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const { page } = visitor;
    await page.getByLabel('Slug').fill('saved-at-once');
    const asked = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved. All members see it from now on.').waitFor();
    });
    expect(asked).to.deep.equal(['PATCH /v1/organization', 'GET /v1/auth/session']);
    expect(await page.getByLabel('Slug').inputValue()).to.equal('saved-at-once');
    // Its version is the present one: the next change is not refused.
    await page.getByLabel('Slug').fill('saved-again');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All members see it from now on.').waitFor();
  });

  it('says that a slug is taken beside its field', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const taken = { key: dashboard.server.keys.free, body: { slug: 'taken' } };
    expect((await dashboard.server.call('PATCH', '/v1/organization', taken)).status).to.equal(200);
    visitor.allowRefusals();
    await visitor.page.getByLabel('Slug').fill('taken');
    await visitor.page.getByRole('button', { name: 'Save' }).click();
    await visitor.page.getByText('This slug is taken.').waitFor();
    await eventually(() => visitor.page.getByLabel('Slug').getAttribute('aria-invalid')).equals('true');
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const viewport = { width, height: 800 };
        const visitor = await dashboard.enter('/dashboard/organization', OWNER, { colorScheme, viewport });
        await visitor.page.getByRole('heading', { name: 'Usage' }).waitFor();
        await visitor.expectAccessible('organization');
      });
    }
  }
});
