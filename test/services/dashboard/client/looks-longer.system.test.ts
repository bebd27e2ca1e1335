/** The dashboard in a language whose every text is forty percent longer than in English: on every screen, at every width. */
import { expect } from 'chai';
import { useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { withLongTexts } from '../../../support/dashboard-long-texts.ts';
import { answerInvitation } from '../../../support/dashboard-looks.ts';
import { fillScreens, SCREENS, type ScreenAddress } from '../../../support/dashboard-screens.ts';
import { lengthenedText } from '../../../support/lengthened.ts';
import { makeShare } from '../../../support/made-share.ts';
import { layoutFaults } from '../../../support/page-layout.ts';

const WIDTHS = [1280, 768, 320];

describe('the dashboard in a language of longer texts', () => {
  const longTexts = withLongTexts();
  const dashboard = useDashboard({ settings: longTexts.settings });
  let addressOf: ScreenAddress;

  before(async () => {
    addressOf = await fillScreens(dashboard.server);
  });

  /** What is wrong at any width, once what shows that it is drawn is there. */
  async function faultsOf({ page }: Visitor, drawn: string): Promise<string[]> {
    const found: string[] = [];
    await page.locator(drawn).first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const faults = await layoutFaults(page);
      found.push(...faults.map((fault) => `${page.url()}, ${width} px: ${fault}`));
    }
    return found;
  }

  it('speaks it', async () => {
    const { page } = await dashboard.enter('/dashboard/keys');
    await page.getByRole('heading', { level: 1, name: lengthenedText('API keys'), exact: true }).waitFor();
    await page.getByRole('link', { name: lengthenedText('Members'), exact: true }).waitFor();
  });

  it('cuts, covers and widens nothing on any screen', async () => {
    const storageState = await dashboard.loggedIn();
    const visitor = await dashboard.newVisitor({ storageState, reducedMotion: 'reduce' });
    const found: string[] = [];
    for (const [path, drawn] of Object.entries(SCREENS)) {
      await visitor.page.goto(dashboard.origin + addressOf(path));
      found.push(...(await faultsOf(visitor, drawn)));
    }
    expect(found).to.deep.equal([]);
  });

  it('cuts, covers and widens nothing before a login', async () => {
    const visitor = await dashboard.newVisitor();
    await answerInvitation(visitor.page);
    const found: string[] = [];
    for (const place of ['login', 'accept#made-up', 'reset#made-up']) {
      await visitor.page.goto(`${dashboard.origin}/dashboard/${place}`);
      found.push(...(await faultsOf(visitor, 'form input')));
    }
    expect(found).to.deep.equal([]);
  });

  it('cuts, covers and widens nothing on the page of a share', async () => {
    const { token } = await makeShare(dashboard.server);
    const visitor = await dashboard.newVisitor();
    const script = { contentType: 'text/javascript', body: longTexts.shareScript() };
    await visitor.page.route('**/share/_/*.js', (route) => route.fulfill(script));
    await visitor.page.goto(`${dashboard.origin}/share/${token}`);
    await visitor.page.getByText(lengthenedText('Visitors'), { exact: true }).first().waitFor();
    expect(await faultsOf(visitor, '.chart path.area')).to.deep.equal([]);
  });
});
