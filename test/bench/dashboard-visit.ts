/** One visit of a page of the dashboard, in a browser of its own on a slow line and a slow processor, and what it took. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PAGES_FOLDER } from '../../services/dashboard/pages-folder.ts';
import type { Visit } from './dashboard-report.ts';
import { MEASURED_WEBSITE, OWNER } from './dashboard-target.ts';

/** Slow 4G, as the tools of browsers mean it. */
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;
/** Until the largest paint is final, and after acts until what they asked for is drawn. */
const QUIET_MS = 2_000;
const PATIENCE_MS = 60_000;
/** Those of the overview. */
const PANELS = 7;

export interface MeasuredPage {
  readonly name: string;
  readonly path: string;
  readonly isLoggedIn: boolean;
  /** What holds the first numbers, with a digit in it; or what is there to type into. */
  readonly numbers: string;
  /** What a user does, in clicks and keys. */
  act(page: Page): Promise<void>;
}

export const PAGES: readonly MeasuredPage[] = [
  {
    name: 'login',
    path: '/dashboard/login',
    isLoggedIn: false,
    numbers: 'input[type=email]',
    act: async (page) => {
      await page.getByLabel('Password', { exact: true }).click();
      await page.keyboard.type('abc', { delay: 150 });
    },
  },
  {
    name: 'websites',
    path: '/dashboard',
    isLoggedIn: true,
    numbers: '.website-card .number',
    act: (page) => page.locator('.user summary, .user button').first().click(),
  },
  {
    name: 'overview',
    path: `/dashboard/websites/${MEASURED_WEBSITE}`,
    isLoggedIn: true,
    numbers: '.tile .number',
    act: async (page) => {
      await page.locator('.tile button').nth(2).click();
      await page.waitForTimeout(500);
      await page.getByRole('button', { name: 'The range before' }).click();
    },
  },
];

/** Runs before any script of the page: takes down what the browser tells, and when the numbers are there. */
const watchScript = (selector: string) => `(() => {
  const seen = { firstPaint: NaN, largestPaint: NaN, layoutShift: 0, interaction: NaN, numbers: NaN };
  globalThis.benchSeen = seen;
  const each = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
  each('paint', (e) => { if (e.name === 'first-contentful-paint') seen.firstPaint = e.startTime; });
  each('largest-contentful-paint', (e) => { seen.largestPaint = e.startTime; });
  each('layout-shift', (e) => { if (!e.hadRecentInput) seen.layoutShift += e.value; });
  each('first-input', (e) => { seen.interaction = Math.max(seen.interaction || 0, e.duration); });
  each('event', (e) => {
    if (e.interactionId) seen.interaction = Math.max(seen.interaction || 0, e.duration);
  }, { durationThreshold: 16 });
  const isThere = () => [...document.querySelectorAll(${JSON.stringify(selector)})]
    .some((one) => one.localName === 'input' || /\\d/.test(one.textContent));
  const watch = new MutationObserver(() => {
    if (!isThere()) return;
    seen.numbers = performance.now();
    watch.disconnect();
  });
  watch.observe(document, { childList: true, subtree: true, characterData: true });
})()`;

/** Takes down when the first numbers of the overview are there, and when all panels are. */
export const numbersScript = (selector: string) => `(() => {
  const seen = { numbers: NaN, all: NaN };
  globalThis.benchSeen = seen;
  const watch = new MutationObserver(() => {
    const now = performance.now();
    if (Number.isNaN(seen.numbers)) {
      if (![...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => /\\d/.test(one.textContent))) return;
      seen.numbers = now;
    }
    const panels = [...document.querySelectorAll('.panels > .panel')];
    const areDrawn = panels.length >= ${PANELS} && panels.every((panel) => panel.querySelector('tbody tr, .nothing'));
    if (!areDrawn || document.querySelector('.skeleton, [aria-busy="true"], .is-old')) return;
    seen.all = now;
    watch.disconnect();
  });
  watch.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
})()`;

interface Resource {
  readonly name: string;
  readonly end: number;
  readonly bytes: number;
}

/** A browser that is logged in, as the state that others start from. */
export async function loggedIn(browser: Browser, origin: string): Promise<State> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${origin}/dashboard/login`);
  await page.getByLabel('Email', { exact: true }).fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

export type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Visits a page with nothing in the cache. @throws Error when its numbers do not come */
export async function visit(
  browser: Browser,
  origin: string,
  state: State,
  measured: MeasuredPage,
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    ...(measured.isLoggedIn ? { storageState: state } : {}),
  });
  try {
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send('Network.emulateNetworkConditions', LINE);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watchScript(measured.numbers));
    let requests = 0;
    page.on('request', (request) => {
      if (/^https?:/.test(request.url())) requests++;
    });
    await page.goto(origin + measured.path);
    await untilSeen(page, 'numbers');
    // None comes once somebody has acted.
    await untilSeen(page, 'largestPaint');
    await page.waitForTimeout(QUIET_MS);
    await measured.act(page);
    await page.waitForTimeout(QUIET_MS);
    await untilSeen(page, 'interaction');
    const seen = await page.evaluate<Omit<Visit, 'page' | 'files' | 'calls' | 'bytes'>>('benchSeen');
    const resources = await page.evaluate<Resource[]>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((e) => ({ name: new URL(e.name).pathname, end: e.responseEnd, bytes: e.transferSize }))`,
    );
    const until = resources.filter(({ end }) => end <= seen.numbers);
    const isCall = ({ name }: Resource) => name.startsWith('/v1/');
    const files = until.filter((one) => !isCall(one));
    return {
      ...seen,
      page: measured.name,
      files: files.length,
      calls: until.filter(isCall).length,
      bytes: sum(until.map(({ bytes }) => bytes)),
      scriptBytes: gzipBytes(files, '.js'),
      styleBytes: gzipBytes(files, '.css'),
      requests,
    };
  } finally {
    await context.close();
  }
}

/** Asked from outside: the policy of the pages lets no text become a script. The browser tells of an interaction late when it is busy. */
export async function untilSeen(
  page: Page,
  what: 'numbers' | 'largestPaint' | 'interaction' | 'all',
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate<boolean>(`benchSeen.${what} >= 0`))) {
    if (Date.now() > deadline) throw new Error(`${page.url()} shows no ${what}`);
    await page.waitForTimeout(100);
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function gzipBytes(files: readonly Resource[], extension: string): number {
  const names = files.map(({ name }) => path.basename(name)).filter((name) => name.endsWith(extension));
  return sum(names.map((name) => statSync(path.join(PAGES_FOLDER, `${name}.gz`)).size));
}
