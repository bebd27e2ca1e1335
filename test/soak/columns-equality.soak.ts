/** The comparison of columns over MongoDB with the table and a naive evaluation, over many more events and requests than every test run has time for. */
import { openMongodbColumns } from '../support/columns/mongodb-columns.ts';
import { useMongodb } from '../support/mongodb/use-mongodb.ts';
import { type Engines, expectAlike, startEngines } from '../support/query/differential.ts';
import { filters, filterTrees } from '../support/query/naive/filters.ts';
import { ODD_PATHS } from '../support/query/scenarios.ts';

const RUNS = 30;
const PATHS = [...ODD_PATHS.astral, ...ODD_PATHS.dollars];

describe('columns over MongoDB and the table, at length', () => {
  const server = useMongodb();
  let engines: Engines;
  before(async () => {
    engines = await startEngines({ table: null, columns: () => openMongodbColumns(server.newUri()) });
  });
  after(() => engines?.close());

  for (const [kind, tried] of Object.entries({
    'single filters': filters,
    'groups of filters': filterTrees,
  })) {
    it(`give exactly the same rows and pages under ${kind}`, () =>
      expectAlike(engines, { runs: RUNS, paths: PATHS, filters: tried })).timeout(3_600_000);
  }
});
