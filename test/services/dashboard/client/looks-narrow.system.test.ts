/** The dashboard where it is narrow and its words are long: in German, on telephones. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../support/answers.ts';
import { useDashboard } from '../../../support/dashboard.ts';
import { addMember } from '../../../support/dashboard-members.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeFlag } from '../../../support/made-flag.ts';
import { followedLink } from '../../../support/made-link.ts';
import { makeShare } from '../../../support/made-share.ts';
import { layoutFaults } from '../../../support/page-layout.ts';
import { define, eventIs, pageIs } from '../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
/** Screens of those who are logged in, each with what shows that it is drawn. */
const SCREENS: Readonly<Record<string, string>> = {
  '/dashboard': '.website-card .number',
  [SHOP]: '.chart path.area',
  [`${SHOP}/settings`]: 'main form input',
  '/dashboard/websites/new': 'main form input',
  '/dashboard/keys': 'main tbody tr',
  '/dashboard/keys/new': 'main form input',
  '/dashboard/keys/key_two': 'main form input',
  '/dashboard/flags': 'main tbody tr',
  '/dashboard/flags/FLAG?try=yes': '.facts dd',
  '/dashboard/flags/new': 'main form input',
  '/dashboard/flags/groups': 'main tbody tr',
  '/dashboard/flags/groups?group=new': 'main form input',
  '/dashboard/links': 'main tbody tr',
  '/dashboard/links/LINK': '.link-panels tbody tr',
  '/dashboard/links/LINK?tab=settings': 'main form input',
  '/dashboard/links/new': 'main form input',
  '/dashboard/members': '.people .acts button',
  '/dashboard/audit': 'main tbody tr',
  '/dashboard/organization/limits': 'main tbody tr',
  '/dashboard/organization/requests': 'main [role=tablist]',
  '/dashboard/platform': 'main tbody tr',
  '/dashboard/platform?range=hour': 'main .tile',
  '/dashboard/platform?view=upstreams': 'main tbody tr',
  '/dashboard/platform?view=configuration': 'main tbody tr',
  '/dashboard/websites/web_shop/now': 'main .tile',
  '/dashboard/websites/web_shop/pages?compare=previous': 'main tbody tr',
  '/dashboard/websites/web_shop/sources?tab=campaigns': 'main tbody tr',
  '/dashboard/websites/web_shop/events': 'main tbody tr',
  '/dashboard/websites/web_shop/events?event=newsletter_opened': 'main tbody tr',
  '/dashboard/websites/web_shop/goals': 'main tbody th a',
  '/dashboard/websites/web_shop/funnels': 'main tbody tr',
  '/dashboard/websites/web_shop/funnels?funnel=FUNNEL': 'main .step-bar',
  '/dashboard/websites/web_shop/speed': 'main tbody tr',
  '/dashboard/websites/web_shop/errors?message=basket+is+undefined': 'main tbody tr',
  '/dashboard/websites/web_shop/sessions': 'main tbody tr',
  '/dashboard/websites/web_shop/visitors': 'main tbody tr',
  '/dashboard/websites/web_shop/ingest': 'main .tile',
  '/dashboard/websites/web_shop/sql?sql=SELECT+1+AS+one': 'main tbody tr',
  '/dashboard/websites/web_shop/sharing': 'main tbody tr',
  '/dashboard/organization': 'main tbody tr',
  '/dashboard/account': '.sessions li',
};
/** Where the lists of panels that stand beside each other begin, panel by panel: line of panels, and height of the list. */
const HEADS = `[...document.querySelectorAll('.panels > .panel')].map((panel) => [panel, panel.querySelector('.table')])
  .filter(([, table]) => table).map(([panel, table]) => [panel, table].map((each) => Math.round(each.getBoundingClientRect().top)))`;
/** Names of lists that do not fit where they stand. */
const cutNames = (page: Page, panel: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${panel} .bars bdi')]
    .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)`);
/** How many controls stand in each line of the choice of the range. */
const CONTROLS = `Object.values(Object.groupBy([...document.querySelector('.range-bar').children],
  (each) => Math.round(each.getBoundingClientRect().bottom))).map((line) => line.length)`;

describe('the dashboard where it is narrow', () => {
  const dashboard = useDashboard();
  let flagId = '';
  let linkId = '';
  let funnelId = '';

  before(async () => {
    const { server } = dashboard;
    const common = { websiteId: 'web_shop', anonymousId: 'visitor-1', sessionId: 'session-1' };
    const page = { ...common, name: 'screen_view', referrer: 'https://www.google.com/' };
    const events = [
      { ...page, path: '/?utm_source=newsletter' },
      { ...page, path: '/a-path-that-is-longer-than-telephones-are-wide/but-read-by-many' },
      { ...page, path: '/', referrer: 'https://news.ycombinator.com/' },
      { ...common, name: 'newsletter_opened', path: '/', properties: { medium: 'x'.repeat(300) } },
      { ...common, name: 'web_vitals', path: '/', metricName: 'LCP', metricValue: 3_000 },
      { ...common, name: 'error', path: '/', message: 'basket is undefined', stack: 'at add\n'.repeat(20) },
    ];
    for (const body of events) {
      expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
    }
    flagId = (await makeFlag(server, 'cover-sizes')).id;
    await makeShare(server, { password: 'correct horse', origins: ['https://www.example.com'] });
    linkId = await followedLink(server);
    await define(server, 'goals', { name: 'Startseite', ...pageIs('/') });
    const steps = [pageIs('/'), eventIs('newsletter_opened')];
    funnelId = await define(server, 'funnels', { name: 'Bestellung', steps });
  });

  async function open(path: string, width: number, locale = 'en-US'): Promise<Page> {
    const viewport = { width, height: 800 };
    const storageState = await dashboard.loggedIn();
    const { page } = await dashboard.newVisitor({ storageState, locale, viewport, reducedMotion: 'reduce' });
    const ids: Readonly<Record<string, string>> = { FLAG: flagId, LINK: linkId, FUNNEL: funnelId };
    await page.goto(dashboard.origin + path.replace(/[A-Z]+/, (name) => ids[name] ?? name));
    return page;
  }

  it('shows the search of the members once they are more than a few', async () => {
    const page = await open('/dashboard/members', 1280);
    await page.locator('.people .person').first().waitFor();
    expect(await page.getByRole('searchbox').count()).to.equal(0);
    for (let members = 1; members <= 5; members++) await addMember(dashboard.server, 'viewer');
    await page.reload();
    await page.getByRole('searchbox').fill('owner@example.com');
    await page.locator('.people .person').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('');
    await page.locator('.people .person').nth(5).waitFor();
  });

  for (const [path, drawn] of Object.entries(SCREENS)) {
    it(`cuts and covers nothing in German: ${path}`, async () => {
      const page = await open(path, 375, 'de-DE');
      await page.locator(drawn).first().waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('de');
      expect(await layoutFaults(page), '375 px').to.deep.equal([]);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await layoutFaults(page), '320 px').to.deep.equal([]);
    });
  }

  it('shows every number of a list and every name in full, as narrow as it gets', async () => {
    const page = await open(`${SHOP}?sources=session_referrers`, 1280);
    const list = page.locator('.panel-sources .table');
    await list.waitFor();
    const wide = await list.locator('thead th:visible').allInnerTexts();
    expect(wide).to.deep.equal(['Host', 'Sessions', 'Visitors', 'Percent']);
    for (const width of [375, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(() => list.locator('thead th:visible').allInnerTexts()).equals(wide);
      expect(await list.locator('tbody td:visible').count(), `${width} px`).to.be.at.least(3);
      await eventually(() => cutNames(page, '.panel')).equals([]);
    }
  });

  it('leaves names of usual length whole where three lists stand beside each other', async () => {
    const page = await open(SHOP, 1280);
    await page.locator('.panel-events').getByText('newsletter_opened').waitFor();
    await eventually(() => cutNames(page, '.panel-events')).equals([]);
  });

  it('shows by a fade that places go on beyond an edge, and none where they end', async () => {
    const page = await open('/dashboard', 320);
    const edges = () =>
      page.evaluate<string[]>(
        "[...document.querySelector('.places').classList].filter((name) => name.startsWith('more-')).sort()",
      );
    await eventually(edges).equals(['more-after']);
    await page.getByRole('link', { name: 'Organization' }).click();
    await eventually(edges).equals(['more-before']);
    await page.getByRole('link', { name: 'Members' }).click();
    await eventually(edges).equals(['more-after', 'more-before']);
    await page.setViewportSize({ width: 1280, height: 800 });
    await eventually(edges).equals([]);
  });

  it('begins the lists of panels beside each other at one height', async () => {
    const page = await open(SHOP, 1280);
    await page.locator('.panel-events .table').waitFor();
    await eventually(() => page.evaluate<[number, number][]>(HEADS)).satisfies((heads) => {
      const lines = [...new Set(heads.map(([panel]) => panel))].map((line) =>
        heads.filter(([panel]) => panel === line).map(([, list]) => list),
      );
      expect(lines.filter((lists) => lists.length > 1)).to.have.length(2);
      for (const tops of lines) {
        expect(Math.max(...tops) - Math.min(...tops), 'pixels').to.be.at.most(1);
      }
    });
  });

  for (const width of [375, 320]) {
    it(`leaves no control of the range alone in its line: ${width} px`, async () => {
      const page = await open(SHOP, width);
      await page.locator('.range-bar').waitFor();
      await eventually(() => page.evaluate<number[]>(CONTROLS)).satisfies((lines) => {
        expect(lines.reduce((sum, controls) => sum + controls)).to.equal(5);
        expect(Math.min(...lines)).to.be.at.least(2);
      });
    });
  }
});
