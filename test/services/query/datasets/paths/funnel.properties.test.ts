/** What holds of every log: steps never grow, any order takes at least as many, and period 0 of a cohort is all of it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type Engines, startEngines } from '../../../../support/query/differential.ts';
import { matches } from '../../../../support/query/naive/matches.ts';
import { logs, RANGES } from '../../../../support/query/scenarios.ts';
import { rowsOf } from '../../../../support/query/start-query-service.ts';

const scenario = fc.constantFrom(...RANGES).chain((range) =>
  fc.record({
    range: fc.constant(range),
    log: logs(range, []),
    steps: fc.array(matches, { minLength: 2, maxLength: 5 }),
    windowSeconds: fc.constantFrom(1, 1_800, 86_400),
    unit: fc.constantFrom('day', 'week', 'month'),
    mode: fc.constantFrom('exact', 'rolling'),
  }),
);

describe('datasets of paths', () => {
  let engines: Engines;
  before(async () => {
    engines = await startEngines({ duckdb: null });
  });
  after(() => engines.close());

  it('hold what their definitions promise, whatever the events', () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ range, log, steps, windowSeconds, unit, mode }) => {
        const { websiteId } = await engines.newWebsite(log, Date.parse('2026-01-01T00:00:00Z'));
        const { zone, startDate, endDate } = range;
        const rows = async (parameter: object) => {
          const [service] = Object.values(engines.services);
          if (!service) throw new Error('there is a service');
          return rowsOf(
            await service.call(`/v1/query?website_id=${websiteId}&timezone=${zone}`, {
              method: 'POST',
              body: { parameters: [parameter], startDate, endDate },
            }),
          );
        };
        const visitors = async (ordered: boolean) =>
          (await rows({ name: 'funnel', steps, windowSeconds, ordered })).map((row) => Number(row.visitors));
        const inOrder = await visitors(true);
        const anyOrder = await visitors(false);
        for (const counts of [inOrder, anyOrder]) {
          expect(counts).to.have.length(steps.length);
          expect(counts).to.deep.equal([...counts].sort((a, b) => b - a));
        }
        for (const [index, count] of inOrder.entries()) expect(anyOrder[index]).to.be.at.least(count);
        for (const row of await rows({ name: 'retention', unit, mode })) {
          expect(row.visitors).to.be.at.most(Number(row.cohort_visitors));
          if (row.period === 0 && row.cohort_visitors !== 0) expect(row.percentage).to.equal(100);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    )).timeout(120_000);
});
