/** An hour of the dashboard's screen of what happens now, in real time, while events arrive: it asks no more than six times a minute, and grows no heavier. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { arrivingEvents } from '../support/arriving-events.ts';
import { useDashboard } from '../support/dashboard.ts';
import { gapsOf, noteQueries } from '../support/page-calls.ts';
import { expectFlat, type PageWeight, pageScale } from '../support/page-weight.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60);
const MINUTE_MS = 60_000;
/** Six questions a minute; timers may be a little early. */
const LEAST_GAP_MS = 9_900;
/** Events arrive this often. */
const PAUSE_MS = 2_000;
/** Until lists are full and code is compiled. */
const WARM_MS = Math.min(5 * MINUTE_MS, (MINUTES * MINUTE_MS) / 4);
const WEIGHTS = 20;

describe(`what happens now, open for ${MINUTES} minutes`, function () {
  this.timeout((MINUTES + 10) * MINUTE_MS);
  const dashboard = useDashboard();

  it('asks six times a minute at most, stays logged in, and keeps heap, nodes and listeners', async () => {
    const send = arrivingEvents(dashboard.server);
    await send(60);
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    // Every quarter of an hour the access ends, which the next call is told.
    visitor.allowRefusals();
    const { page } = visitor;
    const queriedAt = await noteQueries(page);
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/now`);
    const events = page.getByRole('region', { name: 'Events as they come' });
    await events.waitFor();
    const weigh = await pageScale(page);
    const weights: PageWeight[] = [];
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const every = (MINUTES * MINUTE_MS - WARM_MS) / WEIGHTS;
    while (elapsed() < MINUTES * MINUTE_MS) {
      await send(5);
      await sleep(PAUSE_MS);
      if (elapsed() > WARM_MS + weights.length * every) weights.push(await weigh());
    }
    const times = await queriedAt();
    const megabytes = weights.map(({ heap }) => (heap / 1e6).toFixed(2)).join(', ');
    process.stdout.write(`      ${times.length} questions; heap in MB: ${megabytes}\n`);
    expect(Math.min(...gapsOf(times)), 'milliseconds between questions').to.be.at.least(LEAST_GAP_MS);
    expect(times.length).to.be.within(5 * MINUTES, 6 * MINUTES + 1);
    expect(await events.getByRole('row').count()).to.equal(31);
    expect(await page.getByRole('dialog').count(), 'dialogs, such as a login').to.equal(0);
    expectFlat(weights);
  });
});
