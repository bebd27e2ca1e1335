/** The comparison of pipelines with SQL and a naive evaluation, over many more events and requests than every test run has time for. */
import { useMongodb } from '../support/mongodb/use-mongodb.ts';
import { type Engines, expectAlike, startEngines } from '../support/query/differential.ts';
import { openMingoEvents, openPipelineEvents } from '../support/query/pipeline-events.ts';

const RUNS = 60;

describe('pipelines and SQL, at length', () => {
  const server = useMongodb();
  let engines: Engines;
  before(async () => {
    engines = await startEngines({
      duckdb: null,
      mongodb: () => openPipelineEvents(server.newUri()),
      mingo: async () => openMingoEvents(),
    });
  });
  after(async () => {
    await engines?.close();
  });

  it('give exactly the same rows and pages', () => expectAlike(engines, { runs: RUNS, paths: [] })).timeout(
    3_600_000,
  );
});
