/** The overview in a real browser, pressed again while the numbers of another question come: what is shown stays, and no press is lost. */
import { expect } from 'chai';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { importSample } from '../../../../../support/import-sample.ts';
import { holdQueries } from '../../../../../support/page-calls.ts';

const SHOP = '/dashboard/websites/web_shop';
const DAY_MS = 86_400_000;

describe('the overview of a website, pressed again at once', () => {
  const dashboard = useDashboard();

  before(async () => {
    await importSample(dashboard.server, {
      ...{ id: 'web_shop', domain: 'shop.example.com' },
      ...{ events: 4_000, days: 40, seed: 3 },
    });
  });

  const ready = async (visitor: Visitor): Promise<void> => {
    await visitor.page.locator('.overview[aria-busy=false] .panel-events tbody tr').first().waitFor();
    await visitor.settled();
  };

  it('steps once for each press, those of one moment too', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_7d`);
    const { page } = visitor;
    await ready(visitor);
    const days = () => {
      const { searchParams } = new URL(page.url());
      return ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? '') / DAY_MS);
    };
    const before = page.getByRole('button', { name: 'The range before' });
    await before.click();
    const [first = Number.NaN, last = Number.NaN] = await eventually(days).satisfies((range) =>
      expect(range).to.satisfy((all: number[]) => all.every(Number.isFinite)),
    );
    await before.evaluate((button: { click(): void }) => {
      for (let press = 0; press < 3; press++) button.click();
    });
    await eventually(days).equals([first - 21, last - 21]);
    const after = page.getByRole('button', { name: 'The range after' });
    await after.click();
    await eventually(days).equals([first - 14, last - 14]);
    await ready(visitor);

    // A key that is held down is pressed once: each step is a call.
    await page.locator(':focus').blur();
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('ArrowRight');
    await page.keyboard.up('ArrowRight');
    await eventually(days).equals([first - 7, last - 7]);
    await ready(visitor);
    expect(days()).to.deep.equal([first - 7, last - 7]);
  });

  it('makes no entry in the history for a step that leads nowhere', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_7d`);
    const { page } = visitor;
    await ready(visitor);
    const step = (name: string, presses: number) =>
      page.getByRole('button', { name }).evaluate((button: { click(): void }, times: number) => {
        for (let press = 0; press < times; press++) button.click();
      }, presses);
    const entries = () => page.evaluate('history.length');
    const before = Number(await entries());
    await step('The range before', 1);
    await eventually(entries).equals(before + 1);
    await ready(visitor);
    await step('The range after', 4);
    await eventually(entries).equals(before + 2);
    await ready(visitor);
    expect(await entries()).to.equal(before + 2);
  });

  it('is not busy any more once a step has failed', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_7d`);
    const { page } = visitor;
    await ready(visitor);
    const body = { success: false, error: 'No', code: 'INTERNAL_SERVER_ERROR' };
    await page.route('**/v1/query*', (route) => route.fulfill({ status: 500, json: body }));
    await page.keyboard.press('ArrowLeft');
    await page.locator('.panels > .panel-pages.is-old[aria-busy=false]').waitFor();
    visitor.allowRefusals();
  });

  it('keeps its panels as they are, dims them once it takes long, and adds to the filters that were chosen meanwhile', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_30d`);
    const { page } = visitor;
    await ready(visitor);
    const rows = () => page.locator('.panel-pages tbody tr').allInnerTexts();
    const shown = await rows();
    const release = await holdQueries(page);
    const [page1, event1] = await Promise.all([
      page.locator('.panel-pages tbody .drill').nth(1).innerText(),
      page.locator('.panel-events tbody .drill').first().innerText(),
    ]);
    await page.locator('.panel-pages tbody .drill').nth(1).click();
    await page.locator('.panels > .panel-pages.is-old[aria-busy=true]').waitFor();
    expect(await rows()).to.deep.equal(shown);
    await page.locator('.panel-events tbody .drill').first().click();
    const chosen = () => new URL(page.url()).searchParams.get('filters') ?? '';
    await eventually(chosen).satisfies((filters) => {
      expect(filters).to.include(page1);
      expect(filters).to.include(event1);
    });
    expect(await rows()).to.deep.equal(shown);
    release();
    await ready(visitor);
    await page.locator('.panels > .is-old').waitFor({ state: 'detached' });
    expect(await rows(), 'of fewer sessions').to.not.deep.equal(shown);
  });
});
