/** The dashboard where it is narrow and its words are long: in German, on telephones. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { addMember } from '../../../support/dashboard-members.ts';
import {
  fillScreens,
  SCREENS,
  type ScreenAddress,
  unvisitedScreens,
} from '../../../support/dashboard-screens.ts';
import { eventually } from '../../../support/eventually.ts';
import { layoutFaults } from '../../../support/page-layout.ts';

const SHOP = '/dashboard/websites/web_shop';
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
  let addressOf: ScreenAddress;

  before(async () => {
    addressOf = await fillScreens(dashboard.server);
  });

  async function open(path: string, width: number, locale = 'en-US'): Promise<Page> {
    const viewport = { width, height: 800 };
    const storageState = await dashboard.loggedIn();
    const { page } = await dashboard.newVisitor({ storageState, locale, viewport, reducedMotion: 'reduce' });
    await page.goto(dashboard.origin + addressOf(path));
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

  it('is looked at on every screen that the pages know', () => {
    expect(unvisitedScreens()).to.deep.equal([]);
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
