/** The keys of the pages in a real browser: the palette, the help, single keys, and the switch that turns them off. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';
import { eventually } from '../../../../support/eventually.ts';

const SHOP = '/dashboard/websites/web_shop';

describe('the keys of the pages', () => {
  const dashboard = useDashboard();
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const path = (page: Page) => new URL(page.url()).pathname;

  it('open any screen and website by its name, for one request', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const { page } = visitor;
    await visitor.settled();
    const asked = await visitor.asks(async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Screen or website' }).fill('shop');
      await page.getByRole('option', { name: 'Shop shop.example.com' }).waitFor();
    });
    expect(asked).to.deep.equal(['GET /v1/query/websites']);
    await visitor.expectAccessible('the palette');
    await page.keyboard.press('Enter');
    await eventually(() => path(page)).equals(SHOP);
    await visitor.settled();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Screen or website' });
    await field.waitFor();
    await page.getByRole('option', { name: 'Overview' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await eventually(() => page.locator('.commands [aria-selected=true]').innerText()).equals('Now');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('find what no navigation has, for who may see it', async () => {
    const viewer = await addMember(dashboard.server, 'viewer');
    const { page } = await dashboard.enter('/dashboard', viewer);
    const field = page.getByRole('combobox', { name: 'Screen or website' });
    const options = page.getByRole('dialog').getByRole('option');
    const found = async (typed: string) => {
      await field.fill(typed);
      return (await options.allInnerTexts()).map((text) => text.trim());
    };
    await page.keyboard.press('Control+k');
    await eventually(() => found('sql shop')).equals(['SQL Shop']);
    expect(await found('sharing shop')).to.deep.equal(['Sharing Shop']);
    expect(await found('limits')).to.deep.equal(['Limits now']);
    expect(await found('requests')).to.deep.equal(['Requests over time']);
    // A screen of operators.
    expect(await found('meets')).to.deep.equal([]);
    expect(await found('received shop')).to.deep.equal(['Received events Shop']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Events received by Shop' }).waitFor();
    expect(path(page)).to.equal(`${SHOP}/ingest`);
    await page.keyboard.press('Control+k');
    await eventually(() => found('sql')).satisfies((names) =>
      expect(names.filter((name) => name === 'SQL' || name === 'SQL Shop')).to.deep.equal(['SQL']),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'SQL over Shop' }).waitFor();
  });

  it('go to places, step through time, filter, and ask again, where nobody types', async () => {
    const visitor = await dashboard.enter(`${SHOP}?range=last_7d`);
    const { page } = visitor;
    await visitor.settled();
    await page.keyboard.press('ArrowLeft');
    await eventually(() => parameter(page, 'from')).satisfies((from) => expect(from).to.match(/^\d{4}/));
    await visitor.settled();
    await page.keyboard.press('f');
    await page.getByRole('dialog', { name: 'Add a filter' }).waitFor();
    // In a dialog keys are what is typed, which Escape asks about first.
    await page.keyboard.press('?');
    await page.keyboard.press('Escape');
    await page.getByText('What you typed is not saved.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await visitor.asks(() => page.keyboard.press('r'))).to.deep.equal(['POST /v1/query']);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await eventually(() => path(page)).equals('/dashboard/organization');
  });

  it('do nothing once somebody turned them off, and stay so', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const { page } = visitor;
    await visitor.settled();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByRole('row', { name: 'g w' }).waitFor();
    await visitor.expectAccessible('the help');
    await help.getByLabel('Single keys do something').uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.reload();
    await visitor.settled();
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    // What follows a key that does something is here at once.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(1);
    expect(path(page)).to.equal('/dashboard/organization');
  });
});
