/** Reads of a screen in a real browser: what is drawn answers the last question. */
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';

describe('a read of a screen', () => {
  const dashboard = useDashboard();

  it('draws the answer to the last question, though the one before is answered later', async () => {
    const visitor = await dashboard.enter('/dashboard/members');
    const { page } = visitor;
    await visitor.settled();
    const held: Route[] = [];
    let isHeld = true;
    await page.route('**/v1/members?*', (route) => {
      if (isHeld) held.push(route);
      else void route.continue();
    });
    const names = () => page.locator('.person strong').allTextContents();
    const before = await names();
    // The list is asked for again after each of them; the first answer is of before the second.
    const invite = async (email: string) => {
      await page.getByRole('button', { name: 'Invite a member' }).click();
      await page.getByRole('dialog').getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Make invitation' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
    };
    await invite('first@example.com');
    await eventually(() => held.length).equals(1);
    const [late] = held as [Route];
    const stale = await late.fetch();
    isHeld = false;
    await invite('second@example.com');
    await eventually(names).equals([...before, 'first@example.com', 'second@example.com']);
    await late.fulfill({ response: stale });
    await visitor.settled();
    expect(await names()).to.deep.equal([...before, 'first@example.com', 'second@example.com']);
  });

  it('is loading from the frame on that asks, so that nothing in it passes for the answer', async () => {
    const { server } = dashboard;
    const common = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'a', sessionId: 's' };
    const body = Array.from({ length: 15 }, (_, index) => ({ ...common, path: `/${index}` }));
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
    const visitor = await dashboard.enter('/dashboard/websites/web_shop');
    const { page } = visitor;
    await page.locator('.panel-pages').getByRole('button', { name: 'Show more' }).waitFor();
    await visitor.settled();
    // Within one task of the browser: no frame, and no effect, comes between the two.
    const drawn = await page.evaluate(`(async () => {
      const rows = () => document.querySelector('.panel-pages .rows');
      const more = () => rows().querySelector('.panel-foot > button');
      more().click();
      for (let turn = 0; turn < 50; turn++) await null;
      return [rows().ariaBusy, more().textContent];
    })()`);
    expect(drawn).to.deep.equal(['true', 'Show more']);
    await page.locator('.panel-pages').getByRole('button', { name: 'Show fewer' }).waitFor();
    expect(await page.locator('.panel-pages tbody tr').count()).to.equal(15);
  });
});
