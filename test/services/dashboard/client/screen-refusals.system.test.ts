/** Screens whose numbers are asked again once a limit is used up: what they showed stays, beside the refusal. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { fillScreens, SCREENS, type ScreenAddress } from '../../../support/dashboard-screens.ts';

const SHOP = '/dashboard/websites/web_shop';
/** Forms, lists that nothing asks again, and screens that ask again by themselves, whose suites wait for it. */
const NOT_REFRESHED = ['settings', 'sharing', 'sql', 'ingest', 'now'];
const REFUSAL = {
  status: 429,
  headers: { 'retry-after': '60' },
  json: { success: false, code: 'RATE_LIMIT_EXCEEDED', error: 'Too many requests.' },
};
/** The numbers and rows on the screen. */
const shown = (page: Page) => page.locator('main :is(.tile strong, tbody tr)').allInnerTexts();

describe('a screen of a website at a limit', () => {
  const dashboard = useDashboard();
  let addressOf: ScreenAddress;

  before(async () => {
    addressOf = await fillScreens(dashboard.server);
  });

  const refreshed = Object.entries(SCREENS).filter(
    ([path]) => path.startsWith(SHOP) && !NOT_REFRESHED.some((name) => path.startsWith(`${SHOP}/${name}`)),
  );
  for (const [path, drawn] of refreshed) {
    it(`keeps what it shows: ${path}`, async () => {
      const storageState = await dashboard.loggedIn();
      const visitor = await dashboard.newVisitor({ storageState, reducedMotion: 'reduce' });
      const { page } = visitor;
      await page.goto(dashboard.origin + addressOf(path));
      await page.locator(drawn).first().waitFor();
      await visitor.settled();
      const before = await shown(page);
      expect(before).to.have.length.above(0);
      visitor.allowRefusals();
      await page.route('**/v1/**', (route) => route.fulfill(REFUSAL));
      await page.getByRole('button', { name: 'Refresh', exact: true }).click();
      await page.locator('.notice.warn').first().waitFor();
      expect(await shown(page)).to.deep.equal(before);
    });
  }
});
