/** Property: a further filter of sessions or visitors never keeps more. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type Engines, startEngines } from '../../support/query/differential.ts';
import { anySingle, type Filter } from '../../support/query/naive/filters.ts';
import { logs, RANGES } from '../../support/query/scenarios.ts';

/** What may not grow: everything that is counted of what is kept. */
const COUNTS = ['total_events', 'pageviews', 'sessions', 'visitors'] as const;

describe('filters of sessions and visitors', () => {
  let engines: Engines;
  before(async () => {
    engines = await startEngines({ duckdb: null });
  });
  after(() => engines.close());

  it('are monotone: more of them never keep more events, pageviews, sessions or visitors', async () => {
    const whole = fc.constantFrom('session' as const, 'visitor' as const);
    const single: fc.Arbitrary<Filter> = fc
      .tuple(anySingle, whole)
      .map(([filter, of]) => ({ ...filter, of }));
    const scenario = fc.constantFrom(...RANGES).chain((range) =>
      fc.record({
        range: fc.constant(range),
        log: logs(range, []),
        filters: fc.array(single, { minLength: 1, maxLength: 6 }),
      }),
    );
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ range, log, filters }) => {
        const { websiteId } = await engines.newWebsite(log, Date.parse('2026-01-01T00:00:00Z'));
        const { startDate, endDate, zone } = range;
        // Each object has one filter more than the one before it.
        const body = [...filters.keys(), filters.length].map((count) => ({
          parameters: ['summary_metrics'],
          startDate,
          endDate,
          filters: filters.slice(0, count),
        }));
        const path = `/v1/query?website_id=${websiteId}&timezone=${zone}`;
        const answer = await engines.services.duckdb?.call(path, { method: 'POST', body });
        const results = answer?.body.results as { data: { data: Record<string, number>[] }[] }[];
        const rows = results.map(({ data }) => data[0]?.data[0]);
        expect(rows).to.have.length(filters.length + 1);
        for (const [index, row] of rows.slice(1).entries()) {
          for (const count of COUNTS) expect(row?.[count]).to.be.at.most(rows[index]?.[count] ?? -1);
          kept += row?.total_events ?? 0;
        }
      }),
      { numRuns: 40, endOnFailure: true },
    );
    // Not because every filter kept nothing.
    expect(kept).to.be.greaterThan(0);
  }).timeout(120_000);
});
