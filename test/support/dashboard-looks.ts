/** Looks at states of the dashboard's screens in every size and colour, for suites that share one browser, one server and one login. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { type Dashboard, useDashboard, type Visitor } from './dashboard.ts';
import { layoutFaults } from './page-layout.ts';
import { until } from './until.ts';

export interface Look {
  /** The screen and its state. */
  readonly name: string;
  /** What the suite's `seed` made stands in it by the names that it gives. */
  readonly path: string;
  /** What stands there once the state is drawn, and still does when all looks are taken. */
  readonly shows: (page: Page) => Locator;
  /** What is answered in place of the server. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Nobody is logged in. */
  readonly isPublic?: boolean;
  /** Answers of 400 and above belong to it. */
  readonly isRefused?: boolean;
}

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 768, 320];
/** Twice what browsers begin with, in pixels. */
const LARGE_TEXT = { standard: 32, fixed: 26 };

const CHANGES = {
  number: 2,
  before: 1,
  changes: [
    {
      ...{ subject: 'plan', name: 'free', kind: 'changed' },
      differences: [{ part: 'perMinute', from: '300', to: '3000', concealed: false }],
      dangers: ['perMinute is raised 10 times'],
    },
    {
      ...{ subject: 'route', name: 'GET /v1/websites/:websiteId/profiles', kind: 'changed' },
      differences: [
        { part: 'policy headers', from: null, to: null, concealed: true },
        { part: 'rule', from: 'read:data', to: 'read:data + read:profiles', concealed: false },
      ],
      dangers: [],
    },
    { ...{ subject: 'route', name: 'GET /v1/reports', kind: 'removed' }, differences: [], dangers: [] },
  ],
  moreChanges: 12,
};

const QUOTAS = { perDay: null, perMonth: null };

/** What larger plans would have admitted. */
export const LARGER_PLANS = {
  success: true,
  data: {
    ...{ granularity: 'minute', start: '2026-01-14T09:31:00.000Z', end: '2026-01-15T09:31:00.000Z' },
    ...{ plan: 'free', per10Seconds: 50, perMinute: 300, ...QUOTAS, refused: 130, minutes: 2 },
    larger: [
      { plan: 'hobby', per10Seconds: 100, perMinute: 600, ...QUOTAS, admitted: 50 },
      { plan: 'pro', per10Seconds: 200, perMinute: 1200, ...QUOTAS, admitted: 130 },
    ],
  },
};

export const answerLargerPlans = (page: Page) =>
  page.route('**/v1/usage/plans?*', (route) => route.fulfill({ json: LARGER_PLANS }));

/** Nothing that a screen asks for is answered, but who is logged in. */
export const unanswered = (page: Page) =>
  page.route(
    (url) => url.pathname.startsWith('/v1/') && url.pathname !== '/v1/auth/session',
    () => new Promise<void>(() => {}),
  );

/** The screen waits for its first answer. */
export const loading = (name: string, path: string): Look => ({
  name: `${name}, loading`,
  path,
  prepare: unanswered,
  shows: (page) => page.locator('main .skeleton').first(),
});

/** Any token opens an invitation. */
export const answerInvitation = (page: Page) =>
  page.route('**/v1/auth/invitation', (route) =>
    route.fulfill({
      json: {
        success: true,
        data: {
          organization: { name: 'Lighthouse Books' },
          email: 'grace@example.com',
          role: 'member',
          expiresAt: '2099-01-31T00:00:00.000Z',
        },
      },
    }),
  );

/** A configuration of the history changed much. */
export const answerChanges = (page: Page) =>
  page.route('**/v1/platform/changes?*', (route) =>
    route.fulfill({ json: { success: true, data: CHANGES } }),
  );

/** A list of the API has nothing in it. */
export const answerNothing = (path: string) => (page: Page) =>
  page.route(
    (url) => url.pathname === path,
    (route) => route.fulfill({ json: { success: true, data: [] } }),
  );

/** What readers set in their browser. */
async function enlargeText(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: LARGE_TEXT });
  const isLarge = `getComputedStyle(document.documentElement).fontSize === '30px'`;
  await until('the text is twice as large', () => page.evaluate<boolean>(isLarge));
}

async function expectLaidOut(page: Page, where: string): Promise<void> {
  expect(await layoutFaults(page), where).to.deep.equal([]);
}

/** One test for each look, by axe and by its layout: every width in light and dark, then forced colours, then large text. */
export function describeLooks(
  title: string,
  looks: readonly Look[],
  seed?: (dashboard: Dashboard) => Promise<Readonly<Record<string, string>> | undefined>,
): void {
  describe(title, () => {
    const dashboard = useDashboard();

    let made: Readonly<Record<string, string>> = {};

    before(async () => {
      made = (await seed?.(dashboard)) ?? {};
    });

    async function open(look: Look): Promise<Visitor> {
      const storageState = look.isPublic ? undefined : await dashboard.loggedIn();
      const visitor = await dashboard.newVisitor({ storageState, reducedMotion: 'reduce' });
      if (look.isRefused) visitor.allowRefusals();
      await look.prepare?.(visitor.page);
      const path = Object.entries(made).reduce((at, [name, id]) => at.replace(name, id), look.path);
      await visitor.page.goto(dashboard.origin + path);
      await look.shows(visitor.page).waitFor();
      return visitor;
    }

    for (const look of looks) {
      it(`has no fault that axe finds, and nothing cut, in every size and colour: ${look.name}`, async () => {
        const visitor = await open(look);
        const { page } = visitor;
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          await expectLaidOut(page, `${look.name}, ${width} px`);
          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme });
            await visitor.expectAccessible(`${look.name}, ${width} px, ${colorScheme}`);
          }
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.emulateMedia({ forcedColors: 'active' });
        await visitor.expectAccessible(`${look.name}, forced colours`);
        await enlargeText(page);
        await expectLaidOut(page, `${look.name}, text of twice the size`);
        await look.shows(page).waitFor();
      });
    }
  });
}
