/** Property: every dataset equals a naive evaluation of the same events, in every granularity and several zones. `npm run soak` tries many more. */
import { type Engines, expectAlike, startEngines } from '../../support/query/differential.ts';
import { filterTrees } from '../../support/query/naive/filters.ts';
import { ODD_PATHS } from '../../support/query/scenarios.ts';

describe('datasets and a naive evaluation', () => {
  let engines: Engines;
  before(async () => {
    engines = await startEngines({ duckdb: null });
  });
  after(() => engines.close());

  it('give exactly the same rows, for every dataset, granularity and filter', () =>
    expectAlike(engines, { runs: 2, paths: [...ODD_PATHS.astral, ...ODD_PATHS.dollars] })).timeout(300_000);

  it('give exactly the same rows under groups of filters, of events, sessions and visitors', () =>
    expectAlike(engines, { runs: 3, paths: ODD_PATHS.astral, filters: filterTrees })).timeout(300_000);
});
