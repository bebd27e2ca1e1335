/** Model: whatever writers, builds and erasures do, a query sees each acknowledged event once, and nothing that is gone. */
import { expect } from 'chai';
import { ArrivalModel, PARTITION, seededNumbers } from '../../../../support/columns/arrival-model.ts';
import { type ColumnEvents, columnEvents } from '../../../../support/columns/column-events.ts';

const STEPS = 120;
const ALL = { engine: 'duckdb', sql: 'SELECT event_id FROM events', params: {} } as const;

describe('a column store', () => {
  let events: ColumnEvents;
  beforeEach(async () => {
    events = await columnEvents({ answersMb: 8 });
  });
  afterEach(() => events.remove());

  const seen = async () => {
    const reach = { ...PARTITION, websiteIds: ['web_a'], organizationEvents: false, range: null };
    return (await events.store.run(ALL, { reach })).map(({ event_id }) => String(event_id));
  };

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`shows each acknowledged event once, and none that is gone, after anything that may happen (seed ${seed})`, async () => {
      const random = seededNumbers(seed);
      const model = new ArrivalModel(events, random);
      for (let step = 0; step < STEPS; step++) {
        // At times a sync runs while something happens; what it shows is looked at afterwards.
        const meanwhile = random(3) === 0 ? seen().catch((fault: unknown) => fault) : null;
        await model.step();
        expect(await meanwhile, model.history.join(' ')).not.to.be.instanceOf(Error);
        if (random(2) === 0) continue;
        const ids = await seen();
        const shown = new Set(ids);
        const why = model.history.join(' ');
        expect(ids.length, `twice: ${why}`).to.equal(shown.size);
        expect(
          [...model.acknowledged].filter((id) => !shown.has(id)),
          `missing: ${why}`,
        ).to.deep.equal([]);
        expect(
          ids.filter((id) => !model.stored.has(id)),
          `gone: ${why}`,
        ).to.deep.equal([]);
      }
      expect(model.acknowledgements).to.be.greaterThan(20);
      expect(events.store.answers.hits, 'answers that were there already').to.be.greaterThan(0);
    }).timeout(60_000);
  }
});
