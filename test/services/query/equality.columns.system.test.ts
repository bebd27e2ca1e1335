/** Property: events in MongoDB, read as columns, give the rows of the embedded table and of a naive evaluation. */
import { expect } from 'chai';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import { openMongodbColumns } from '../../support/columns/mongodb-columns.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { asked, inParts } from '../../support/query/asked-datasets.ts';
import { type Engines, expectAlike, startEngines } from '../../support/query/differential.ts';
import { filterTrees } from '../../support/query/naive/filters.ts';
import { ODD_PATHS } from '../../support/query/scenarios.ts';

const PATHS = [...ODD_PATHS.astral, ...ODD_PATHS.dollars];

for (const [name, goCold] of [
  ['columns over MongoDB', false],
  ['columns over MongoDB whose older events have no documents any more', true],
] as const)
  describe(`${name}, and the embedded table`, () => {
    const server = useMongodb();
    let engines: Engines;
    before(async () => {
      const columns = () => openMongodbColumns(server.newUri(), { goCold });
      engines = await startEngines({ duckdb: null, columns });
    });
    after(() => engines?.close());

    it('answer every dataset of a website that has no events', async () => {
      const { websiteId } = await engines.newWebsite([], Date.parse('2025-01-15T12:00:00.000Z'));
      const parameters = DATASETS.filter(({ ofLinks }) => !ofLinks).map(({ names }) => asked(names[0]));
      const answers: unknown[] = [];
      for (const service of Object.values(engines.services)) {
        const request = { startDate: '2025-01-01', endDate: '2025-01-31' };
        const body = inParts(parameters).map((some) => ({ ...request, parameters: some }));
        const answer = await service.call(`/v1/query?website_id=${websiteId}`, { method: 'POST', body });
        expect([answer.status, answer.headers.get('x-query-failed')]).to.deep.equal([200, '0']);
        answers.push(answer.body.results);
      }
      expect(answers[1]).to.deep.equal(answers[0]);
    });

    it('give exactly the same rows and pages', () => expectAlike(engines, { runs: 2, paths: PATHS })).timeout(
      300_000,
    );

    it('give exactly the same rows under groups of filters, of events, sessions and visitors', () =>
      expectAlike(engines, { runs: 2, paths: PATHS, filters: filterTrees })).timeout(300_000);
  });
