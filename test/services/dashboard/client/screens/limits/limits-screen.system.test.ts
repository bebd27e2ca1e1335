/** The screen of the limits in real browsers: what callers use shows within seconds, and nobody asks while it is hidden. */
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

describe('the screen of the limits', () => {
  const dashboard = useDashboard();

  it('is reached from the organization, shows what is left, and what is used while it is open', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.clock.install();
    await page.goto(`${dashboard.origin}/dashboard/organization`);
    await page.getByRole('link', { name: 'What is left of them now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Limits now' }).waitFor();
    const row = (name: string) => page.getByRole('row', { name });
    const sql = row('Custom SQL queries');
    expect(await sql.innerText()).to.match(/Requests per 60 s\s+0\s+30\s+30\s+Unused/);
    expect(await row('Looks at this page').innerText()).to.match(
      /your session\s+Requests per 60 s\s+1\s+59\s+60/,
    );
    const body = { sql: 'SELECT count(*) AS n FROM events', startDate: '2026-01-01', endDate: '2026-01-02' };
    const { server } = dashboard;
    const { status } = await server.call('POST', '/v1/query/custom?website_id=web_shop', {
      key: server.keys.all,
      body,
    });
    expect(status).to.equal(200);
    await page.clock.fastForward('00:11');
    await eventually(() => sql.innerText()).satisfies((text) => expect(text).to.match(/\s1\s+29\s+30\s+in /));
    const bar = page.getByRole('meter', { name: 'Custom SQL queries: Used part' });
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).to.deep.equal(['1', '30']);
    // Between two answers the time until a reset goes on.
    const before = await sql.innerText();
    await page.clock.fastForward('00:03');
    await eventually(() => sql.innerText()).satisfies((text) => expect(text).to.not.equal(before));
  });

  it('names the keys that have little left of limits of their own', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    const of = (key: string, used: number, enforced = true) => ({
      ...{ name: 'per-key', window: '60 s', counts: 'requests', limit: 100, used, remaining: 100 - used },
      ...{ reset: null, enforced, key, session: null, endpoints: null },
    });
    const data = [
      ...[of('key_near', 81), of('key_all', 90), of('key_far', 80), of('key_shadow', 100, false)],
    ];
    await page.route('**/v1/usage/limits', (route) =>
      route.fulfill({ json: { success: true, moreKeys: false, data } }),
    );
    await page.goto(`${dashboard.origin}/dashboard/organization/limits`);
    const notice = page.getByRole('status').filter({ hasText: 'Less than a fifth is left to these keys:' });
    await notice.getByRole('link', { name: 'all', exact: true }).waitFor();
    expect(await notice.innerText()).to.match(/key_near \(per-key: 19\/100\)\s+all \(per-key: 10\/100\)\s*$/);
  });

  it('speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/organization/limits`);
    await page.getByRole('heading', { level: 1, name: 'Limits jetzt' }).waitFor();
    const row = page.getByRole('row', { name: 'Eigene SQL-Abfragen' });
    expect(await row.first().innerText()).to.match(/Anfragen je 60 s/);
  });
});
