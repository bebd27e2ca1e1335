/** What is pictured: every screen in each of its states, and how a page gets there. */
import type { Page } from 'playwright-core';
import { answerInvitation } from '../support/dashboard-looks.ts';
import { LINK_SCENES } from './link-scenes.ts';
import { type USERS, WEBSITE } from './picture-server.ts';
import { PLATFORM_SCENES } from './platform-scenes.ts';
import { WEBSITE_SCENES } from './website-scenes.ts';

export interface Scene {
  readonly name: string;
  /** In the dashboard; whoever is logged in there. */
  readonly path: string;
  readonly user: keyof typeof USERS | null;
  /** Before the page is opened: what is answered in place of the server. */
  prepare?(page: Page): Promise<unknown>;
  /** What a user does then. */
  act?(page: Page): Promise<void>;
}

const HOME = '/dashboard';
const OVERVIEW = `${HOME}/websites/${WEBSITE}`;
const QUERY = '**/v1/query?**';

/** The button that goes on in a form. */
const goOn = (page: Page) => page.locator('form button[type=submit]').first().click();

async function toScopes(page: Page): Promise<void> {
  await page.locator('input[name=name]').fill('Reading room');
  await goOn(page);
  await page.locator('fieldset button').nth(1).click();
}
async function toWebsites(page: Page): Promise<void> {
  await toScopes(page);
  await goOn(page);
}
async function toCopy(page: Page): Promise<void> {
  await toWebsites(page);
  await goOn(page);
  await page.locator('.copy').first().waitFor();
}
/** Answers queries by a refusal as the gateway words it. */
const refuse = (status: number, code: string, error: string) => (page: Page) =>
  page.route(QUERY, (route) =>
    route.fulfill({
      status,
      headers: { 'retry-after': '8' },
      json: { success: false, error, code, requestId: 'req_picture' },
    }),
  );

/** One dataset of the answer fails; the others stay. */
const failOne = (page: Page) =>
  page.route(QUERY, async (route) => {
    const headers = { ...route.request().headers(), accept: 'application/json' };
    const answer = await route.fetch({ headers });
    if (!answer.ok()) return route.fulfill({ response: answer });
    const body = (await answer.json()) as { results: { data: { parameter: string }[] }[] };
    const failed = { parameter: 'top_pages', success: false, error: 'The query took too long.', data: [] };
    const results = body.results.map(({ data, ...rest }) => ({
      ...rest,
      data: data.map((one) => (one.parameter === failed.parameter ? failed : one)),
    }));
    await route.fulfill({ response: answer, json: { ...body, results } });
  });

/** No provisioning makes target groups. */
const answerGroups = (page: Page) =>
  page.route('**/v1/target-groups?**', (route) => {
    const at = '2026-05-04T09:00:00.000Z';
    const groups = [
      ['Book club', '#2563eb', 'Who reads with us'],
      ['Staff', '#d97706', ''],
    ];
    const data = groups.map(([name, color, description], index) => ({
      ...{
        id: `tgt_${index}`,
        organizationId: 'org_lighthouse',
        name,
        color,
        description,
        createdBy: 'usr_1',
      },
      rules: [{ type: 'property', operator: 'equals', field: 'plan', value: 'club', enabled: true }],
      ...{ createdAt: at, updatedAt: at },
    }));
    return route.fulfill({ json: { success: true, data } });
  });

/** Each picture invites somebody else. */
let invited = 0;

export const SCENES: readonly Scene[] = [
  { name: 'login', path: `${HOME}/login`, user: null },
  {
    name: 'login-refused',
    path: `${HOME}/login`,
    user: null,
    act: async (page) => {
      await page.locator('input[type=email]').fill('mara@lighthouse.example');
      await page.locator('input[type=password]').fill('not this one');
      await goOn(page);
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'websites', path: HOME, user: 'owner' },
  { name: 'websites-empty', path: HOME, user: 'newcomer' },
  { name: 'website-new', path: `${HOME}/websites/new`, user: 'owner' },
  { name: 'website-waiting', path: `${HOME}/websites/new?website=web_new`, user: 'owner' },
  { name: 'website-settings', path: `${OVERVIEW}/settings`, user: 'owner' },
  { name: 'overview', path: OVERVIEW, user: 'owner' },
  { name: 'overview-table', path: `${OVERVIEW}?view=table&range=last_7d`, user: 'owner' },
  {
    name: 'overview-sql',
    path: `${OVERVIEW}?range=last_week&compare=previous`,
    user: 'owner',
    act: async (page) => {
      await page.locator('.panel-pages .export-acts .button').last().click();
      await page.locator('dialog section pre').last().waitFor();
    },
  },
  {
    name: 'overview-away',
    path: `${OVERVIEW}?compare=previous`,
    user: 'owner',
    // All but the goals.
    act: async (page) => {
      await page.locator('.panel-goals .export-acts').waitFor();
      for (let left = 6; left > 0; left--) await page.locator('.panel-head > .button').first().click();
      await page.locator('.panels + ul').waitFor();
    },
  },
  { name: 'overview-empty', path: `${HOME}/websites/web_new`, user: 'owner' },
  {
    name: 'overview-loading',
    path: OVERVIEW,
    user: 'owner',
    prepare: (page) => page.route(QUERY, () => new Promise<void>(() => {})),
  },
  {
    name: 'overview-never-came',
    path: OVERVIEW,
    user: 'owner',
    prepare: (page) => page.route(QUERY, (route) => route.abort()),
  },
  { name: 'overview-one-failed', path: OVERVIEW, user: 'owner', prepare: failOne },
  {
    name: 'overview-limit',
    path: OVERVIEW,
    user: 'owner',
    prepare: refuse(429, 'RATE_LIMITED', 'The limit of requests is used up.'),
  },
  {
    name: 'overview-offline',
    path: OVERVIEW,
    user: 'owner',
    act: async (page) => {
      // What keeps the place of a number is no number.
      await page.locator('.tile .number', { hasText: /\d/ }).first().waitFor();
      await page.route('**/v1/**', (route) => route.abort());
      await page.locator('.range-bar button').last().click();
      await page.locator('.notice').first().waitFor();
    },
  },
  { name: 'keys', path: `${HOME}/keys`, user: 'owner' },
  { name: 'key-new-name', path: `${HOME}/keys/new`, user: 'owner' },
  { name: 'key-new-scopes', path: `${HOME}/keys/new`, user: 'owner', act: toScopes },
  { name: 'key-new-websites', path: `${HOME}/keys/new`, user: 'owner', act: toWebsites },
  { name: 'key-new-copy', path: `${HOME}/keys/new`, user: 'owner', act: toCopy },
  { name: 'key', path: `${HOME}/keys/key_server`, user: 'owner' },
  { name: 'flags', path: `${HOME}/flags`, user: 'owner' },
  { name: 'flags-empty', path: `${HOME}/flags`, user: 'newcomer' },
  { name: 'flag-new', path: `${HOME}/flags/new`, user: 'owner' },
  { name: 'flag', path: `${HOME}/flags/flg_cover?try=yes&userId=mara`, user: 'owner' },
  {
    name: 'flag-weights-left',
    path: `${HOME}/flags/flg_cover`,
    user: 'owner',
    act: (page) => page.locator('.form-rows input').last().fill('40'),
  },
  { name: 'flag-gone', path: `${HOME}/flags/flg_gone`, user: 'owner' },
  { name: 'flag-groups', path: `${HOME}/flags/groups`, user: 'owner', prepare: answerGroups },
  { name: 'flag-group-new', path: `${HOME}/flags/groups?group=new`, user: 'owner' },
  ...LINK_SCENES,
  ...WEBSITE_SCENES,
  { name: 'members', path: `${HOME}/members`, user: 'owner' },
  {
    name: 'members-invite',
    path: `${HOME}/members`,
    user: 'owner',
    act: async (page) => {
      await page.locator('.page-head button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'reset', path: `${HOME}/reset#made-up`, user: null },
  { name: 'accept', path: `${HOME}/accept#made-up`, user: null, prepare: answerInvitation },
  { name: 'accept-refused', path: `${HOME}/accept#made-up`, user: null },
  { name: 'share-missing', path: '/share/made-up', user: null },
  { name: 'account', path: `${HOME}/account`, user: 'owner' },
  { name: 'audit', path: `${HOME}/audit`, user: 'owner' },
  { name: 'now', path: `${OVERVIEW}/now`, user: 'owner' },
  {
    name: 'sql',
    path: `${OVERVIEW}/sql?sql=SELECT+path,+count(*)+AS+views+FROM+pageviews+GROUP+BY+path+ORDER+BY+views+DESC+LIMIT+8`,
    user: 'owner',
  },
  { name: 'sharing-empty', path: `${OVERVIEW}/sharing`, user: 'owner' },
  {
    name: 'sharing-new',
    path: `${OVERVIEW}/sharing`,
    user: 'owner',
    act: async (page) => {
      await page.locator('.page-head button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'datasets', path: `${OVERVIEW}/sql?view=datasets&datasets=pages,countries`, user: 'owner' },
  { name: 'ingest', path: `${OVERVIEW}/ingest`, user: 'owner' },
  ...PLATFORM_SCENES,
  { name: 'organization', path: `${HOME}/organization`, user: 'owner' },
  {
    name: 'session-over',
    path: `${HOME}/organization`,
    user: 'owner',
    act: async (page) => {
      await page.locator('main h1').first().waitFor();
      await page.context().clearCookies();
      await page.locator('.places a').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'not-found', path: `${HOME}/nowhere`, user: 'owner' },
  // Last, because they leave something behind that other pictures would show.
  {
    name: 'members-invited',
    path: `${HOME}/members`,
    user: 'owner',
    act: async (page) => {
      await page.locator('.page-head button').first().click();
      await page.locator('dialog input[type=email]').fill(`kim${++invited}@lighthouse.example`);
      await page.locator('dialog button[type=submit]').click();
      await page.locator('dialog code').waitFor();
    },
  },
  {
    name: 'members-reset',
    path: `${HOME}/members`,
    user: 'owner',
    act: async (page) => {
      await page
        .locator('.person', { hasText: 'jonas@' })
        .locator('.acts button:not(.danger)')
        .last()
        .click();
      await page.locator('dialog .button.primary').click();
      await page.locator('dialog code').waitFor();
    },
  },
  {
    name: 'sharing-link',
    path: `${OVERVIEW}/sharing`,
    user: 'owner',
    act: async (page) => {
      await page.locator('.page-head button').first().click();
      await page.locator('dialog input[name=name]').fill('Friends of the lighthouse');
      await page.locator('dialog textarea[name=origins]').fill('https://friends.example');
      await page.locator('dialog button[type=submit]').click();
      await page.locator('dialog code').first().waitFor();
    },
  },
  { name: 'sharing', path: `${OVERVIEW}/sharing`, user: 'owner' },
  {
    name: 'share-page',
    path: `${OVERVIEW}/sharing`,
    user: 'owner',
    act: async (page) => {
      await page.locator('main tbody tr button').first().click();
      await page.goto(await page.locator('dialog code').first().innerText());
      await page.locator('.chart path.area').waitFor();
    },
  },
  {
    name: 'organization-switch',
    path: HOME,
    user: 'agency',
    act: async (page) => {
      await page.locator('.frame-head .menu summary').first().click();
      await page.locator('.frame-head .items button').first().waitFor();
    },
  },
];
