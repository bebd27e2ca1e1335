/** The texts of a screen in a real browser: none of another language is loaded by who does not read it, and English stands where they do not come. */
import { expect } from 'chai';
import { useDashboard } from '../../../../support/dashboard.ts';

const SHARING = '/dashboard/websites/web_shop/sharing';

describe('the texts of a screen', () => {
  const dashboard = useDashboard();

  it('are loaded once somebody speaks their language', async () => {
    const { page } = await dashboard.enter(SHARING);
    const german: string[] = [];
    page.on('request', (request) => {
      const [name] = /\/de\.[\w-]+\.js$/.exec(request.url()) ?? [];
      if (name) german.push(name);
    });
    await page.getByText('Nothing is shared').waitFor();
    expect(german).to.deep.equal([]);
    await page.locator('.frame-head .menu summary').last().click();
    await page.getByLabel('Language').selectOption('de');
    await page.getByText('Nichts ist freigegeben').waitFor();
    // Those of the pages, and those of the screens of the area.
    expect(german).to.have.length(2);
  });

  it('are English where those of the language do not come', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale: 'de-DE' });
    const { page } = visitor;
    let loads = 0;
    await page.route('**/dashboard/de.*.js', (route) => (loads++ === 0 ? route.continue() : route.abort()));
    await page.goto(dashboard.origin + SHARING);
    await page.getByText('Nothing is shared').waitFor();
    await page.getByRole('link', { name: 'Mitglieder' }).waitFor();
    // The browser says that the script did not come.
    visitor.complaints.length = 0;
  });
});
