/** Property: from segments and a tail every dataset answers as from the embedded table, and as a naive evaluation says. */
import { expect } from 'chai';
import { openColumnEvents } from '../../../../support/columns/column-events.ts';
import { asked, datasetNames, inParts, SOME_ARGUMENTS } from '../../../../support/query/asked-datasets.ts';
import { type Engines, expectAlike, startEngines } from '../../../../support/query/differential.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../../../support/query/golden-shop-log.ts';
import { ODD_PATHS } from '../../../../support/query/scenarios.ts';
import { startQueryService } from '../../../../support/query/start-query-service.ts';

const GIVEN = {
  ...SOME_ARGUMENTS,
  visitor_sessions: { visitorId: 'anna' },
  session_events: { sessionId: 'a1' },
};
const NAMES = datasetNames().map((name) => asked(name, GIVEN));
const CALLS = [
  { query: '?website_id=web_a', as: 'global' },
  { query: '?website_id=web_b&timezone=America/New_York', as: 'global' },
  { query: '?timezone=Europe/Berlin', as: 'global' },
];

describe('segments with a tail, and the embedded table', () => {
  let engines: Engines | null = null;
  afterEach(async () => {
    await engines?.close();
    engines = null;
  });

  it('give exactly the same rows, for every dataset, granularity and filter', async () => {
    engines = await startEngines({ duckdb: null, columns: openColumnEvents });
    await expectAlike(engines, { runs: 1, paths: [...ODD_PATHS.astral, ...ODD_PATHS.dollars] });
  }).timeout(240_000);

  for (const [name, log] of Object.entries({ website: GOLDEN_LOG, shop: GOLDEN_SHOP_LOG })) {
    it(`answer the same of the golden log of the ${name}, of one website and of the organization`, async () => {
      const answers: unknown[] = [];
      for (const openEvents of [undefined, openColumnEvents]) {
        const service = await startQueryService({
          log,
          now: GOLDEN_NOW,
          ...(openEvents ? { openEvents } : {}),
        });
        const answer = [];
        for (const { query, as } of CALLS) {
          const body = inParts(NAMES).map((parameters) => ({
            parameters,
            startDate: '2025-01-01',
            endDate: '2025-04-02',
          }));
          const { status, body: rows } = await service.call(`/v1/query${query}`, {
            method: 'POST',
            body,
            as,
          });
          expect(status, query).to.equal(200);
          answer.push(rows.results);
        }
        answers.push(answer);
        await service.close();
      }
      expect(answers[1]).to.deep.equal(answers[0]);
      expect(JSON.stringify(answers[0])).to.include('"success":true');
    });
  }
});
