/** Runs a suite of the query service on each engine of events that there is. */
import { useMongodb } from '../mongodb/use-mongodb.ts';
import { openPipelineEvents } from './pipeline-events.ts';
import { type StartedQueryService, type StartOptions, startQueryService } from './start-query-service.ts';

type Start = (options: StartOptions) => Promise<StartedQueryService>;

/** The suite once on DuckDB and once on MongoDB; there it is skipped, with the reason, where no such server is. */
export function describeOnEngines(title: string, suite: (start: Start) => void): void {
  describe(`${title}, on DuckDB`, () => suite(startQueryService));
  describe(`${title}, on MongoDB`, () => {
    const server = useMongodb();
    suite((options) =>
      startQueryService({ ...options, openEvents: () => openPipelineEvents(server.newUri()) }),
    );
  });
}
