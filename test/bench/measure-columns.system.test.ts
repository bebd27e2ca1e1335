/** Holds the bench of columns to a run that ends: few events, one round. */
import { expect } from 'chai';
import { useMongodb } from '../support/mongodb/use-mongodb.ts';
import { datasetNames } from '../support/query/asked-datasets.ts';
import { measureColumns } from './measure-columns.ts';

describe('the bench of columns', function () {
  this.timeout(120_000);
  const mongodb = useMongodb();

  it('measures the first answers, every dataset in both stores, and fresh events', async () => {
    const measures = await measureColumns({
      uri: mongodb.newUri(),
      events: 6_000,
      fresh: 300,
      rounds: 1,
      told: () => undefined,
    });
    expect(measures.datasets.map(({ name }) => name)).to.deep.equal(datasetNames());
    for (const { table } of measures.datasets) expect(table).to.be.above(0);
    const { rebuiltMs, firstMs, caughtUpMs, lookMs, freshLookMs } = measures;
    for (const ms of [rebuiltMs, firstMs, caughtUpMs, lookMs, freshLookMs]) expect(ms).to.be.above(0);
    expect(measures.bytesPerEvent).to.be.within(5, 200);
    expect(measures.segments).to.be.above(0);
  });
});
