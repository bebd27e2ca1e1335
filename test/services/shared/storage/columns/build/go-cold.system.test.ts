/** Documents that leave: each event is in exactly one segment at any time, and nothing goes before its record is read back. */
import { expect } from 'chai';
import type { BuildStep } from '../../../../../../services/shared/storage/columns/build/build-kit.ts';
import {
  COLD_PARTITION,
  COLD_SIZES,
  ColdWorkshop,
  DAY_MS,
  numbersOf,
} from '../../../../../support/columns/cold-workshop.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { sortedTexts } from '../../../../../support/segment-events.ts';

describe('events that go cold', function () {
  this.timeout(120_000);
  const mongodb = useMongodb();
  let workshop: ColdWorkshop;

  beforeEach(async () => {
    workshop = await ColdWorkshop.open(mongodb.newUri());
  });
  afterEach(() => workshop.shop.close());

  it('are planned first, and no document leaves for two days', async () => {
    expect(await workshop.cool(30_000, 1_000)).to.deep.equal({ events: 0, bytes: 0 });
    expect((await workshop.state()).plan?.at).to.equal(1_000);
    expect(await workshop.cool(30_000, 2 * DAY_MS)).to.deep.equal({ events: 0, bytes: 0 });
    expect(await workshop.seconds()).to.deep.equal(numbersOf(0, 50));
    expect((await workshop.cool(30_000, 2 * DAY_MS + 1_000))?.events).to.equal(30);
    expect(await workshop.seconds()).to.deep.equal(numbersOf(30, 50));
    expect((await workshop.state()).plan).to.equal(null);
  });

  it('are planned anew when the plan is a week old', async () => {
    await workshop.cool(30_000, 0);
    await workshop.cool(30_000, 7 * DAY_MS);
    expect((await workshop.state()).plan?.at).to.equal(7 * DAY_MS);
    expect(await workshop.documents.countDocuments()).to.equal(50);
  });

  it('leave their documents in spans, each event in exactly one segment after every step', async () => {
    const steps: BuildStep[] = [];
    const other = await workshop.shop.openAnother({
      ...COLD_SIZES,
      told: async (step) => {
        steps.push(step);
        await workshop.expectAll();
      },
    });
    const moved = await workshop.coolNow(45_500, other);
    const cold = await workshop.cold();
    expect(cold.map(({ rows, cold }) => [rows, cold])).to.deep.equal([
      [20, 'gone'],
      [20, 'gone'],
      [6, 'gone'],
    ]);
    expect(moved).to.deep.equal({ events: 46, bytes: cold.reduce((sum, { bytes }) => sum + bytes, 0) });
    expect(await workshop.seconds()).to.deep.equal(numbersOf(46, 50));
    const record = ['written', 'stored', 'checked'];
    expect(steps.slice(0, 3)).to.deep.equal(record);
    expect(steps.indexOf('visible'))
      .to.be.below(steps.lastIndexOf('checked'))
      .and.below(steps.indexOf('dropped'));
    await workshop.build();
    await workshop.expectAll();
  });

  it('wait while they are few, but no longer than a month', async () => {
    const options = { before: 30_000, now: 0, leastEvents: 31 };
    await workshop.builder.coolPartition(COLD_PARTITION, options);
    expect((await workshop.state()).plan).to.equal(null);
    await workshop.builder.coolPartition(COLD_PARTITION, { ...options, leastEvents: 30 });
    expect((await workshop.state()).plan).to.not.equal(null);
    await workshop.builder.coolPartition(COLD_PARTITION, {
      ...options,
      before: 30 * DAY_MS + 1,
      leastEvents: 99,
    });
    expect((await workshop.state()).plan).to.not.equal(null);
  });

  it('that come late are documents and a new small segment, and go cold later', async () => {
    await workshop.cool(30_000, 0);
    await workshop.add(10, 13);
    await workshop.build();
    await workshop.cool(30_000, 2 * DAY_MS);
    expect(await workshop.seconds()).to.deep.equal([...numbersOf(10, 13), ...numbersOf(30, 50)]);
    await workshop.add(5, 7);
    await workshop.build();
    await workshop.expectAll();
    await workshop.coolNow(35_000);
    expect(await workshop.seconds()).to.deep.equal(numbersOf(35, 50));
    await workshop.expectAll();
    // Nothing is left to move, and a range never shrinks.
    expect(await workshop.coolNow(20_000)).to.deep.equal({ events: 0, bytes: 0 });
    expect((await workshop.state()).cold?.before).to.equal(35_000);
  });

  it('of versions without stamps go too, but none that nobody has read yet', async () => {
    await workshop.add(20, 25, {}, null);
    await workshop.builder.rebuildPartition(COLD_PARTITION);
    await workshop.coolNow(30_000);
    expect(await workshop.seconds()).to.deep.equal(numbersOf(30, 50));
    await workshop.expectAll();
    await workshop.add(3, 5, {}, null);
    await workshop.builder.rebuildPartition(COLD_PARTITION);
    await workshop.expectAll();
    expect(await workshop.seconds()).to.deep.equal([3, 4, ...numbersOf(30, 50)]);
  });

  it('lose no document when the file is not what was written, before it is the record or after', async () => {
    for (const step of ['stored', 'visible'] as const) {
      let met = 0;
      const other = await workshop.shop.openAnother({
        ...COLD_SIZES,
        told: async (done) => {
          if (done !== step || met++ > 0) return;
          const [newest] = (await workshop.shop.storedFiles()).slice(-1);
          const cold = step === 'visible' ? (await workshop.cold())[0]?.id : newest;
          await workshop.breakFile({ id: String(cold) });
        },
      });
      await workshop.cool(30_000, 0);
      await rejection(workshop.cool(30_000, 2 * DAY_MS, other));
      expect(met, step).to.be.above(0);
      expect(await workshop.documents.countDocuments(), step).to.equal(50);
      const cold = await workshop.cold();
      if (step === 'stored') expect(cold).to.deep.equal([]);
      else expect(cold[0]).to.include({ cold: 'leaving', damage: 'is not as it was written' });
    }
  });

  it('go once when two builders move them at the same time', async () => {
    await workshop.cool(30_000, 0);
    const free = {
      tryLease: async () => ({ signal: new AbortController().signal, release: async () => undefined }),
    };
    const benches = [
      await workshop.shop.openAnother({ ...COLD_SIZES, leases: free }),
      await workshop.shop.openAnother({ ...COLD_SIZES, leases: free }),
    ];
    await Promise.all(benches.map((bench) => workshop.cool(30_000, 2 * DAY_MS, bench)));
    await workshop.cool(30_000, 2 * DAY_MS);
    expect(await workshop.seconds()).to.deep.equal(numbersOf(30, 50));
    await workshop.expectAll();
    expect((await workshop.cold()).reduce((sum, { rows }) => sum + rows, 0)).to.equal(30);
    const named = (await workshop.state()).segments.map(({ id }) => id);
    await workshop.builder.removeGarbage(Date.now() + 60_000);
    expect(await workshop.shop.storedFiles()).to.have.members(named);
  });

  it('leave those of other websites and organizations alone', async () => {
    const foreign = [
      eventRecord({ organization_id: 'org_b', website_id: 'web_a', timestamp: 1_000 }),
      eventRecord({ website_id: 'web_b', timestamp: 1_000 }),
      eventRecord({ website_id: null, timestamp: 1_000 }),
    ];
    await workshop.shop.store(foreign);
    await workshop.coolNow(30_000);
    expect(await workshop.documents.countDocuments({ timestamp: { $lt: 30_000 } })).to.equal(3);
    await workshop.expectAll();
    const own = { organizationId: 'org_a', websiteId: null };
    await workshop.builder.buildPartition(own);
    for (const now of [0, 2 * DAY_MS])
      await workshop.builder.coolPartition(own, { before: 30_000, now, leastEvents: 1 });
    expect(await workshop.documents.countDocuments({ timestamp: { $lt: 30_000 } })).to.equal(2);
    expect(sortedTexts(await workshop.shop.segmentEvents(own))).to.deep.equal(sortedTexts(foreign.slice(2)));
  });
});
