/** A new website in a real browser: from its name to the first event of a real page, and what is refused on the way. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { newVisitor } from '../../../../support/chromium.ts';
import { useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { startTrackedWebsite } from '../../../../support/tracked-website.ts';
import { createWebsite } from '../../../../support/website-writes.ts';

const NEW = '/dashboard/websites/new';
const QUERY = 'POST /v1/query';

const waiting = (page: Page) => page.getByText('Waiting for the first event').waitFor();
const countOf = (visitor: Visitor, request: string) =>
  visitor.requests.filter((each) => each === request).length;

describe('a new website of the dashboard', () => {
  const dashboard = useDashboard();

  async function create(page: Page, domain: string, name = ''): Promise<void> {
    await page.getByLabel('Domain').fill(domain);
    await page.getByLabel('Name (optional)').fill(name);
    await page.getByRole('button', { name: 'Create website' }).click();
  }
  const waitFor = async (path: string) => {
    const visitor = await dashboard.newVisitor();
    await visitor.page.clock.install();
    await visitor.page.goto(`${dashboard.origin}/dashboard/login?next=${encodeURIComponent(path)}`);
    await visitor.logIn();
    return visitor;
  };

  it('is created, its snippet put into a page, and the page of the dashboard turns at the first event', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    await page.getByRole('link', { name: 'New website' }).click();
    await page.getByRole('heading', { level: 1, name: 'New website' }).waitFor();
    await visitor.settled();
    await page.clock.install();
    visitor.requests.length = 0;
    await create(page, 'http://WWW.Localhost:3000/start?x=1', 'My pages');
    await waiting(page);
    await eventually(() => countOf(visitor, QUERY)).satisfies((count) => expect(count).to.be.above(0));
    expect(countOf(visitor, 'POST /v1/websites')).to.equal(1);
    // The domain in its normal form.
    await page.locator('.lead').getByText('localhost', { exact: true }).waitFor();
    const id = await eventually(() => new URL(page.url()).searchParams.get('website') ?? '').satisfies(
      (website) => expect(website).to.match(/^web_/),
    );
    await eventually(() => page.evaluate('document.activeElement.id')).equals('content');

    const snippet = await page.locator('pre').first().innerText();
    expect(snippet).to.equal(
      `<script defer src="${dashboard.origin}/tracker.js" data-client-id="${id}"></script>`,
    );
    const website = await startTrackedWebsite(dashboard.origin, `data-client-id="${id}"`);
    const browser = await newVisitor(dashboard.browser);
    try {
      const open = await browser.newPage();
      await open.goto(`${website.origin}/`);
      await page.getByText('First event received.').waitFor();
      await visitor.settled();
      visitor.requests.length = 0;
      await page.clock.runFor(60_000);
      await visitor.settled();
      expect(visitor.requests, 'nothing is asked once it is there').to.deep.equal([]);
    } finally {
      await browser.close();
      await website.close();
    }
    await visitor.expectAccessible('the first event');
    const overview = page.getByRole('link', { name: 'Open the overview' });
    expect(await overview.getAttribute('href')).to.equal(`/dashboard/websites/${id}`);
    await page.getByRole('link', { name: 'Websites' }).click();
    const card = page.locator('.website-card').filter({ hasText: 'My pages' });
    await card.getByText('Last event').waitFor();
    const { server } = dashboard;
    const now = new Date();
    const range = { startDate: new Date(now.getTime() - 86_400_000), endDate: now };
    const asked = { websiteId: id, parameters: ['summary_metrics'], ...range };
    const answer = await server.call('POST', '/v1/query', { key: server.keys.all, body: asked });
    const [{ visitors, pageviews }] = answer.body.data[0].data;
    expect([visitors, pageviews]).to.deep.equal([1, 1]);
    await eventually(() => card.locator('.number').allInnerTexts()).equals(['1', '1']);
  });

  it('goes on with the snippet after a reload, and is called by its domain without a name', async () => {
    const { page } = await dashboard.enter(NEW);
    await create(page, 'nameless.example.com');
    await waiting(page);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'nameless.example.com' }).waitFor();
    await waiting(page);
  });

  it('says beside the field what is refused, and moves there', async () => {
    const visitor = await dashboard.enter(NEW);
    visitor.allowRefusals();
    const { page } = visitor;
    const domain = page.getByLabel('Domain');
    for (const [typed, said] of [
      ['ftp://example.com', 'Allowed: a host such as "shop.example.com"'],
      ['https://www.shop.example.com/cart', 'has the domain "shop.example.com"'],
    ] as const) {
      await create(page, typed, 'Again');
      await page.locator('.field .fault').getByText(said).waitFor();
      expect(await domain.getAttribute('aria-invalid')).to.equal('true');
      expect(await domain.inputValue()).to.equal(typed);
      await eventually(() => page.evaluate('document.activeElement.name')).equals('domain');
      await visitor.expectAccessible(`refused: ${typed}`);
    }
    await create(page, 'again.example.com', 'Again');
    await waiting(page);
  });

  it('is looked for by one request a look, ever more seldom, and no more after a quarter of an hour', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Quiet' });
    const visitor = await waitFor(`${NEW}?website=${id}`);
    const { page } = visitor;
    await waiting(page);
    const looks = () => countOf(visitor, QUERY);
    await eventually(looks, 'the first look').satisfies((count) => expect(count).to.be.above(0));
    await visitor.settled();
    const times: number[] = [];
    for (let seconds = 3; (await page.getByText('has stopped looking').count()) === 0; ) {
      const before = looks();
      await page.clock.fastForward(3_000);
      seconds += 3;
      // The next look counts from the answer to this one.
      await visitor.settled();
      if (looks() > before) times.push(seconds);
      expect(seconds, 'seconds until it stops').to.be.below(1_200);
    }
    expect(looks()).to.be.within(95, 105);
    expect(times.filter((seconds) => seconds <= 63).length).to.be.within(15, 21);
    expect(visitor.requests.filter((each) => each.includes('/v1/') && each !== QUERY)).to.have.length.below(
      5,
    );
    await page.clock.fastForward(600_000);
    await visitor.settled();
    const before = looks();
    await page.getByRole('button', { name: 'Look again' }).click();
    await waiting(page);
    await eventually(looks, 'it looks again').satisfies((count) => expect(count).to.be.above(before));
  });

  it('is not looked for while the tab is hidden, and at once when it is seen again', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Hidden' });
    const visitor = await waitFor(`${NEW}?website=${id}`);
    const { page } = visitor;
    await waiting(page);
    await eventually(() => countOf(visitor, QUERY), 'the first look').satisfies((count) =>
      expect(count).to.be.above(0),
    );
    const show = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await show(true);
    // A look may have been under way, or due just before.
    await visitor.settled();
    const looks = countOf(visitor, QUERY);
    for (let i = 0; i < 10; i++) await page.clock.fastForward(30_000);
    await visitor.settled();
    expect(countOf(visitor, QUERY)).to.equal(looks);
    const { server } = dashboard;
    const key = server.keys.all;
    const body = { name: 'screen_view', websiteId: id, path: '/' };
    expectSuccess(await server.call('POST', '/track', { key, body }), 200);
    await show(false);
    await page.getByText('First event received.').waitFor();
  });

  it('goes on looking after a fault that passes, and stops at one that does not', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Faulty' });
    const visitor = await waitFor(`${NEW}?website=${id}`);
    visitor.allowRefusals();
    const { page } = visitor;
    await waiting(page);
    let status = 503;
    await page.route('**/v1/query', (route) => route.fulfill({ status, json: { success: false } }));
    await page.clock.fastForward(5_000);
    await page.getByRole('alert').getByText('The service cannot answer right now.').waitFor();
    await waiting(page);
    status = 404;
    await page.clock.fastForward(30_000);
    await page.getByRole('alert').getByText('There is nothing at this address.').waitFor();
    await visitor.settled();
    const before = countOf(visitor, QUERY);
    await page.clock.fastForward(600_000);
    await visitor.settled();
    expect(countOf(visitor, QUERY)).to.equal(before);
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const visitor = await dashboard.enter(NEW, undefined, {
          colorScheme,
          viewport: { width, height: 800 },
        });
        const { page } = visitor;
        await page.getByRole('button', { name: 'Create website' }).waitFor();
        await visitor.expectAccessible(`the form at ${width} px, ${colorScheme}`);
        await create(page, `w${width}${colorScheme}.example.com`);
        await waiting(page);
        await page.getByText('Send events from a server').click();
        await page.getByText('curl -sS').waitFor();
        await visitor.expectAccessible(`the snippet at ${width} px, ${colorScheme}`);
        await visitor.expectNoWider();
      });
    }
  }
});
