/** Runs a suite of the query service over the embedded table and over columns of events in MongoDB. */
import { openMongodbColumns } from '../columns/mongodb-columns.ts';
import { useMongodb } from '../mongodb/use-mongodb.ts';
import { triesEngine } from './engine-mode.ts';
import { type StartedQueryService, type StartOptions, startQueryService } from './start-query-service.ts';

type Start = (options: StartOptions) => Promise<StartedQueryService>;

/**
 * The suite once over the table and once over columns; there it is skipped, with the reason, where no MongoDB is. What
 * it starts is closed after its last test.
 */
export function describeOnEngines(title: string, suite: (start: Start) => void): void {
  if (triesEngine('table')) describe(`${title}, over the table`, () => suite(closing(startQueryService)));
  if (triesEngine('columns')) {
    describe(`${title}, over columns`, () => {
      const server = useMongodb();
      suite(
        closing((options) =>
          startQueryService({ ...options, openEvents: () => openMongodbColumns(server.newUri()) }),
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
