/** What happens now, in real browsers: who is there, the half hour, events as they come, and what cannot be told. */
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

const PATH = '/dashboard/websites/web_shop/now';
const HOSTILE = '<img src=x onerror="document.title=1">';

describe('the screen of what happens now', () => {
  const dashboard = useDashboard();
  const track = async (...events: object[]) => {
    const { server } = dashboard;
    const body = events.map((event) => ({ websiteId: 'web_shop', ...event }));
    const { status } = await server.call('POST', '/track', { key: server.keys.all, body });
    expect(status).to.equal(200);
  };
  const view = (anonymousId: string, path: string, more: object = {}) => ({
    ...{ name: 'screen_view', anonymousId, sessionId: `session of ${anonymousId}`, path },
    ...more,
  });

  it('is reached from the overview, and shows what comes while it is open, newest first', async () => {
    await track(view('ann', '/first'), view('bob', '/first'), view('bob', HOSTILE));
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.clock.install();
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop`);
    await page.getByRole('link', { name: /2 .*now/i }).click();
    await page.getByRole('heading', { level: 1, name: /now$/ }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(PATH);
    const people = page.getByRole('listitem').filter({ hasText: 'Visitors' });
    expect(await people.innerText()).to.match(/Visitors\s+2/);
    const pages = page.getByRole('region', { name: 'Pages that are looked at' });
    expect(await pages.getByRole('row', { name: '/first' }).innerText()).to.match(/\/first\s+2\s+2/);
    await pages.getByText(HOSTILE).waitFor();
    expect(await page.title()).to.not.equal('1');
    const events = page.getByRole('region', { name: 'Events as they come' }).getByRole('row');
    expect(await events.count()).to.equal(4);

    await track({ name: 'signed_up', anonymousId: 'cleo', sessionId: 'c', properties: { plan: 'pro' } });
    await page.clock.fastForward('00:11');
    await eventually(() => events.nth(1).innerText()).satisfies((text) =>
      expect(text).to.include('signed_up'),
    );
    await eventually(() => people.innerText()).satisfies((text) => expect(text).to.match(/Visitors\s+3/));
  });

  it('shows the half hour as a line and as a table of minutes, the running one first', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${PATH}`);
    await page.getByRole('img', { name: /^3 pageviews in the last 30 minutes/ }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).first().click();
    const minutes = page.getByRole('region', { name: 'Pageviews of the last 30 minutes' }).getByRole('row');
    expect(await minutes.count()).to.equal(31);
    const numbers = await minutes.allInnerTexts();
    const seen = numbers.slice(1).map((text) => Number(text.split(/\s+/).at(-2)));
    expect(seen.reduce((sum, value) => sum + value, 0)).to.equal(3);
  });

  it('says that nothing happened, that a website is not there, and speaks German', async () => {
    const visitor = await dashboard.newVisitor({ locale: 'de-DE', storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.goto(`${dashboard.origin}/dashboard/websites/web_blog/now`);
    await page.getByText('In den letzten 30 Minuten kam kein Ereignis.').waitFor();
    expect(await page.getByText('In den letzten 5 Minuten sah niemand eine Seite an.').count()).to.equal(3);
    await track(
      view('dora', '/german'),
      { name: 'outgoing_link', anonymousId: 'dora', sessionId: 'd', path: '/', href: 'https://example.com/' },
      { name: 'error', anonymousId: 'dora', sessionId: 'd', path: '/', message: 'broken' },
    );
    await page.goto(`${dashboard.origin}${PATH}`);
    for (const name of ['Direkt', 'Ausgehender Link', 'Fehler']) {
      await page
        .getByRole('cell', { name, exact: true })
        .or(page.getByRole('rowheader', { name, exact: true }))
        .first()
        .waitFor();
    }
    expect(await page.locator('#content').innerText()).to.not.match(/Direct|Unknown|outgoing_link|\berror\b/);
    await page.getByRole('link', { name: 'Übersicht' }).waitFor();
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/sessions?range=last_24h`);
    await page.getByRole('cell', { name: 'Direkt', exact: true }).first().waitFor();
    await page.goto(`${dashboard.origin}/dashboard/websites/web_gone/now`);
    await page.getByRole('heading', { level: 1, name: 'Website' }).waitFor();
    await visitor.settled();
    // Both of its requests were refused.
    visitor.complaints.length = 0;
  });
});
