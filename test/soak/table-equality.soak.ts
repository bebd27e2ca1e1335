/** The comparison of the embedded table with a naive evaluation, over many more events and requests than every test run has time for. */
import {
  type Engines,
  expectAlike,
  expectComparedAlike,
  startEngines,
} from '../support/query/differential.ts';
import { filters, filterTrees } from '../support/query/naive/filters.ts';
import { ODD_PATHS } from '../support/query/scenarios.ts';

const RUNS = 60;
const PATHS = [...ODD_PATHS.astral, ...ODD_PATHS.dollars];

describe('the table and a naive evaluation, at length', () => {
  let engines: Engines;
  before(async () => {
    engines = await startEngines({ duckdb: null });
  });
  after(() => engines.close());

  for (const [kind, tried] of Object.entries({
    'single filters': filters,
    'groups of filters': filterTrees,
  })) {
    it(`give exactly the same rows under ${kind}`, () =>
      expectAlike(engines, { runs: RUNS, paths: PATHS, filters: tried })).timeout(3_600_000);

    it(`give exactly the same rows of another period under ${kind}`, () =>
      expectComparedAlike(engines, { runs: RUNS, paths: PATHS, filters: tried })).timeout(3_600_000);
  }
});
