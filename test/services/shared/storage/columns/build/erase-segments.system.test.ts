/** Erasure from segments over MongoDB: what is erased is nowhere, everything else is where it was, whatever runs meanwhile. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../../../services/shared/model/event-record.ts';
import type { EventSelection } from '../../../../../../services/shared/ports/event-store.ts';
import type { SegmentBuilder } from '../../../../../../services/shared/storage/columns/build/segment-builder.ts';
import { eraseEvents } from '../../../../../../services/shared/storage/mongodb/event-erasure.ts';
import { createMongodbEventStore } from '../../../../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { SegmentWorkshop } from '../../../../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
const OTHER = { organizationId: 'org_a', websiteId: 'web_b' };
const ALL: EventSelection = { organizationId: 'org_a', websiteId: null, anonymousId: null };
const ANN: EventSelection = { ...ALL, websiteId: 'web_a', anonymousId: 'ann' };

function events(from: number, to: number, overrides: Partial<EventRecord> = {}): EventRecord[] {
  return Array.from({ length: to - from }, (_, i) =>
    eventRecord({
      website_id: 'web_a',
      event_id: `e${from + i}`,
      anonymous_id: i % 3 === 0 ? 'ann' : 'bob',
      timestamp: (from + i) * 1_000,
      ...overrides,
    }),
  );
}

describe('an erasure from segments', function () {
  this.timeout(60_000);
  const mongodb = useMongodb();
  let shop: SegmentWorkshop;
  let uri: string;

  beforeEach(async () => {
    uri = mongodb.newUri();
    shop = await SegmentWorkshop.open(uri, { sliceEvents: 10, spanEvents: 20, fanIn: 100 });
    await shop.store(events(0, 9));
    await shop.store(events(100, 103, { website_id: 'web_b' }));
    await shop.bench.builder.buildPartition(PARTITION);
    await shop.bench.builder.buildPartition(OTHER);
    await shop.store(events(20, 29));
    await shop.bench.builder.buildPartition(PARTITION);
  });
  afterEach(() => shop.close());

  const ids = async (partition = PARTITION) => (await shop.set(partition)).segments.map(({ id }) => id);
  const visitors = async () => (await shop.segmentEvents(PARTITION)).map((event) => event.anonymous_id);

  /** As the store does: documents first. */
  async function erase(
    selection: EventSelection,
    builder: SegmentBuilder = shop.bench.builder,
  ): Promise<void> {
    await eraseEvents(shop.connection.getClient().db(shop.connection.name), selection);
    await builder.eraseFromSegments(selection);
  }

  it('takes a visitor out of every segment of a website, and leaves other websites as they are', async () => {
    const other = await ids(OTHER);
    await erase(ANN);
    expect(await visitors()).to.deep.equal(Array(12).fill('bob'));
    await shop.expectWhole(PARTITION);
    expect(await ids(OTHER)).to.deep.equal(other);
    expect((await shop.set(OTHER)).erasures).to.equal(0);
  });

  it('tells readers each time, also when it finds nothing, and writes no file then', async () => {
    const before = await ids();
    for (const erasures of [1, 2]) {
      await erase({ ...ANN, anonymousId: 'nobody' });
      expect((await shop.set(PARTITION)).erasures).to.equal(erasures);
    }
    expect(await ids()).to.deep.equal(before);
  });

  it('removes what it replaced at once', async () => {
    await erase(ANN);
    expect(await shop.storedFiles()).to.have.members([...(await ids()), ...(await ids(OTHER))]);
  });

  it('of what is old drops whole segments, writes the one at the edge anew, and leaves later ones', async () => {
    const [, second] = await ids();
    await erase({ ...ALL, websiteId: 'web_a', before: 9_000 });
    expect(await ids()).to.deep.equal([second]);
    await erase({ ...ALL, websiteId: 'web_a', before: 22_000 });
    expect((await shop.set(PARTITION)).segments.map(({ from }) => from)).to.deep.equal([22_000]);
    await shop.expectWhole(PARTITION);
  });

  it('of an organization leaves nothing of it, and nothing of another is touched', async () => {
    await shop.store(events(0, 3, { organization_id: 'org_b' }));
    const foreign = { organizationId: 'org_b', websiteId: 'web_a' };
    await shop.bench.builder.buildPartition(foreign);
    await erase(ALL);
    expect([await ids(), await ids(OTHER)]).to.deep.equal([[], []]);
    await shop.expectWhole(foreign);
    await shop.store(events(50, 53));
    await shop.bench.builder.buildPartition(PARTITION);
    await shop.expectWhole(PARTITION);
  });

  it('wins against every build that it meets: what was read before is not stored after', async () => {
    for (const step of ['written', 'stored', 'visible'] as const) {
      await shop.store(events(200, 212));
      let met = 0;
      const other = await shop.openAnother({
        sliceEvents: 10,
        fanIn: 2,
        told: async (done) => {
          if (done !== step || met++ > 0) return;
          await erase(ANN);
          expect(await visitors(), step).to.not.include('ann');
        },
      });
      await other.builder.buildPartition(PARTITION);
      expect(met, step).to.be.greaterThan(0);
      expect(await visitors(), step).to.not.include('ann');
      await shop.expectWhole(PARTITION);
    }
  });

  it('takes events out of a rebuild that is under way', async () => {
    for (const step of ['written', 'stored', 'visible'] as const) {
      await shop.store(events(300, 360));
      let met = 0;
      const other = await shop.openAnother({
        spanEvents: 20,
        fanIn: 100,
        told: async (done) => {
          if (done !== step || met++ !== 1) return;
          await erase(ANN);
        },
      });
      await other.builder.rebuildPartition(PARTITION);
      expect(met, step).to.be.greaterThan(1);
      expect(await visitors(), step).to.not.include('ann');
      await shop.expectWhole(PARTITION);
    }
  });

  it('is not held up by a damaged file: nobody answers from it, and a rebuild brings the rest back', async () => {
    const [first = '', second] = await ids();
    await shop.bench.files.remove([first]);
    await erase(ANN);
    const lost = (await ids()).filter((id) => id.startsWith('lost-'));
    expect(lost).to.have.length(1);
    expect(await ids()).to.not.include(second);
    await shop.bench.builder.buildPartition(PARTITION);
    expect(await visitors()).to.deep.equal(Array(12).fill('bob'));
    await shop.expectWhole(PARTITION);
  });

  it('of a damaged file in a rebuild begins the rebuild again', async () => {
    let met = 0;
    const other = await shop.openAnother({
      spanEvents: 5,
      told: async (done) => {
        if (done !== 'visible' || met++ !== 2) return;
        const { rebuild } = await shop.bench.sets.readState(PARTITION);
        await shop.bench.files.remove(rebuild?.segments.map(({ id }) => id) ?? []);
        await erase(ANN);
        const again = (await shop.bench.sets.readState(PARTITION)).rebuild;
        expect(again?.segments).to.deep.equal([]);
        expect(again?.id).to.not.equal(rebuild?.id);
      },
    });
    await other.builder.rebuildPartition(PARTITION);
    expect(met).to.be.greaterThan(2);
    expect(await visitors()).to.not.include('ann');
    await shop.expectWhole(PARTITION);
  });

  it('may go on again after it ended early', async () => {
    const reason = new Error('enough');
    let steps = 0;
    const broken = await shop.openAnother({
      told: () => {
        if (++steps === 2) throw reason;
      },
    });
    await erase(ANN, broken.builder).catch((fault) => expect(fault).to.equal(reason));
    expect((await shop.set(PARTITION)).erasures).to.equal(0);
    await erase(ANN);
    expect(await visitors()).to.deep.equal(Array(12).fill('bob'));
    await shop.expectWhole(PARTITION);
  });

  it('is part of an erasure from the store: the documents go first, and it fails as a whole', async () => {
    const { builder } = shop.bench;
    const documents = () => shop.connection.collection('events').countDocuments({ anonymous_id: 'ann' });
    const found: number[] = [];
    const segments = {
      eraseFromSegments: async (selection: EventSelection, signal?: AbortSignal) => {
        found.push(await documents());
        if (found.length === 1) throw new Error('the engine ended');
        return builder.eraseFromSegments(selection, signal);
      },
    };
    const connection = await openConnection(uri, { appName: 'tidegate-test' });
    const store = await createMongodbEventStore({ connection, segments });
    try {
      const fault = await rejection(store.erase(ANN));
      expect(fault).to.have.property('kind', 'SERVICE_UNAVAILABLE');
      expect(await visitors()).to.include('ann');
      expect(await store.erase(ANN)).to.equal(0);
      expect(found).to.deep.equal([1, 1]);
      await shop.expectWhole(PARTITION);
      const ended = new AbortController();
      const reason = new Error('enough');
      segments.eraseFromSegments = async () => {
        ended.abort(reason);
        throw new Error('interrupted');
      };
      expect(await rejection(store.erase(ANN, ended.signal))).to.equal(reason);
    } finally {
      await store.close();
    }
  });
});
