/** The screen of what happens now, left open while events arrive: it asks no more often than it says, and grows no heavier. */
import { expect } from 'chai';
import { arrivingEvents } from '../../../../../support/arriving-events.ts';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { gapsOf, noteQueries } from '../../../../../support/page-calls.ts';
import { expectFlat, type PageWeight, pageScale } from '../../../../../support/page-weight.ts';

/** Ten minutes of the page's clock; `npm run soak` waits for a real hour. */
const ROUNDS = 60;
const ROUND_MS = 10_000;
/** Six questions a minute; timers may be a little early. */
const LEAST_GAP_MS = 9_900;
/** Until its lists are full and its code is compiled. */
const WARM = 15;
const WEIGHED_EVERY = 5;

describe('the screen of what happens now, left open', () => {
  const dashboard = useDashboard();

  it('asks six times a minute at most, and keeps heap, nodes and listeners', async () => {
    const send = arrivingEvents(dashboard.server);
    await send(60);
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    const queriedAt = await noteQueries(page);
    await page.clock.install();
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/now`);
    await page.getByRole('region', { name: 'Events as they come' }).waitFor();
    const weigh = await pageScale(page);
    const weights: PageWeight[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      await send(3);
      const asked = (await queriedAt()).length;
      await page.clock.runFor(ROUND_MS);
      await eventually(async () => (await queriedAt()).length).satisfies((now) =>
        expect(now).to.be.above(asked),
      );
      await visitor.settled();
      if (round > WARM && round % WEIGHED_EVERY === 0) weights.push(await weigh());
    }
    const times = await queriedAt();
    const minutes = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60_000;
    expect(minutes).to.be.at.least((ROUNDS * ROUND_MS) / 60_000 - 1);
    expect(Math.min(...gapsOf(times)), 'milliseconds between questions').to.be.at.least(LEAST_GAP_MS);
    expect(await page.getByRole('region', { name: 'Events as they come' }).getByRole('row').count()).to.equal(
      31,
    );
    expectFlat(weights);
  });
});
