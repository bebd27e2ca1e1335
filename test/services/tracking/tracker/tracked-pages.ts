/** Pages with the tracker in a real browser before an API that only records: a new visitor for each test. */
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newVisitor, requireChromium, startChromium } from '../../../support/chromium.ts';
import { type RecordingApi, startRecordingApi } from '../../../support/recording-api.ts';
import { startTrackedWebsite, type TrackedWebsite } from '../../../support/tracked-website.ts';
import { until } from '../../../support/until.ts';

/** The website that the pages name. */
export const CLIENT_ID = 'web_a b&c';

export interface TrackedPages {
  readonly api: RecordingApi;
  readonly site: TrackedWebsite;
  readonly visitor: BrowserContext;
  /** The visitor's page; a test may go on in another one. */
  page: Page;
  /** Another visitor with a page of their own, on which the test goes on. */
  change(): Promise<void>;
  /** Opens a page of the site, and waits until the tracker runs. */
  open(path: string, on?: TrackedWebsite): Promise<void>;
  /** Goes to a page without tracker, and waits until this many views have ended. */
  leave(exits: number): Promise<void>;
  /** Pages of the events of a type that were taken. */
  paths(type: string, on?: TrackedWebsite): string[];
}

/** Starts all for the tests of a suite, which are skipped without a browser; a fault on a page fails its test. */
export function useTrackedPages(): TrackedPages {
  let api: RecordingApi;
  let site: TrackedWebsite;
  let browser: Browser;
  let visitors: BrowserContext[];
  let faults: Error[];

  async function change(): Promise<void> {
    const visitor = await newVisitor(browser);
    visitors.push(visitor);
    pages.page = await visitor.newPage();
    pages.page.on('pageerror', (fault) => faults.push(fault));
  }

  before(async function () {
    requireChromium(this);
    api = await startRecordingApi();
    site = await startTrackedWebsite(api.origin, `data-client-id="${CLIENT_ID.replace('&', '&amp;')}"`);
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    await api?.close();
  });
  beforeEach(async () => {
    api.reset();
    visitors = [];
    faults = [];
    await change();
  });
  afterEach(async () => {
    for (const visitor of visitors) await visitor.close();
    expect(faults).to.deep.equal([]);
  });

  const pages: TrackedPages = {
    get api() {
      return api;
    },
    get site() {
      return site;
    },
    get visitor() {
      return pages.page.context();
    },
    page: undefined as never,
    change,
    async open(path, on = site) {
      await pages.page.goto(`${on.origin}${path}`);
      await pages.page.waitForFunction('window.tidegate && document.readyState === "complete"');
    },
    async leave(exits) {
      await pages.page.goto(`${site.elsewhere}/away`);
      await until(`${exits} exits`, () => api.taken('page_exit').length >= exits);
    },
    paths: (type, on = site) => api.taken(type).map(({ path }) => String(path).replace(on.origin, '')),
  };
  return pages;
}
