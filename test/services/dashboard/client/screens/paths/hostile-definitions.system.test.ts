/** Goals and funnels of hostile names, and hostile texts as their groups, in a real browser: they are shown, and do nothing. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { cellsOf, FORMULA, findHarm } from '../../../../../support/harm.ts';
import { HOSTILE_TEXTS, OWN_NAMES } from '../../../../../support/hostile-texts.ts';
import { strangeFunnel, strangeGoal } from '../../../../../support/strange-definitions.ts';
import { define } from '../../../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const TEXTS = [...HOSTILE_TEXTS, ...OWN_NAMES];
const ALL = { type: 'page', match: { op: 'matches', value: '.*' } };

describe('hostile goals and funnels', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    const body = TEXTS.map((path, index) => ({
      ...{
        websiteId: 'web_shop',
        anonymousId: `a${index}`,
        sessionId: `s${index}`,
        name: 'screen_view',
        path,
      },
      utm_campaign: [...path].slice(0, 256).join(''),
    }));
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }), 200);
  });

  /** What a page does that it must not, wide and narrow. */
  async function harmOf(visitor: Visitor, where: string): Promise<string[]> {
    const { page } = visitor;
    await visitor.settled();
    const found = await page.evaluate(findHarm);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await visitor.expectNoWider(`at ${width}: ${where}`);
    }
    return found.map((harm) => `${where}: ${harm}`);
  }
  async function csvOf({ page }: Visitor): Promise<string[]> {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: /CSV/ }).last().click();
    return cellsOf(readFileSync(await (await coming).path(), 'utf8'));
  }

  it('do nothing in lists, questions, dialogs and files, were they let in', async () => {
    const visitor = await dashboard.enter('/dashboard/account');
    const { page } = visitor;
    const goals = TEXTS.map(strangeGoal);
    const funnels = TEXTS.map(strangeFunnel);
    await page.route('**/v1/goals?*', (route) => route.fulfill({ json: { data: goals } }));
    await page.route('**/v1/funnels?*', (route) => route.fulfill({ json: { data: funnels } }));
    const rows = goals.map(({ id, name, position, currency }) => ({
      ...{ name, goal_id: id, position, currency, visitors: 1, conversions: 1, sessions: 1 },
      ...{ conversion_rate: 1, revenue: 1 },
    }));
    const results = [
      { queryId: 'goals', data: [{ parameter: 'goals', success: true, data: rows }], meta: {} },
    ];
    await page.route('**/v1/query?*', (route) => route.fulfill({ json: { success: true, results } }));
    const found: string[] = [];
    for (const kind of ['goals', 'funnels']) {
      await page.goto(`${dashboard.origin}${SHOP}/${kind}`);
      await page
        .locator('main tbody tr')
        .nth(TEXTS.length - 1)
        .waitFor();
      found.push(...(await harmOf(visitor, kind)));
      for (const [act, name] of [
        ['deleting', '.danger'],
        ['changing', '.button:not(.danger, .plain)'],
      ]) {
        await page.locator(`tbody tr ${name}`).nth(2).click();
        await page.getByRole('dialog').waitFor();
        found.push(...(await harmOf(visitor, `${kind}, ${act} one`)));
        await page.keyboard.press('Escape');
      }
      expect((await csvOf(visitor)).filter((cell) => FORMULA.test(cell))).to.deep.equal([]);
    }
    expect(found).to.deep.equal([]);
  });

  it('do nothing as what one is grouped by, nor in its file', async () => {
    const { server } = dashboard;
    const goal = await define(server, 'goals', { name: 'Any', ...ALL });
    const funnel = await define(server, 'funnels', { name: 'Two', steps: [ALL, ALL] });
    const visitor = await dashboard.enter('/dashboard/account');
    const { page } = visitor;
    const found: string[] = [];
    for (const group of ['path', 'utm_campaign']) {
      for (const address of [`goals?goal=${goal}`, `funnels?funnel=${funnel}`]) {
        await page.goto(`${dashboard.origin}${SHOP}/${address}&range=last_7d&group=${group}`);
        await page.getByRole('row', { name: /pwn/ }).first().waitFor();
        found.push(...(await harmOf(visitor, `${address} by ${group}`)));
        const cells = await csvOf(visitor);
        expect(cells.length).to.be.above(60 * 3);
        expect(cells.filter((cell) => FORMULA.test(cell))).to.deep.equal([]);
      }
    }
    expect(found).to.deep.equal([]);
  });

  it('do nothing in an address, where there is no such goal or funnel', async () => {
    const visitor = await dashboard.enter('/dashboard/account');
    visitor.allowRefusals();
    const strange = encodeURIComponent(HOSTILE_TEXTS[2] as string);
    const found: string[] = [];
    for (const address of [
      'goals?sort=__proto__&page=__proto__',
      `goals?goal=${strange}&group=${strange}`,
      `funnels?funnel=${strange}&group=properties.${strange}&measure=__proto__`,
      `funnels?search=${strange}&cursor=${strange}&sort=__proto__`,
    ]) {
      await visitor.page.goto(`${dashboard.origin}${SHOP}/${address}`);
      await visitor.page.locator('h1').first().waitFor();
      found.push(...(await harmOf(visitor, address)));
    }
    expect(found).to.deep.equal([]);
  });
});
