/** The tracker in a real browser against the whole server: what visitors do is what queries and the store say. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RawRow } from '../../../../services/shared/ports/event-store.ts';
import { createDuckDbEventStore } from '../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { newVisitor, requireChromium, startChromium } from '../../../support/chromium.ts';
import { restOfDay } from '../../../support/rest-of-day.ts';
import { newKeyText, startTidegate, type TestServer } from '../../../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { startTrackedWebsite, type TrackedWebsite } from '../../../support/tracked-website.ts';
import { until } from '../../../support/until.ts';

const SITE = 'web_tracked';
const KEY = newKeyText();
/** Without those of interactions, which come or not as the machine is fast: so the number of events is known. */
const OBSERVED = ['paint', 'largest-contentful-paint', 'layout-shift'];
/** 3 views with their exits, 2 custom events, 1 click, 2 errors, and 4 vitals of each of 2 loads. */
const EVENTS = 19;
const PROVISIONING = `
organizations:
  - id: org_tracked
    name: Tracked
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000, publicPerMinute: 1000000 }
    websites:
      - { id: ${SITE}, name: Tracked, domain: localhost }
    apiKeys:
      - { id: key_read, name: read, key: ${KEY}, scopes: [read:data], access: { level: global } }
`;

describe('the tracker in a browser, against the server', () => {
  let directory: TempDirectory;
  let server: TestServer;
  let site: TrackedWebsite;
  let browser: Browser;
  /** What was stored in the end, in the order it happened. */
  let stored: readonly RawRow[] = [];
  let cookies: unknown[];
  let answers: Record<string, readonly Record<string, unknown>[]>;

  before(async function () {
    requireChromium(this);
    directory = createTempDirectory();
    writeFileSync(directory.file('own.yml'), PROVISIONING);
    const settings = { PROVISION_FILE: directory.file('own.yml') };
    server = await startTidegate({ dataDir: directory.path, settings });
    site = await startTrackedWebsite(server.origin, `data-client-id="${SITE}"`);
    browser = await startChromium();

    const silent = await newVisitor(browser);
    await silent.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })",
    );
    await visit(silent);
    const visitor = await newVisitor(browser);
    await visitor.addInitScript(`
      const types = ${JSON.stringify(OBSERVED)};
      Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { get: () => types });
    `);
    // All pages are of one day.
    await restOfDay(60_000);
    await visit(visitor);
    cookies = [...(await visitor.cookies()), ...(await silent.cookies())];
    await until('all events are stored', async () => (await totalEvents()) >= EVENTS);
    answers = await query('summary', 'summary_metrics', 'pages', 'traffic', 'custom_events');

    await server.close();
    const events = await createDuckDbEventStore({ path: join(directory.path, 'events.duckdb') });
    const sql = 'SELECT * FROM events ORDER BY timestamp, event_name';
    stored = await events.run({ engine: 'duckdb', sql, params: {} });
    await events.close();
  });

  after(async () => {
    // Otherwise it is closed already, for what it stored to be read.
    if (stored.length === 0) await server?.close();
    await browser?.close();
    await site?.close();
    directory?.remove();
  });

  /** Comes from a search, reads three pages, one of them by pushState, acts on them and leaves for another host. */
  async function visit(visitor: BrowserContext): Promise<void> {
    const page = await visitor.newPage();
    await page.goto(`${site.origin}/?utm_term=shoes`, { referer: 'https://www.google.com/' });
    await isShown(page);
    await page.click('#signup');
    await page.click('#products');
    await page.waitForURL('**/products');
    await isShown(page);
    await page.click('#cart');
    await page.click('#fail');
    await page.click('#reject');
    await page.click('#detail');
    await page.click('#out');
    await page.waitForURL(`${site.elsewhere}/**`);
    await page.close();
  }

  /** The tracker runs, and the page was painted: who leaves before has no vitals of it. */
  async function isShown(page: Page): Promise<void> {
    await page.waitForFunction('window.tidegate && document.readyState === "complete"');
    await page.evaluate(`new Promise((resolve) => {
      new PerformanceObserver(resolve).observe({ type: 'largest-contentful-paint', buffered: true });
    }).then(() => undefined)`);
  }

  async function query(...parameters: string[]): Promise<typeof answers> {
    const body = { parameters, preset: 'last_7d' };
    const answer = await server.call('POST', `/v1/query?website_id=${SITE}`, { key: KEY, body });
    const results: { parameter: string; data: Record<string, unknown>[] }[] = answer.body.data;
    return Object.fromEntries(results.map(({ parameter, data }) => [parameter, data]));
  }

  async function totalEvents(): Promise<number> {
    return Number((await query('summary_metrics')).summary_metrics?.[0]?.total_events);
  }

  const named = (name: string) => stored.filter((row) => row.event_name === name);

  it('counts three pages of one visitor in one session, and nothing of the visitor who asks not to be tracked', () => {
    const whole = { pageviews: 3, visitors: 1, sessions: 1, bounce_rate: 0, total_events: EVENTS };
    expect(answers.summary_metrics?.[0]).to.include(whole);
    const day = answers.summary?.filter(({ pageviews }) => pageviews !== 0);
    expect(day?.[0]).to.include({ pageviews: 3, visitors: 1, sessions: 1, pages_per_session: 3 });
    expect(day).to.have.length(1);
    expect(new Set(stored.map((row) => row.anonymous_id)).size).to.equal(1);
    expect(new Set(stored.map((row) => row.session_id)).size).to.equal(1);
  });

  it('names the pages, that of the pushState too', () => {
    expect(answers.pages).to.have.deep.members([
      { path: '/', pageviews: 1, visitors: 1 },
      { path: '/products', pageviews: 1, visitors: 1 },
      { path: '/products/1', pageviews: 1, visitors: 1 },
    ]);
  });

  it('tells the search that the visitor came from, and the site itself as direct', () => {
    expect(answers.traffic).to.deep.equal([
      { source: 'direct', referrer: 'Direct', pageviews: 2, visitors: 1, percentage: 66.67 },
      { source: 'search', referrer: 'google.com', pageviews: 1, visitors: 1, percentage: 33.33 },
    ]);
  });

  it('counts the custom events of script and attribute, with their properties', () => {
    const counts = answers.custom_events?.map(({ name, total_events, events_with_properties }) => [
      name,
      total_events,
      events_with_properties,
    ]);
    expect(counts).to.have.deep.members([
      ['add_to_cart', 1, 1],
      ['newsletter_signup', 1, 1],
    ]);
    expect(JSON.parse(String(named('add_to_cart')[0]?.properties))).to.deep.equal({
      sku: 'A-1',
      price: 12.5,
    });
    expect(JSON.parse(String(named('newsletter_signup')[0]?.properties))).to.deep.equal({ plan: 'pro' });
  });

  it('stores the click on a link to another host as an outgoing_link', () => {
    const [click, ...others] = named('outgoing_link');
    expect(others).to.deep.equal([]);
    expect(click).to.include({
      organization_id: 'org_tracked',
      website_id: SITE,
      href: `${site.elsewhere}/partner?from=shop`,
      text: 'Our partner',
      path: '/products/1',
      hostname: 'localhost',
      is_bot: false,
      browser_name: 'Chrome',
      device_type: 'desktop',
    });
    for (const column of ['event_id', 'anonymous_id', 'session_id'])
      expect(click?.[column]).to.be.a('string');
  });

  it('stores a page view with what the browser knows', () => {
    const [first, , third] = named('screen_view');
    expect(first).to.include({
      path: '/',
      query_string: 'utm_term=shoes',
      utm_term: 'shoes',
      title: 'Page /',
      referrer: 'https://www.google.com/',
      screen_resolution: '1280x720',
      viewport_size: '1280x720',
      timezone: 'Europe/Berlin',
      language: 'de-DE',
    });
    for (const column of ['load_time', 'ttfb', 'dom_ready_time', 'render_time']) {
      expect(first?.[column], column).to.be.a('number').that.is.at.least(0);
    }
    expect(third).to.include({ path: '/products/1', query_string: 'ref=list', load_time: null });
  });

  it('stores how each page ended', () => {
    const exits = named('page_exit');
    expect(exits.map(({ path }) => path)).to.deep.equal(['/', '/products', '/products/1']);
    expect(exits.map(({ interaction_count }) => Number(interaction_count))).to.deep.equal([2, 4, 1]);
    for (const exit of exits) {
      expect(exit.time_on_page).to.be.a('number').that.is.at.least(0);
      expect(exit.scroll_depth).to.equal(100);
    }
  });

  it('stores the web vitals of each page that was loaded', () => {
    const metricsOf = (path: string) =>
      named('web_vitals')
        .filter((row) => row.path === path)
        .map((row) => row.metric_name);
    for (const path of ['/', '/products']) {
      expect(metricsOf(path), path).to.have.members(['TTFB', 'FCP', 'LCP', 'CLS']);
    }
    for (const row of named('web_vitals')) expect(row.metric_value).to.be.a('number').that.is.at.least(0);
  });

  it('stores what failed on the page, thrown or rejected', () => {
    const [thrown, rejected, ...others] = named('error');
    expect(others).to.deep.equal([]);
    expect(thrown).to.include({ error_type: 'TypeError', path: '/products' });
    expect(thrown?.message).to.match(/undefined/);
    expect(thrown?.filename).to.equal(`${site.origin}/products`);
    expect(Number(thrown?.lineno)).to.be.at.least(1);
    expect(rejected).to.include({ error_type: 'TypeError', message: 'rejected' });
    expect(rejected?.stack).to.match(/rejected/);
  });

  it('leaves no cookie', () => {
    expect(cookies).to.deep.equal([]);
  });
});
