/** The reference page in a real browser: it shows every operation, and asks nobody but the gateway. */
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { newVisitor, requireChromium, startChromium } from '../../../support/chromium.ts';
import { eventually } from '../../../support/eventually.ts';
import { startTidegate, type TestServer } from '../../../support/start-tidegate.ts';

interface Described {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
}

describe('the reference page in a browser', () => {
  let server: TestServer;
  let browser: Browser | undefined;
  let page: Page;
  const complaints: string[] = [];
  const asked: URL[] = [];

  before(async function () {
    requireChromium(this);
    server = await startTidegate();
    browser = await startChromium();
    page = await (await newVisitor(browser)).newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (fault) => complaints.push(String(fault)));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(`${server.origin}/docs`);
    await page.waitForSelector('.opblock');
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('lists every operation of the description', async () => {
    const { body } = await server.call('GET', '/openapi.json');
    const expected = Object.entries((body as Described).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = () =>
      page.$$eval('.opblock-summary', (summaries) =>
        summaries.map((summary) => {
          const method = summary.querySelector('.opblock-summary-method')?.textContent;
          const path = summary.querySelector('.opblock-summary-path')?.getAttribute('data-path');
          return `${method} ${path}`;
        }),
      );
    await eventually(async () => (await shown()).sort()).equals(expected.sort());
  });

  it('shows scopes, limits and errors of an operation, with an example of each error', async () => {
    await page.click('#operations-query-query .opblock-summary-control');
    await page.waitForSelector('#operations-query-query .responses-table');
    await eventually(() => page.innerText('#operations-query-query')).satisfies((text) => {
      expect(text).to.include('Scope: read:data');
      expect(text).to.include('batch-datasets, 6000 datasets in batches per 60 s');
      for (const code of ['INVALID_QUERY_TYPE', 'INSUFFICIENT_SCOPE', 'RATE_LIMIT_EXCEEDED', 'TIMEOUT'])
        expect(text).to.include(`${code}: `);
    });
    await eventually(() => page.innerText('#operations-query-query .responses-table')).satisfies((text) =>
      expect(text).to.include('"code": "RATE_LIMIT_EXCEEDED"'),
    );
  });

  it('calls the API from the page', async () => {
    await page.click('#operations-query-listQueryTypes .opblock-summary-control');
    await page.click('#operations-query-listQueryTypes .try-out__btn');
    await page.click('#operations-query-listQueryTypes .execute');
    const answer = '#operations-query-listQueryTypes .live-responses-table .response';
    await eventually(() => page.innerText(answer)).satisfies((text) =>
      expect(text).to.include('200').and.include('"events_by_date"'),
    );
  });

  it('asks nobody but the gateway, and complains of nothing', () => {
    expect(asked.length).to.be.greaterThan(4);
    const elsewhere = asked.filter(
      ({ origin, protocol }) => protocol !== 'data:' && origin !== server.origin,
    );
    expect(elsewhere.map(String)).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
