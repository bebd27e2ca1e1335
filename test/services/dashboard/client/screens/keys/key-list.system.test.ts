/** The list of API keys in a real browser: found, sorted, paged, marked; its state is the address. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

const LIST = '/dashboard/keys';
const DAY = 86_400_000;

const names = (page: Page) => page.locator('tbody th a').allTextContents();
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

/** Creates a key by the API, as the visitor who is logged in. @returns its identifier and secret */
async function create(page: Page, origin: string, body: object): Promise<{ id: string; secret: string }> {
  const answer = await page.request.post(`${origin}/v1/api-keys`, {
    data: { scopes: ['read:data'], access: { level: 'global' }, ...body },
    headers: { origin },
  });
  expect(answer.status(), await answer.text()).to.equal(201);
  return (await answer.json()).data;
}

describe('the list of API keys', () => {
  const dashboard = useDashboard();

  it('shows each key with its ends, scopes, websites, state and last use, and no secret', async () => {
    const { page } = await dashboard.enter(LIST);
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    expect(await row(page, 'revoked').textContent()).to.include('Revoked');
    expect(await row(page, 'expired').textContent()).to.include('Expired');
    expect(await row(page, 'disabled').textContent()).to.include('Disabled');
    const two = await row(page, 'two').textContent();
    expect(two).to.include('Active').and.to.include('Never used').and.to.include('2 websites');
    expect(two).to.include('read:data').and.not.to.include('track:events');
    const { all } = dashboard.server.keys;
    expect(await row(page, 'all').textContent()).to.include(`${all.slice(0, 8)}…${all.slice(-4)}`);
    const content = await page.content();
    for (const secret of Object.values(dashboard.server.keys)) expect(content).not.to.include(secret);
  });

  it('says when a key ends that expires within 14 days', async () => {
    const { page } = await dashboard.enter('/dashboard/organization');
    const expiresAt = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    // Far from a whole number of days, so that the day told is the same during the test.
    const soon = expiresAt(12.5);
    await create(page, dashboard.origin, { name: 'soon', expiresAt: soon });
    await create(page, dashboard.origin, { name: 'late', expiresAt: expiresAt(15) });
    await page.goto(`${dashboard.origin}${LIST}`);
    expect(await row(page, 'soon').textContent()).to.include('Expires in 12 days');
    expect(await row(page, 'soon').locator('.badge time').getAttribute('datetime')).to.equal(soon);
    expect(await row(page, 'late').textContent()).not.to.include('Expires');
  });

  it('searches names and ends, and keeps the search in the address', async () => {
    const visitor = await dashboard.enter(LIST);
    const { page } = visitor;
    // Longer than what is drawn by lot of any key.
    await page.getByRole('searchbox', { name: 'Search' }).fill('DISABLED');
    await row(page, 'all').waitFor({ state: 'detached' });
    await eventually(() => names(page)).equals(['disabled']);
    await eventually(() => new URL(page.url()).search).equals('?search=DISABLED');
    await page.reload();
    await row(page, 'disabled').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).to.equal('DISABLED');
    await page.getByRole('searchbox').fill(dashboard.server.keys.all.slice(-4));
    await row(page, 'all').waitFor();
    await page.getByRole('searchbox').fill('nobody has this name');
    await page.getByRole('heading', { name: 'No API key found' }).waitFor();
    await visitor.expectAccessible('an empty search');
  });

  it('sorts by name and by creation, the newest first at first', async () => {
    const visitor = await dashboard.enter(`${LIST}?search=o`);
    const { page } = visitor;
    await page.getByRole('table').waitFor();
    const sorted = async (search: string) => {
      await page.waitForURL((url) => url.search === search);
      await visitor.settled();
      return names(page);
    };
    await page.getByRole('button', { name: 'Sort by Name' }).click();
    const down = await sorted('?search=o&sort=-name');
    await page.getByRole('button', { name: 'Sort by Name' }).click();
    const up = await sorted('?search=o&sort=name');
    expect(up.length).to.be.greaterThan(1);
    expect(up).to.deep.equal([...up].sort());
    expect(down).to.deep.equal([...up].reverse());
    const heading = page.getByRole('columnheader', { name: /Name/ });
    await eventually(() => heading.getAttribute('aria-sort')).equals('ascending');
  });

  it('pages as the API pages, and the way back leads to the page before', async () => {
    const { page } = await dashboard.enter('/dashboard/organization');
    for (let i = 0; i < 55; i++) {
      await create(page, dashboard.origin, { name: `paged ${String(i).padStart(2, '0')}` });
    }
    await page.goto(`${dashboard.origin}${LIST}?search=paged&sort=name`);
    await row(page, 'paged 49').waitFor();
    expect(await names(page)).to.have.length(50);
    await page.getByRole('button', { name: 'Next page' }).click();
    await row(page, 'paged 54').waitFor();
    await eventually(async () => (await names(page)).length).equals(5);
    await page.goBack();
    await row(page, 'paged 00').waitFor();
    await page.goForward();
    await row(page, 'paged 54').waitFor();
    await page.getByRole('button', { name: 'First page' }).click();
    await row(page, 'paged 00').waitFor();
  });

  it('asks the API once, and a viewer not at all', async () => {
    const visitor = await dashboard.enter(LIST);
    await visitor.page.getByRole('table').waitFor();
    await visitor.settled();
    const asked = () => visitor.requests.filter((request) => request.endsWith('/v1/api-keys'));
    expect(asked()).to.deep.equal(['GET /v1/api-keys']);

    const { origin } = dashboard;
    const invited = await visitor.page.request.post(`${origin}/v1/members`, {
      data: { email: 'viewer@example.com', role: 'viewer' },
      headers: { origin },
    });
    const { token } = (await invited.json()).data;
    const viewer = { email: 'viewer@example.com', password: 'correct battery' };
    const accepted = await visitor.page.request.post(`${origin}/v1/auth/accept`, {
      data: { token, name: 'Viewer', password: viewer.password },
      headers: { origin },
    });
    expect(accepted.status()).to.be.oneOf([200, 201]);
    for (const path of [LIST, `${LIST}/new`, `${LIST}/key_all`]) {
      const { page, requests } = await dashboard.enter(path, viewer);
      await page.getByText('Your role does not open this page.').waitFor();
      expect(await page.getByRole('link', { name: 'API keys' }).count()).to.equal(0);
      expect(requests.filter((request) => request.includes('/v1/api-keys'))).to.deep.equal([]);
    }
  });

  it('shows hostile names as text', async () => {
    const { page } = await dashboard.enter('/dashboard/organization');
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '"><script>alert(1)</script>',
      '\u202Eevil',
      '=1+1',
      'javascript:alert(1)',
    ];
    for (const name of hostile) await create(page, dashboard.origin, { name: `${name} hostile` });
    await page.goto(`${dashboard.origin}${LIST}?search=hostile`);
    await page.getByRole('table').waitFor();
    expect(await names(page)).to.have.members(hostile.map((name) => `${name} hostile`));
    expect(await page.locator('tbody img, tbody script').count()).to.equal(0);
    for (const link of await page.locator('tbody a').all()) {
      expect(await link.getAttribute('href')).to.match(/^\/dashboard\/keys\/key_\w+$/);
      expect(await link.locator('bdi').count()).to.equal(1);
    }
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const visitor = await dashboard.enter(LIST, undefined, {
          colorScheme,
          viewport: { width, height: 700 },
        });
        await visitor.page.getByRole('table').waitFor();
        await visitor.expectAccessible(`the list, ${width} px, ${colorScheme}`);
        await visitor.expectNoWider();
      });
    }
  }
});
