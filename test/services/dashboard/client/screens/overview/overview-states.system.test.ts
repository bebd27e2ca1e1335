/** The overview in a real browser before its numbers, without them, and where there are none. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { coloursIn, contrastOf } from '../../../../../support/contrast.ts';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { unanswered } from '../../../../../support/dashboard-looks.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { importSample } from '../../../../../support/import-sample.ts';

const SHOP = '/dashboard/websites/web_shop';
const BLOG = '/dashboard/websites/web_blog';
/** The least that tells a shape from what it lies on. */
const SHAPE = 1.25;
/** Of fields of a map beside each other, where the first says "none" and the second "some". */
const STEP = 1.4;

/** The computed value of a property of every such element. */
const computed = (page: Page, selector: string, property: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => getComputedStyle(each)[${JSON.stringify(property)}])`,
  );

describe('the overview without numbers', () => {
  const dashboard = useDashboard();

  before(() =>
    importSample(dashboard.server, {
      id: 'web_shop',
      domain: 'shop.example.com',
      events: 3_000,
      days: 40,
      seed: 3,
    }),
  );

  async function open(path: string, options: { locale?: string; width?: number } = {}) {
    const storageState = await dashboard.loggedIn();
    const { locale = 'en-US', width = 1280 } = options;
    const visitor = await dashboard.newVisitor({ storageState, locale, viewport: { width, height: 800 } });
    return { visitor, page: visitor.page, show: () => visitor.page.goto(dashboard.origin + path) };
  }

  it('holds a place that is seen for every number to come, in light and dark', async () => {
    const { page, show } = await open(SHOP);
    await unanswered(page);
    await show();
    await page.locator('.panel-events .placeholder').first().waitFor();
    expect(await page.locator('.tile .placeholder').count()).to.equal(6);
    expect(await page.locator('.active .placeholder').count()).to.equal(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const [card = ''] = await computed(page, '.card', 'backgroundColor');
      const [ground = ''] = await computed(page, 'html', 'backgroundColor');
      for (const [surface] of [coloursIn(card), coloursIn(ground)]) {
        if (!surface) throw new Error('what is under it has no colour');
        for (const image of new Set(await computed(page, '.placeholder', 'backgroundImage'))) {
          const colours = coloursIn(image);
          expect(colours.length).to.be.at.least(2);
          const least = Math.min(...colours.map((colour) => contrastOf(colour, surface)));
          expect(least, `${colorScheme}: ${image}`).to.be.at.least(SHAPE);
        }
      }
    }
  });

  const failures = {
    'the network is away': (page: Page) => page.route('**/v1/query*', (route) => route.abort()),
    'a limit is used up': (page: Page) =>
      page.route('**/v1/query*', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '60' },
          json: { success: false, code: 'RATE_LIMIT_EXCEEDED', error: 'Too many requests.' },
        }),
      ),
  };
  for (const [name, fail] of Object.entries(failures)) {
    it(`says in every place that its number did not come: ${name}`, async () => {
      const { visitor, page, show } = await open(SHOP);
      await fail(page);
      await show();
      await page.locator('.notice').first().waitFor();
      const tiles = page.locator('.tile strong');
      await eventually(() => tiles.allTextContents()).equals(Array(6).fill('–no number'));
      const panels = await page.locator('.panel').count();
      expect(await page.locator('.panel').getByText('The numbers did not come.').count()).to.equal(panels);
      await page.locator('.chart').getByText('The numbers did not come.').waitFor();
      expect(await page.getByText('Drag over the chart').filter({ visible: true }).count()).to.equal(0);
      expect(await page.locator('.placeholder').count()).to.equal(0);
      await visitor.expectAccessible(name);
      // Left before it asks again: every refusal is a complaint of the browser.
      await page.close();
      visitor.complaints.length = 0;
    });
  }

  it('has a dash for a rate and a duration of no sessions, and leads to the snippet', async () => {
    const { page, show } = await open(`${BLOG}?from=2020-01-01&to=2020-01-31`);
    await show();
    await page.getByRole('heading', { name: 'Nothing in this range' }).waitFor();
    await eventually(() => page.locator('.tile strong').allTextContents()).equals([
      ...['0', '0', '0'],
      ...Array(3).fill('–no number'),
    ]);
    await page.getByRole('link', { name: 'Show the snippet' }).click();
    await eventually(() => new URL(page.url()).pathname).equals(`${BLOG}/settings`);
  });

  it('says what the map counts, and tells countries without any from those with few', async () => {
    const { page, show } = await open(SHOP);
    await show();
    // The panels, and not what keeps their places.
    await page.locator('.panel-events .table').waitFor();
    await page.locator('.world-place').scrollIntoViewIfNeeded();
    const legend = page.locator('.world figcaption');
    await legend.getByText('Pageviews:').waitFor();
    expect(await legend.locator('li').first().textContent()).to.equal('none');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const [none] = coloursIn((await computed(page, '.world path.step-0', 'fill'))[0] ?? '');
      const [few] = coloursIn((await computed(page, '.world .swatch.step-1', 'backgroundColor'))[0] ?? '');
      if (!none || !few) throw new Error('the map has no colours');
      expect(contrastOf(none, few), colorScheme).to.be.at.least(STEP);
    }
  });

  for (const locale of ['en-US', 'de-DE']) {
    it(`breaks no word in the name of a tile: ${locale}`, async () => {
      const { page, show } = await open(SHOP, { locale });
      await show();
      await page.locator('.chart path.area').waitFor();
      for (const width of [320, 375, 480, 512, 600, 640, 700, 768, 832, 840, 900, 960, 968, 1024, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(
          () =>
            page.evaluate<string[]>(`[...document.querySelectorAll('.tile .soft')].flatMap((label) => {
            const text = label.firstChild;
            return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
              const range = document.createRange();
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              return range.getClientRects().length > 1;
            }).map(([word]) => word);
          })`),
          `words broken at ${width} px`,
        ).equals([]);
      }
    });
  }

  it('shows where a table goes on to the side, and lets the keyboard there', async () => {
    const { page, show } = await open(`${SHOP}?view=table&range=last_7d`, { width: 375 });
    await show();
    const table = page.getByRole('region', { name: 'Visitors over time' });
    await table.waitFor();
    const scrolled = () =>
      page.evaluate<[number, number]>(
        `(({ scrollLeft, scrollWidth, clientWidth }) => [scrollLeft, scrollWidth - clientWidth])(document.querySelector('.numbers .table'))`,
      );
    expect((await scrolled())[1], 'pixels beyond its width').to.be.above(50);
    // A shade that stays at the sides, and covers that move with the content away from where more stands.
    expect(await computed(page, '.numbers .table', 'backgroundAttachment')).to.deep.equal([
      'local, local, scroll, scroll',
    ]);
    const [image = ''] = await computed(page, '.numbers .table', 'backgroundImage');
    expect(image.match(/gradient/g)).to.have.length(4);
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(scrolled).satisfies(([at]) => expect(at).to.be.above(0));
  });
});
