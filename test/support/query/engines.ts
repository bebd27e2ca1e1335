/** Runs a suite of the query service on each engine of events that there is. */
import { requireMongodb, startMongodb, type TestMongodb } from '../mongodb/mongodb-server.ts';
import { openPipelineEvents } from './pipeline-events.ts';
import { type StartedQueryService, type StartOptions, startQueryService } from './start-query-service.ts';

type Start = (options: StartOptions) => Promise<StartedQueryService>;

/** The suite once on DuckDB and once on MongoDB; there it is skipped, with the reason, where no such server is. */
export function describeOnEngines(title: string, suite: (start: Start) => void): void {
  describe(`${title}, on DuckDB`, () => suite(startQueryService));
  describe(`${title}, on MongoDB`, () => {
    let server: TestMongodb;
    before(async function () {
      requireMongodb(this);
      server = await startMongodb();
    });
    after(() => server?.close());
    suite((options) =>
      startQueryService({ ...options, openEvents: () => openPipelineEvents(server.newUri()) }),
    );
  });
}
