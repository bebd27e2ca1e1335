/** The comparison of pipelines with SQL and a naive evaluation, over many more events and requests than every test run has time for. */
import { requireMongodb, startMongodb, type TestMongodb } from '../support/mongodb/mongodb-server.ts';
import { type Engines, expectAlike, startEngines } from '../support/query/differential.ts';
import { openMingoEvents, openPipelineEvents } from '../support/query/pipeline-events.ts';

const RUNS = 200;

describe('pipelines and SQL, at length', () => {
  let server: TestMongodb;
  let engines: Engines;
  before(async function () {
    requireMongodb(this);
    server = await startMongodb();
    engines = await startEngines({
      duckdb: null,
      mongodb: () => openPipelineEvents(server.newUri()),
      mingo: async () => openMingoEvents(),
    });
  });
  after(async () => {
    await engines?.close();
    await server?.close();
  });

  it('give exactly the same rows and pages', () => expectAlike(engines, { runs: RUNS, paths: [] })).timeout(
    3_600_000,
  );
});
