/** Numbers of events: measured alike by the engine and by the rule of the catalogue, however large or odd they are. */
import { expect } from 'chai';
import fc from 'fast-check';
import { thousandths } from '../../../services/query/catalogue/measure.ts';
import { hundredthsBeyondLower } from '../../../services/query/stages/quantile.ts';
import { quotient } from '../../../services/query/stages/shape.ts';
import { describeOnEngines } from '../../support/query/engines.ts';
import { eventRecord } from '../../support/query/event.ts';
import { rowsOf, type StartedQueryService } from '../../support/query/start-query-service.ts';

const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };
const AT = '2025-01-15T12:00:00.000Z';

describeOnEngines('numbers of events', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: [], now: 0 });
  });

  let paths = 0;
  /** Mean and median over the pageviews of a path of its own. */
  const measure = async (values: readonly number[]) => {
    const path = `/${paths++}`;
    await service.events.append(values.map((load_time) => eventRecord({ at: AT, path, load_time })));
    const filters = [{ field: 'path', op: 'eq', value: path }];
    const [row] = rowsOf(await service.query({ parameters: ['performance'], ...DAY, filters }));
    return [row?.avg_load_time, row?.p50_load_time, row?.p95_load_time];
  };

  it('are measured in thousandths, as the catalogue says, each engine alike', async () => {
    const odd = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -10, max: 10, noNaN: true }),
      fc.constantFrom(1.0005, 2.675, -0.0005, 1e308, -1e308, Number.MIN_VALUE, 999_999_999.9999),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (value) => {
        const shown = quotient(BigInt(thousandths(value)), 1_000n);
        expect(await measure([value])).to.deep.equal([shown, shown, shown]);
      }),
      { numRuns: 60 },
    );
  });

  it('that are absurdly large count as a thousand million and break no sum', async () => {
    const values = Array.from({ length: 20_000 }, () => 1e300);
    expect(await measure(values)).to.deep.equal([1e9, 1e9, 1e9]);
    expect(await measure([1e300, -1e300])).to.deep.equal([0, 0, 9e8]);
  });

  it('are rounded half away from zero, once', () => {
    const cases: readonly [bigint, bigint, number][] = [
      [5n, 1_000n, 0.01],
      [4_999n, 1_000_000n, 0],
      [-5n, 1_000n, -0.01],
      [1n, 3n, 0.33],
      [2n, 3n, 0.67],
      [7n, 0n, 0],
    ];
    for (const [of, by, expected] of cases) expect(quotient(of, by)).to.equal(expected);
    expect(quotient(1_2345n, 10_000n, 3)).to.equal(1.235);
  });

  it('have quantiles between their neighbours, linearly', () => {
    expect([1n, 2n, 3n, 4n, 5n].map((values) => hundredthsBeyondLower(values, 50))).to.deep.equal([
      0n,
      50n,
      0n,
      50n,
      0n,
    ]);
    expect(hundredthsBeyondLower(4n, 75)).to.equal(25n);
    expect(hundredthsBeyondLower(0n, 99)).to.equal(0n);
  });
});
