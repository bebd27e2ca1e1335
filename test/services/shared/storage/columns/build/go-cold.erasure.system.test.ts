/** Erasure of events that go cold or are: they are nowhere then, and it never says so before. */
import { expect } from 'chai';
import type { EventSelection } from '../../../../../../services/shared/ports/event-store.ts';
import { COLD_PARTITION, COLD_SIZES, ColdWorkshop } from '../../../../../support/columns/cold-workshop.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';

const ANN: EventSelection = { ...COLD_PARTITION, anonymousId: 'ann' };

describe('events that are erased while they go cold, or after', function () {
  this.timeout(120_000);
  const mongodb = useMongodb();
  let workshop: ColdWorkshop;

  beforeEach(async () => {
    workshop = await ColdWorkshop.open(mongodb.newUri());
  });
  afterEach(() => workshop.shop.close());

  it('are erased from their segments, counted, and nothing else is', async () => {
    await workshop.coolNow(30_000);
    await workshop.builder.removeGarbage(Date.now() + 60_000);
    const before = await workshop.cold();
    const ann = workshop.all.filter(({ anonymous_id }) => anonymous_id === 'ann').length;
    expect(await workshop.erase(ANN)).to.equal(ann);
    workshop.without('ann');
    await workshop.expectAll();
    const files = await workshop.shop.storedFiles();
    for (const { id } of before) expect(files).to.not.include(id);
    expect((await workshop.cold()).every(({ cold }) => cold === 'gone')).to.equal(true);
    expect(await workshop.erase({ ...COLD_PARTITION, anonymousId: null, before: 25_000 })).to.be.above(0);
    workshop.all = workshop.all.filter(({ timestamp }) => timestamp >= 25_000);
    await workshop.expectAll();
    expect(await workshop.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null })).to.equal(
      workshop.all.length,
    );
    expect((await workshop.state()).segments).to.deep.equal([]);
    expect(await workshop.shop.storedFiles()).to.deep.equal([]);
  });

  it('are erased whatever step of going cold the erasure meets', async () => {
    let before = 40_000;
    for (const step of ['written', 'stored', 'checked', 'visible', 'dropped'] as const) {
      before += 1_000;
      await workshop.add(0, 30, { anonymous_id: 'ann' });
      await workshop.build();
      let met = 0;
      const other = await workshop.shop.openAnother({
        ...COLD_SIZES,
        told: async (done) => {
          if (done === step && met++ === 0) await workshop.erase(ANN);
        },
      });
      await workshop.coolNow(before, other);
      workshop.without('ann');
      expect(met, step).to.be.above(0);
      await workshop.expectAll();
      expect(await workshop.documents.countDocuments({ anonymous_id: 'ann' }), step).to.equal(0);
      await workshop.coolNow(before);
      expect(await workshop.seconds(), step).to.deep.equal(
        workshop.all.map(({ timestamp }) => timestamp / 1_000).filter((at) => at * 1_000 >= before),
      );
      await workshop.builder.rebuildPartition(COLD_PARTITION);
      await workshop.expectAll();
    }
  });

  it('make an erasure fail that cannot read one, after everything else is erased', async () => {
    await workshop.coolNow(30_000);
    const first = await workshop.firstCold();
    const mend = await workshop.breakFile(first);
    for (const _ of [1, 2])
      expect(await rejection(workshop.erase(ANN))).to.have.property('name', 'DamagedSegment');
    const others = (await workshop.state()).segments.filter(({ id }) => id !== first.id);
    expect(others.reduce((sum, { rows }) => sum + rows, 0)).to.equal(20);
    await mend();
    await workshop.erase(ANN);
    workshop.without('ann');
    await workshop.expectAll();
    await workshop.breakFile(await workshop.firstCold());
    // Nothing of it is to be kept.
    await workshop.erase({ organizationId: 'org_a', websiteId: 'web_a', anonymousId: null });
    expect((await workshop.state()).segments).to.deep.equal([]);
  });
});
