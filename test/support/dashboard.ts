/** The dashboard in a real browser for a suite: a server with provisioned organizations, pages that are watched, and axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { requireChromium, startChromium } from './chromium.ts';
import { eventually } from './eventually.ts';
import { slowness } from './jitter.ts';
import { watchCalls } from './page-calls.ts';
import { newAddress, type StartOptions, startTidegate, type TestServer } from './start-tidegate.ts';

/** The owner of `org_main`. */
export const OWNER = { email: 'owner@example.com', password: 'correct horse' };

/** Scrolls as far to the side as the page goes, and tells how far that is. */
const SIDEWAYS = 'scrollTo(9999, 0), Math.round(scrollX)';

/** WCAG 2.2 A and AA, and what axe calls best practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** On a starved machine a test of several visitors takes minutes; a wait in vain ends by itself long before, and tells for what. */
const TEST_MS = 300_000;
const WAIT_MS = 120_000;
/** How long a login is shared: the access of a session ends after a quarter of an hour, and only one browser may renew it. */
const SHARED_MS = 5 * 60_000;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface Dashboard {
  readonly server: TestServer;
  readonly browser: Browser;
  /** `http://localhost:<port>`, where sessions work. */
  readonly origin: string;
  /** A browser of somebody's own, with an address of its own: nothing stored yet, English, 1280 by 800 pixels. */
  newVisitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** A visitor who is logged in, at a path of the dashboard. */
  enter(path?: string, user?: typeof OWNER, options?: BrowserContextOptions): Promise<Visitor>;
  /** What the browser of an owner who is logged in keeps, for visitors who need no login of their own. */
  loggedIn(): Promise<StorageState>;
}

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every request of its pages, as `METHOD /path`, in order; what a timer repeats is named so. */
  readonly requests: string[];
  /** What a browser complains of: console errors and warnings, faults of scripts, violations of the policy. What a test provokes, it takes out. */
  readonly complaints: string[];
  /** Lets the test's calls be refused, those before this call too: a browser writes every answer of 400 and above to the console. */
  allowRefusals(): void;
  /** What was asked of the API since {@link requests} was emptied, but for what timers repeat. */
  asked(): string[];
  /** Waits until a tab, its first one unless named, shows what it asked for. */
  settled(page?: Page): Promise<void>;
  /** What its pages ask of the API while `act` goes on, and until its first tab has settled; without what timers repeat. */
  asks(act: () => Promise<unknown>): Promise<string[]>;
  /** Logs in by the form that is open. */
  logIn(user?: typeof OWNER): Promise<void>;
  /** Another tab of the same browser. */
  newTab(path: string): Promise<Page>;
  /** Nothing of the page is wider than its window, once what is drawn has taken its width. */
  expectNoWider(where?: string): Promise<void>;
  /** Runs axe on the page, or on another tab. */
  expectAccessible(where: string, page?: Page): Promise<void>;
}

export interface DashboardOptions extends StartOptions {
  /** Whether each visitor logs in: in suites that look at sessions, end or renew them. Otherwise owners share one login, which is quicker. */
  readonly ownLogins?: boolean;
}

/** Starts what a suite needs before it and ends it after; visitors are closed after each test, and must have complained of nothing. */
export function useDashboard({ ownLogins = false, ...options }: DashboardOptions = {}): Dashboard {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  const visitors: Visitor[] = [];
  const there = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('the suite has not begun');
    return thing;
  };
  const originOf = () => there(server).origin.replace('127.0.0.1', 'localhost');

  before(async function () {
    requireChromium(this);
    server = await startTidegate(options);
    browser = await startChromium();
  });
  beforeEach(function () {
    this.currentTest?.timeout(Math.max(this.currentTest.timeout(), TEST_MS) * slowness());
  });
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints);
    await Promise.all(visitors.map(({ context }) => forsakeRoutes(context)));
    await Promise.all(visitors.map(({ context }) => context.close()));
    visitors.length = 0;
    expect(complaints.join('\n'), 'complaints of the browser').to.equal('');
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function newVisitor(contextOptions: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await there(browser).newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
      ...contextOptions,
    });
    context.setDefaultTimeout(WAIT_MS);
    const visitor = await watch(context, originOf());
    visitors.push(visitor);
    return visitor;
  }

  async function enter(
    path = '/dashboard',
    user = OWNER,
    contextOptions: BrowserContextOptions = {},
  ): Promise<Visitor> {
    if (user !== OWNER || ownLogins || contextOptions.storageState !== undefined) {
      return enterAnew(path, user, contextOptions);
    }
    const visitor = await newVisitor({ storageState: await loggedIn(), ...contextOptions });
    await visitor.page.goto(`${originOf()}${path}`);
    await visitor.page.locator('.frame-nav').waitFor();
    return visitor;
  }

  async function enterAnew(
    path: string,
    user: typeof OWNER,
    contextOptions: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const visitor = await newVisitor(contextOptions);
    await visitor.page.goto(`${originOf()}/dashboard/login?next=${encodeURIComponent(path)}`);
    await visitor.logIn(user);
    return visitor;
  }

  let login: { readonly state: StorageState; readonly atMs: number } | undefined;
  async function loggedIn(): Promise<StorageState> {
    if (login === undefined || performance.now() - login.atMs > SHARED_MS) {
      const { context } = await enterAnew('/dashboard/account', OWNER);
      login = { state: await context.storageState(), atMs: performance.now() };
    }
    return login.state;
  }

  return {
    get server() {
      return there(server);
    },
    get browser() {
      return there(browser);
    },
    get origin() {
      return originOf();
    },
    newVisitor,
    enter,
    loggedIn,
  };
}

/** What routes of a test still ask for ends with the browser, and is no fault: a page may have asked once more by a timer. */
async function forsakeRoutes(context: BrowserContext): Promise<void> {
  if (context.isClosed()) return;
  await Promise.all(
    [context, ...context.pages()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })),
  );
}

async function watch(context: BrowserContext, origin: string): Promise<Visitor> {
  const { requests, asked, settled } = watchCalls(context);
  const complaints: string[] = [];
  let mayBeRefused = false;
  // Seen before any script of the page runs, so that no violation is missed.
  await context.addInitScript(() => {
    const view = globalThis as unknown as EventTarget;
    view.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI } = event as unknown as Record<string, string>;
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  const isRefusal = (text: string) => text.startsWith('Failed to load resource: the server responded');
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (mayBeRefused && isRefusal(message.text())) return;
    complaints.push(message.text());
  });
  context.on('weberror', (fault) => complaints.push(String(fault.error())));
  context.on('request', (request: Request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    if (url.origin !== origin) complaints.push(`asked another origin: ${request.url()}`);
  });
  const page = await context.newPage();
  return {
    page,
    context,
    requests,
    complaints,
    allowRefusals() {
      mayBeRefused = true;
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !isRefusal(text)));
    },
    asked,
    settled: (tab = page) => settled(tab),
    async asks(act) {
      await settled(page);
      requests.length = 0;
      await act();
      await settled(page);
      return asked();
    },
    async logIn(user = OWNER) {
      // In whatever language the page speaks.
      await page.locator('input[type=email]').fill(user.email);
      await page.locator('input[type=password]').fill(user.password);
      await page.locator('form button[type=submit]').click();
      await page.locator('.frame-nav').waitFor();
    },
    async newTab(path) {
      const tab = await context.newPage();
      await tab.goto(`${origin}${path}`);
      return tab;
    },
    expectNoWider: (where = '') =>
      eventually(() => page.evaluate(SIDEWAYS), `pixels to scroll sideways ${where}`).equals(0),
    async expectAccessible(where, tab = page) {
      const found = await tab.evaluate(
        `(async () => { if (!globalThis.axe) { ${AXE} } const { violations } = await axe.run(document, ${JSON.stringify(
          { runOnly: RULES, resultTypes: ['violations'], preload: false },
        )}); return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, any }) => html.slice(0, 160) + ' ' + (any[0]?.message ?? '')).join(' | ')); })()`,
      );
      expect(found, `axe: ${where}`).to.deep.equal([]);
    },
  };
}
