/** Builds of segments over MongoDB: after each, segments have exactly the events that they cover, whatever came between. */
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import type { mongo } from 'mongoose';
import type { EventRecord } from '../../../../../../services/shared/model/event-record.ts';
import { SEGMENT_CHUNK_COLLECTION } from '../../../../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { NO_LEASES, SegmentWorkshop } from '../../../../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { sortedTexts, variedEvents } from '../../../../../support/segment-events.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };

let numbered = 0;

/** So many events of the partition, one a second, none like another. */
function events(count: number, overrides: Partial<EventRecord> = {}): EventRecord[] {
  return Array.from({ length: count }, () => {
    const number = numbered++;
    return eventRecord({
      website_id: 'web_a',
      event_id: `e${number}`,
      timestamp: number * 1_000,
      ...overrides,
    });
  });
}

describe('a builder of segments', function () {
  this.timeout(60_000);
  const mongodb = useMongodb();
  let shop: SegmentWorkshop;

  beforeEach(async () => {
    shop = await SegmentWorkshop.open(mongodb.newUri(), { sliceEvents: 10, spanEvents: 20, fanIn: 3 });
  });
  afterEach(() => shop.close());

  const build = () => shop.bench.builder.buildPartition(PARTITION);
  const rows = async () => (await shop.set(PARTITION)).segments.map((segment) => segment.rows);

  it('takes events of every kind as they are, from documents of every age', async () => {
    await shop.store(variedEvents().slice(0, 6), { writer: null, sequence: null });
    await shop.store(variedEvents().slice(6));
    await shop.store([eventRecord({ website_id: 'web_b' }), eventRecord({ website_id: null })]);
    expect(await build()).to.equal(true);
    expect(sortedTexts(await shop.segmentEvents(PARTITION))).to.deep.equal(sortedTexts(variedEvents()));
    await shop.expectWhole(PARTITION);
    const ofOrganization = { organizationId: 'org_a', websiteId: null };
    await shop.bench.builder.buildPartition(ofOrganization);
    expect((await shop.set(ofOrganization)).segments).to.have.length(1);
    await shop.expectWhole(ofOrganization);
  });

  it('has an answer for a partition without events', async () => {
    await build();
    expect(await shop.set(PARTITION)).to.include({ version: 2, erasures: 0 });
    expect(await rows()).to.deep.equal([]);
  });

  it('takes in what arrived since, whenever it happened, and nothing twice', async () => {
    await shop.store(events(5));
    await build();
    const { version } = await shop.set(PARTITION);
    await build();
    expect((await shop.set(PARTITION)).version).to.equal(version);
    await shop.store(events(2, { timestamp: 5 }));
    await shop.store(events(2), { writer: 2, sequence: 1 });
    await shop.settle(2, 1);
    await build();
    expect(await rows()).to.deep.equal([5, 4]);
    await shop.expectWhole(PARTITION);
  });

  it('leaves a group alone that has not ended, and takes it once it has', async () => {
    await build();
    await shop.settle(3, 0);
    await shop.store(events(4), { writer: 3, sequence: 1 });
    await shop.store(events(1));
    await build();
    expect(await rows()).to.deep.equal([1]);
    await shop.settle(3, 1);
    await shop.settle(3, 1, true);
    await build();
    expect(await rows()).to.deep.equal([1, 4]);
    await shop.expectWhole(PARTITION);
  });

  it('takes in much in slices that end with a group, each visible before the next', async () => {
    await build();
    for (const writer of [1, 2]) {
      for (const sequence of [1, 2, 3]) await shop.store(events(7), { writer, sequence });
      await shop.settle(writer, 3);
    }
    const seen: number[][] = [];
    const another = await shop.openAnother({
      sliceEvents: 10,
      fanIn: 100,
      told: async (step) => {
        if (step !== 'visible') return;
        seen.push(await rows());
        await shop.expectWhole(PARTITION);
      },
    });
    await another.builder.buildPartition(PARTITION);
    expect(seen).to.deep.equal([[14], [14, 14], [14, 14, 14]]);
  });

  it('merges by levels, so that few segments are left', async () => {
    await build();
    for (let round = 0; round < 12; round++) {
      await shop.store(events(2));
      await build();
      expect((await rows()).length).to.be.at.most(4);
    }
    expect((await shop.set(PARTITION)).segments.map(({ level }) => level).sort()).to.deep.equal([1, 2]);
    await shop.expectWhole(PARTITION);
  });

  it('rebuilds from the documents in spans that never divide an instant', async () => {
    await shop.store([...events(30, { timestamp: 7 }), ...events(45)]);
    await build();
    await shop.store(events(3));
    await build();
    const before = await shop.set(PARTITION);
    await shop.bench.builder.rebuildPartition(PARTITION);
    const after = await shop.set(PARTITION);
    expect((await rows()).reduce((sum, count) => sum + count)).to.equal(78);
    const ids = new Set(before.segments.map(({ id }) => id));
    expect(after.segments.filter(({ id }) => ids.has(id))).to.deep.equal([]);
    await shop.expectWhole(PARTITION);
  });

  it('keeps what is visible fresh while it rebuilds', async () => {
    await shop.store(events(90));
    await build();
    let spans = 0;
    const another = await shop.openAnother({
      sliceEvents: 10,
      spanEvents: 20,
      told: async (step) => {
        if (step !== 'visible' || spans++ > 4) return;
        await shop.expectWhole(PARTITION);
        await shop.store(events(1, { timestamp: spans }));
      },
    });
    await another.builder.rebuildPartition(PARTITION);
    expect(spans).to.be.greaterThan(4);
    await another.builder.buildPartition(PARTITION);
    await shop.expectWhole(PARTITION);
    expect(await shop.segmentEvents(PARTITION)).to.have.length(95);
  });

  it('shares a partition with others: one is at it, and nothing is there twice', async () => {
    await shop.store(events(50));
    const others = await Promise.all([1, 2].map(() => shop.openAnother({ sliceEvents: 10, spanEvents: 20 })));
    const benches = [shop.bench, ...others];
    for (let round = 0; round < 3; round++) {
      const worked = await Promise.all(benches.map(({ builder }) => builder.buildPartition(PARTITION)));
      expect(worked).to.include(true);
      await shop.expectWhole(PARTITION);
      await shop.store(events(15));
    }
  });

  it('loses to whoever was faster, though both believed to be alone', async () => {
    await build();
    const benches = await Promise.all(
      [1, 2, 3].map(() => shop.openAnother({ leases: NO_LEASES, sliceEvents: 10, spanEvents: 20, fanIn: 2 })),
    );
    for (let round = 0; round < 3; round++) {
      for (let group = 0; group < 3; group++) await shop.store(events(7));
      await Promise.all(benches.map(({ builder }) => builder.buildPartition(PARTITION)));
      await shop.expectWhole(PARTITION);
    }
    await Promise.all(benches.map(({ builder }) => builder.rebuildPartition(PARTITION)));
    await shop.expectWhole(PARTITION);
  });

  it('rebuilds a partition when a file is missing or has another byte', async () => {
    const chunks = shop.connection.collection(SEGMENT_CHUNK_COLLECTION);
    const harms = [
      () => chunks.deleteMany({}),
      async () => {
        const piece = (await chunks.findOne({})) as { _id: unknown; data: mongo.Binary } | null;
        const bytes = Buffer.from(piece?.data.buffer ?? []);
        bytes[40] = (bytes[40] ?? 0) ^ 1;
        await chunks.updateOne({ _id: piece?._id as never }, { $set: { data: bytes } });
      },
    ];
    await build();
    for (const harm of harms) {
      await shop.store(events(4));
      await build();
      await shop.store(events(4));
      await build();
      await harm();
      await shop.store(events(4));
      await build();
      await shop.expectWhole(PARTITION);
    }
    expect(await shop.segmentEvents(PARTITION)).to.have.length(24);
  });

  it('rebuilds once it is told of damage, though it merges nothing', async () => {
    await shop.store(events(4));
    await build();
    const [segment] = (await shop.set(PARTITION)).segments;
    await shop.bench.builder.noteDamage(PARTITION, 'unknown');
    expect((await shop.bench.sets.readState(PARTITION)).rebuild).to.equal(null);
    await shop.bench.files.remove([segment?.id ?? '']);
    await shop.bench.builder.noteDamage(PARTITION, segment?.id ?? '');
    const { rebuild } = await shop.bench.sets.readState(PARTITION);
    await shop.bench.builder.noteDamage(PARTITION, segment?.id ?? '');
    expect((await shop.bench.sets.readState(PARTITION)).rebuild).to.deep.equal(rebuild);
    await build();
    await shop.expectWhole(PARTITION);
  });

  it('rebuilds segments of other columns', async () => {
    await shop.store(events(4));
    await build();
    const state = await shop.bench.sets.readState(PARTITION);
    const segments = state.segments.map((segment) => ({ ...segment, schema: 0 }));
    await shop.bench.sets.replace({ ...state, version: state.version + 1, segments });
    await build();
    expect((await shop.set(PARTITION)).segments.map(({ schema }) => schema)).to.deep.equal([1]);
    await shop.expectWhole(PARTITION);
  });

  it('removes files that no set names, and those alone', async () => {
    await shop.store(events(4));
    await build();
    await shop.bench.builder.rebuildPartition(PARTITION);
    await shop.store(events(2));
    await build();
    expect(await shop.storedFiles()).to.have.length(3);
    expect(await shop.bench.builder.removeGarbage(Date.now() - 3_600_000)).to.equal(0);
    expect(await shop.bench.builder.removeGarbage(Date.now() + 60_000)).to.equal(1);
    expect(await shop.storedFiles()).to.have.members(
      (await shop.set(PARTITION)).segments.map(({ id }) => id),
    );
    await shop.expectWhole(PARTITION);
  });

  it('counts nothing as fresh once it has looked', async () => {
    const fresh = async () => (await shop.bench.sets.listFresh(1, 10)).map((one) => one.fresh);
    await shop.bench.sets.addFresh([{ partition: PARTITION, events: 4 }]);
    await shop.store(events(4));
    expect(await fresh()).to.deep.equal([4]);
    await build();
    expect(await fresh()).to.deep.equal([]);
    await shop.bench.sets.addFresh([{ partition: PARTITION, events: 4 }]);
    await build();
    expect(await fresh()).to.deep.equal([]);
  });

  it('ends with the reason of its signal, and leaves no file here', async () => {
    await shop.store(events(4));
    const reason = new Error('enough');
    expect(await rejection(shop.bench.builder.buildPartition(PARTITION, AbortSignal.abort(reason)))).to.equal(
      reason,
    );
    expect(readdirSync(shop.bench.maker.directory).filter((name) => name.includes('parquet'))).to.deep.equal(
      [],
    );
    await build();
    await shop.expectWhole(PARTITION);
  });
});
