/** Runs a suite of the query service on each engine of events that there is. */
import { useMongodb } from '../mongodb/use-mongodb.ts';
import { triesEngine } from './engine-mode.ts';
import { openPipelineEvents } from './pipeline-events.ts';
import { type StartedQueryService, type StartOptions, startQueryService } from './start-query-service.ts';

type Start = (options: StartOptions) => Promise<StartedQueryService>;

/**
 * The suite once on DuckDB and once on MongoDB; there it is skipped, with the reason, where no such server is. What it
 * starts is closed after its last test.
 */
export function describeOnEngines(title: string, suite: (start: Start) => void): void {
  if (triesEngine('duckdb')) describe(`${title}, on DuckDB`, () => suite(closing(startQueryService)));
  if (triesEngine('mongodb')) {
    describe(`${title}, on MongoDB`, () => {
      const server = useMongodb();
      suite(
        closing((options) =>
          startQueryService({ ...options, openEvents: () => openPipelineEvents(server.newUri()) }),
        ),
      );
    });
  }
}

/** Closes what was started: a suite that was skipped before its start has nothing to close. */
function closing(start: Start): Start {
  const started: StartedQueryService[] = [];
  after(async () => {
    for (const service of started.splice(0).reverse()) await service.close();
  });
  return async (options) => {
    const service = await start(options);
    started.push(service);
    return service;
  };
}
