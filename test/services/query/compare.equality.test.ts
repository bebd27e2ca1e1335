/** Property: what every row is compared with equals a naive evaluation, in every granularity, several zones and periods. `npm run soak` tries many more. */
import { type Engines, expectComparedAlike, startEngines } from '../../support/query/differential.ts';
import { filterTrees } from '../../support/query/naive/filters.ts';
import { ODD_PATHS } from '../../support/query/scenarios.ts';

describe('compared datasets and a naive evaluation', () => {
  let engines: Engines;
  before(async () => {
    engines = await startEngines({ duckdb: null });
  });
  after(() => engines.close());

  it('give exactly the same rows, each with those of the other period, under any filters', () =>
    expectComparedAlike(engines, { runs: 2, paths: ODD_PATHS.astral, filters: filterTrees })).timeout(
    300_000,
  );
});
