/** Property: pipelines answer as SQL does and as a naive evaluation: every dataset, filters, granularities, zones, pages, orders. */
import { mongodbKind } from '../../support/mongodb/mongodb-server.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { type Engines, expectAlike, startEngines } from '../../support/query/differential.ts';
import { openMingoEvents, openPipelineEvents } from '../../support/query/pipeline-events.ts';
import { ODD_PATHS } from '../../support/query/scenarios.ts';

describe('pipelines and SQL', () => {
  describe('on a server', () => {
    const server = useMongodb();
    let engines: Engines;
    before(async () => {
      engines = await startEngines({ duckdb: null, mongodb: () => openPipelineEvents(server.newUri()) });
    });
    after(async () => {
      await engines?.close();
    });

    it('give exactly the same rows and pages', () =>
      expectAlike(engines, { runs: 7, paths: pathsOf(mongodbKind()) })).timeout(120_000);
  });

  describe('in this process, by mingo', () => {
    let engines: Engines;
    before(async () => {
      engines = await startEngines({ duckdb: null, mingo: async () => openMingoEvents() });
    });
    after(() => engines.close());

    it('give exactly the same rows and pages', () =>
      // It orders texts by UTF-16, as the runtime does.
      expectAlike(engines, { runs: 5, paths: ODD_PATHS.dollars })).timeout(120_000);
  });
});

/** The independent server orders texts by UTF-16, and reads stored texts that begin with $ as expressions. */
function pathsOf(kind: ReturnType<typeof mongodbKind>): readonly string[] {
  return kind === 'mongo-java-server' ? [] : [...ODD_PATHS.astral, ...ODD_PATHS.dollars];
}
