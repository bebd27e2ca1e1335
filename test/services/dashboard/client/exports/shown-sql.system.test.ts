/** The SQL of what a screen shows, in a real browser: compiled by the API once it is opened, and offered wherever a query is shown as curl. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { WEBSITE_SCREENS } from '../../../../../services/dashboard/client/website/website-links.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { importSample } from '../../../../support/import-sample.ts';

const SHOP = '/dashboard/websites/web_shop';
const COMPILE = 'POST /v1/query/compile';

describe('a query as SQL', () => {
  const dashboard = useDashboard();

  before(() =>
    importSample(dashboard.server, {
      id: 'web_shop',
      domain: 'shop.example.com',
      events: 3_000,
      days: 20,
      seed: 3,
    }),
  );

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  /** What a query is compiled to by the API, for the body that the page sent. */
  async function compiled(body: unknown) {
    const answer = await dashboard.server.call('POST', '/v1/query/compile?website_id=web_shop&timezone=UTC', {
      key: dashboard.server.keys.readOnly,
      body: body as object,
    });
    expect(answer.status).to.equal(200);
    return answer.body;
  }

  it('is what the API compiles, with its parameters and that of the other period, asked for once it is opened', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_week&compare=previous`);
    const { page } = visitor;
    const open = button(page, 'Show as SQL: Top');
    await open.waitFor();
    await visitor.settled();
    const sent = page.waitForRequest('**/v1/query/compile*');
    const dialog = page.getByRole('dialog', { name: 'Show as SQL: Top' });
    const asked = await visitor.asks(async () => {
      await open.click();
      await dialog.locator('pre').nth(3).waitFor();
    });
    expect(asked).to.deep.equal([COMPILE]);
    const { sql, params, compare } = await compiled((await sent).postDataJSON());
    expect(sql).to.match(/^SELECT|^WITH/);
    const texts = await dialog.locator('pre').allTextContents();
    expect([texts[0], texts[2]]).to.deep.equal([sql, compare.sql]);
    expect([texts[1], texts[3]].map((text) => JSON.parse(text ?? ''))).to.deep.equal([
      params,
      compare.params,
    ]);
    expect(await dialog.getByRole('heading', { level: 3 }).innerText()).to.equal('top_pages');
    await dialog.getByRole('button', { name: 'Copy: SQL: top_pages', exact: true }).waitFor();
    await visitor.expectAccessible('as SQL');
    await page.keyboard.press('Escape');
    await eventually(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).equals(
      'Show as SQL: Top',
    );
  });

  it('of a call with several questions shows each of them', async () => {
    const visitor = await dashboard.enter(`${SHOP}/now`);
    const { page } = visitor;
    await page.getByRole('button', { name: /^Show as SQL/ }).click();
    const names = page.getByRole('dialog').getByRole('heading', { level: 3 });
    await eventually(() => names.allInnerTexts()).satisfies((all) =>
      expect(all).to.include.members(['summary', 'active_pages', 'active_countries', 'events_live']),
    );
  });

  it('says why one cannot be built', async () => {
    const visitor = await dashboard.enter(SHOP);
    visitor.allowRefusals();
    const { page } = visitor;
    const json = {
      success: false,
      code: 'COMPILATION_ERROR',
      message: 'parameters[0]: It is too long.',
      requestId: 'r',
    };
    await page.route('**/v1/query/compile*', (route) => route.fulfill({ status: 400, json }));
    await button(page, 'Show as SQL: Top').click();
    await page.getByRole('dialog').getByText('It is too long.').waitFor();
  });

  it('is offered on every screen of a website beside the command, and to nobody who may not compile', async () => {
    const visitor = await dashboard.enter();
    const { page } = visitor;
    const count = (name: RegExp) => page.getByRole('button', { name }).count();
    let offered = 0;
    for (const screen of WEBSITE_SCREENS) {
      await page.goto(`${dashboard.origin}${SHOP}/${screen}`.replace(/\/$/, ''));
      await page.locator('.page-head h1').waitFor();
      await visitor.settled();
      const ofScreen = await count(/^Show as SQL/);
      expect(ofScreen, screen).to.equal(await count(/^Show as curl/));
      offered += ofScreen;
    }
    expect(offered).to.be.above(WEBSITE_SCREENS.length);
    await page.route('**/v1/auth/session', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { scopes: string[] } };
      body.data.scopes = [];
      await route.fulfill({ response, json: body });
    });
    await page.goto(dashboard.origin + SHOP);
    await button(page, 'Show as curl: Top').waitFor();
    expect(await count(/^Show as SQL/)).to.equal(0);
  });
});
