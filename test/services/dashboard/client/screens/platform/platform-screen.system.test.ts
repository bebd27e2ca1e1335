/** The platform in a real browser: what operators see of traffic, limits, backends and the configuration, as the command line tells it. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PACKAGE_ROOT } from '../../../../../../config/settings.ts';
import { explainRequest, listRoutes } from '../../../../../../gateway/configuration/explain.ts';
import { loadConfiguration } from '../../../../../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../../../../../gateway/process/reload/configuration-variables.ts';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

const PATH = '/dashboard/platform';

describe('the screen of the platform', () => {
  const dashboard = useDashboard();
  const open = async (): Promise<Page> => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    await visitor.page.goto(`${dashboard.origin}${PATH}`);
    await visitor.page.getByRole('heading', { level: 1, name: 'Platform' }).waitFor();
    return visitor.page;
  };
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

  it('is reached by the navigation, and shows what passes and what was refused', async () => {
    const { server } = dashboard;
    await server.call('GET', '/v1/websites', { key: server.keys.trackOnly });
    const page = await open();
    await page.getByRole('link', { name: 'Organization' }).first().click();
    await page.getByRole('link', { name: 'Platform', exact: true }).click();
    const refused = page.getByRole('row', { name: 'INSUFFICIENT_SCOPE' });
    await refused.waitFor();
    expect(await refused.innerText()).to.match(/INSUFFICIENT_SCOPE\s+websites\s+1/);
    expect(await page.getByRole('row', { name: `${process.pid}` }).innerText()).to.match(/now|second|s\b/);
    await tab(page, 'Limits');
    await page.getByText('Nobody has less than a fifth of a window left.').waitFor();
    await tab(page, 'Backends and stores');
    const address = page.getByRole('table', { name: 'Addresses' }).getByRole('row', { name: 'resources' });
    // Health check and breaker of a single address, then in flight, requests, failures and what was sent anew.
    expect(await address.innerText()).to.match(
      /(?:in this process|http:\S+\d)\s+none\s+none\s+\d+\s+[1-9]\d*\s+0\s+0$/,
    );
    await page.getByText('answers').first().waitFor();
    expect(await page.getByText('ready', { exact: true }).count()).to.equal(4);
    await tab(page, 'Organizations');
    await page.getByRole('row', { name: 'org_main' }).waitFor();
    await tab(page, 'History');
    await page.getByRole('row', { name: 'in force' }).waitFor();
    await page.getByRole('link', { name: 'Changes of configuration 1' }).click();
    await page.getByText('Configuration 1 is compared with nothing').waitFor();
    await page.goBack();
    await page.getByRole('row', { name: 'in force' }).waitFor();
    expect(new URL(page.url()).searchParams.get('view')).to.equal('history');
    await page.goBack();
    await page.getByRole('row', { name: 'org_main' }).waitFor();
  });

  it('shows the last hour: requests and times by endpoint, as lines, and as a file', async () => {
    const { server } = dashboard;
    await server.call('GET', '/v1/websites', { key: server.keys.trackOnly });
    const page = await open();
    await page.getByRole('link', { name: 'Last hour' }).click();
    // Gateways write every ten seconds, and the page asks as often.
    const row = page.getByRole('table', { name: 'By endpoint' }).getByRole('row', { name: 'websites' });
    await row.first().waitFor();
    const [, requests = ''] = /^websites\s+([1-9]\d*)\s/.exec(await row.first().innerText()) ?? [];
    expect(Number(requests)).to.be.above(0);
    const tile = page.locator('main .tile', { hasText: '99 of 100 within ms' });
    expect(await tile.innerText()).to.match(/\d$/);
    await page.getByRole('img', { name: /^Requests: \d+, over time$/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).to.match(/^slot,requests,limited,failed,p50Ms,p95Ms,p99Ms\r\n0,/);
    expect(new URL(page.url()).searchParams.get('range')).to.equal('hour');
  });

  it('says of routes and of a request what `tidegate routes` and `explain` say', async () => {
    const variables = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
    const configuration = await loadConfiguration(
      `${PACKAGE_ROOT}/config`,
      configurationVariables(variables),
    );
    const page = await open();
    await tab(page, 'Configuration');
    const one = page.getByRole('status').getByText(/^1 of \d+ routes$/);
    await page.getByLabel('Limit', { exact: true }).selectOption('custom-sql-seconds');
    await one.waitFor();
    const row = page.getByRole('row', { name: 'POST /v1/query/custom' });
    const route = listRoutes(configuration).find(({ path }) => path === '/v1/query/custom');
    expect(await row.innerText()).to.include(`gateway.config.yml:${route?.line}`);
    await page.getByLabel('Limit', { exact: true }).selectOption('');
    await page.getByLabel('Search routes, rules, policies and files').fill('query/custom');
    await one.waitFor();
    await page.reload();
    await one.waitFor();
    await page.getByRole('row', { name: 'scale' }).getByText('3,000').waitFor();
    await tab(page, 'Explain');
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path').fill('/v1/query/custom');
    await page.getByRole('button', { name: 'Explain' }).click();
    const told = explainRequest(configuration, 'POST', '/v1/query/custom');
    await page.getByText(told.verdict).waitFor();
    const text = await page.getByRole('main').innerText();
    for (const { name, window } of told.numbers) expect(text).to.include(name).and.include(window);
    for (const { policy } of told.policies) expect(text).to.include(policy);
    expect(text).to.include(told.rule);
    await page.reload();
    await page.getByText(told.verdict).waitFor();
    expect(text).to.include('{"serviceEndpoint":"query",').and.include(`gateway.config.yml:${told.line}`);
    await page.getByLabel('As', { exact: true }).selectOption('key');
    const key = page.getByLabel('Key', { exact: true });
    await key.fill(dashboard.server.keys.trackOnly);
    await page.getByRole('button', { name: 'Explain' }).click();
    expect(await key.evaluate((input) => input.matches(':invalid'))).to.equal(true);
    expect(page.url()).not.to.include('as=');
    await key.fill('key_track');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('The rule refuses with 403').waitFor();
    const counts = page.getByRole('table', { name: 'What counts now' });
    expect(await counts.getByRole('row', { name: 'custom-sql org_main 60 s' }).innerText()).to.match(
      /\s30\s+30\s+–/,
    );
    await page.reload();
    await page.getByText('lacks read:data').waitFor();
    expect(await key.inputValue()).to.equal('key_track');
  });

  it('is there for operators alone, and speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${PATH}?view=upstreams`);
    await page.getByRole('heading', { level: 1, name: 'Plattform' }).waitFor();
    await page.getByText('Dokumentenspeicher').waitFor();
    await page.route('**/v1/auth/session', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { user: { isOperator?: true } } };
      delete body.data.user.isOperator;
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByRole('alert').waitFor();
    await eventually(() => page.getByRole('link', { name: 'Plattform' }).count()).equals(0);
  });
});
