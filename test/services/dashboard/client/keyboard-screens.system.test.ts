/** Every screen by keyboard: Tab passes all of its controls and leaves it again, and each control shows that it has the focus. */
import { useDashboard } from '../../../support/dashboard.ts';
import { fillScreens, SCREENS, type ScreenAddress } from '../../../support/dashboard-screens.ts';
import { keyboardOf } from '../../../support/keyboard.ts';

describe('every screen by keyboard', () => {
  const dashboard = useDashboard();
  let addressOf: ScreenAddress;

  before(async () => {
    addressOf = await fillScreens(dashboard.server);
  });

  for (const [path, drawn] of Object.entries(SCREENS)) {
    it(`is passed from its beginning to its end: ${path}`, async () => {
      const storageState = await dashboard.loggedIn();
      const { page, settled } = await dashboard.newVisitor({ storageState, reducedMotion: 'reduce' });
      await page.goto(dashboard.origin + addressOf(path));
      await page.locator(drawn).first().waitFor();
      await settled();
      await keyboardOf(page).expectPassable();
    });
  }
});
