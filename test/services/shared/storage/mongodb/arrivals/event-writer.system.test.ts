/** Writers of events: their numbers, what they tell, what they do when they were silent, and who closes the dead. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { ArrivalReader } from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import { EventWriter } from '../../../../../../services/shared/storage/mongodb/arrivals/event-writer.ts';
import {
  EventWriters,
  WRITER_COLLECTION,
  type WriterDocument,
} from '../../../../../../services/shared/storage/mongodb/arrivals/event-writers.ts';
import { deadlineIn } from '../../../../../../services/shared/storage/mongodb/event-faults.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { createTestClock } from '../../../../../support/test-clock.ts';

const HOUR_MS = 3_600_000;

describe('writers of events', () => {
  const server = useMongodb();
  let connection: Connection;
  /** Milliseconds of their monotonic clock. */
  let now: number;
  let writers: EventWriter[];

  beforeEach(async () => {
    now = 0;
    writers = [];
    connection = await openConnection(server.newUri(), { appName: 'tidegate-test' });
  });
  afterEach(async () => {
    await Promise.all(writers.map((writer) => writer.close()));
    await connection.dropDatabase();
    await connection.close();
  });

  const database = () => connection.getClient().db(connection.name);
  const documents = () => connection.collection<WriterDocument>(WRITER_COLLECTION);
  const clock = createTestClock();
  const soon = () => deadlineIn(60_000);
  function newWriter(): EventWriter {
    const writer = new EventWriter(database(), { clock, monotonic: () => now });
    writers.push(writer);
    return writer;
  }
  const stateOf = (number: number) => documents().findOne({ _id: number });
  const beatsOf = async (number: number) => (await stateOf(number))?.beats ?? 0;

  it('have numbers of their own, also when they register at the same time', async () => {
    const stamps = await Promise.all(Array.from({ length: 8 }, () => newWriter().begin(soon())));
    const numbers = stamps.map(({ writer }) => writer).sort((a, b) => a - b);
    expect(numbers).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('register once for groups that begin at the same time, and number them', async () => {
    const writer = newWriter();
    const stamps = await Promise.all([1, 2, 3].map(() => writer.begin(soon())));
    expect(stamps).to.deep.equal([1, 2, 3].map((sequence) => ({ writer: 1, sequence })));
  });

  it('tell behind the groups up to where all have ended', async () => {
    const writer = newWriter();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => writer.begin(soon())));
    if (!first || !second || !third) throw new Error('no stamps');
    writer.end(third);
    writer.end(first);
    await eventually(async () => (await stateOf(1))?.settled).equals(1);
    writer.end(second);
    await eventually(async () => (await stateOf(1))?.settled).equals(3);
  });

  it('never take back what they told, when a telling arrives late', async () => {
    const all = new EventWriters(database());
    const number = await all.register(soon());
    await all.beat(number, 7, 5_000);
    await all.beat(number, 4, 5_000);
    expect(await stateOf(number)).to.include({ settled: 7, beats: 2 });
  });

  it('close with all settled when they end, and stay open while a group has not ended', async () => {
    const [failed, whole] = [newWriter(), newWriter()];
    await failed.begin(soon());
    whole.end(await whole.begin(soon()));
    await Promise.all([failed.close(), whole.close()]);
    expect(await stateOf(1)).to.include({ closed: false, settled: 0 });
    expect(await stateOf(2)).to.include({ closed: true, settled: 1 });
    const reader = new ArrivalReader(connection.getClient(), database());
    const { positions } = await reader.writers();
    expect(positions).to.deep.equal({ floor: 2, sequences: new Map([[1, 0]]) });
  });

  for (const [what, pass] of [
    ['stood still, by the monotonic clock', () => (now += 30_001)],
    ['slept, by the time of day', () => clock.advance(30_001)],
    ['had its time of day set back', () => clock.advance(-5_000)],
  ] as const) {
    it(`beat before they confirm a group when the process ${what}`, async () => {
      const writer = newWriter();
      const stamp = await writer.begin(soon());
      const before = await beatsOf(1);
      pass();
      await writer.confirm(stamp, soon());
      expect(await beatsOf(1)).to.be.above(before);
    });
  }

  it('fail the groups of a number that others closed, and go on under another', async () => {
    const writer = newWriter();
    const stamp = await writer.begin(soon());
    await documents().updateOne({ _id: 1 }, { $set: { closed: true } });
    now += 30_001;
    expect(await rejection(writer.confirm(stamp, soon()))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    expect(writer.isLost(stamp)).to.equal(true);
    expect(await writer.begin(soon())).to.deep.equal({ writer: 2, sequence: 1 });
  });

  it('ask before they stamp a group when they were silent, so that no stamp is of a closed number', async () => {
    const writer = newWriter();
    writer.end(await writer.begin(soon()));
    await documents().updateOne({ _id: 1 }, { $set: { closed: true } });
    now += 30_001;
    expect(await writer.begin(soon())).to.deep.equal({ writer: 2, sequence: 1 });
  });

  describe('of which a group does not end for long', () => {
    const LONG_MS = 30_000;
    /** Only after 30 s without a word: it tells of itself then, and sees what is held back. */
    const pass = () => (now += LONG_MS + 1);
    const openNumbers = () => documents().distinct('_id', { closed: false });
    const numberOf = async (writer: EventWriter) => {
      const stamp = await writer.begin(soon());
      writer.end(stamp);
      return stamp.writer;
    };
    /** Leaves a group of its newest number open, and has later ones go under another. */
    async function leave(writer: EventWriter) {
      const left = await writer.begin(soon());
      expect(await numberOf(writer)).to.equal(left.writer);
      pass();
      await eventually(() => numberOf(writer)).equals(left.writer + 1);
      return left;
    }

    it('have a new number for later groups, which are settled, while the old one beats', async () => {
      const writer = newWriter();
      await leave(writer);
      await eventually(async () => {
        const { writer: number, sequence } = await writer.begin(soon());
        writer.end({ writer: number, sequence });
        return ((await stateOf(2))?.settled ?? 0) > 0;
      }).equals(true);
      expect(await stateOf(1)).to.include({ settled: 0, closed: false });
      const before = await beatsOf(1);
      await eventually(async () => (await beatsOf(1)) > before).equals(true);
      const reader = new ArrivalReader(connection.getClient(), database());
      const { positions } = await reader.writers();
      expect(positions.sequences.get(1)).to.equal(0);
    });

    it('close the old number with all settled once its groups have ended, and confirm them until then', async () => {
      const writer = newWriter();
      const left = await leave(writer);
      const second = await writer.begin(soon());
      const before = await beatsOf(1);
      pass();
      await writer.confirm(left, soon());
      expect(await beatsOf(1)).to.be.above(before);
      expect(writer.isLost(left)).to.equal(false);
      writer.end(left);
      const state = await eventually(() => stateOf(1)).satisfies((told) =>
        expect(told).to.include({ closed: true }),
      );
      expect(state?.settled).to.be.at.least(2);
      await eventually(() => writer.isLost(left)).equals(true);
      expect(writer.isLost(second)).to.equal(false);
    });

    it('keep their number when nothing comes after that group, or when it ended in time', async () => {
      const writer = newWriter();
      const alone = await writer.begin(soon());
      pass();
      const second = await writer.begin(soon());
      writer.end(alone);
      now += LONG_MS - 2;
      writer.end(second);
      pass();
      await eventually(async () => (await stateOf(1))?.settled).equals(2);
      expect(await numberOf(writer)).to.equal(1);
      expect(await documents().distinct('_id')).to.deep.equal([1]);
    });

    it('have four open numbers at most, go on under the newest, and take a further one when one was closed', async () => {
      const writer = newWriter();
      const left = [await leave(writer), await leave(writer), await leave(writer)];
      const fourth = await writer.begin(soon());
      await numberOf(writer);
      for (let i = 0; i < 3; i++) {
        const before = await beatsOf(4);
        pass();
        expect(await numberOf(writer)).to.equal(4);
        expect(await beatsOf(4)).to.be.above(before);
      }
      expect(await openNumbers()).to.deep.equal([1, 2, 3, 4]);
      for (const stamp of left) writer.end(stamp);
      await eventually(openNumbers).equals([4, 5]);
      await eventually(() => numberOf(writer)).equals(5);
      writer.end(fourth);
      await eventually(openNumbers).equals([5]);
    });

    it('lose the groups of an old number that others closed, and not those of the new one', async () => {
      const writer = newWriter();
      const left = await leave(writer);
      const kept = await writer.begin(soon());
      await documents().updateOne({ _id: 1 }, { $set: { closed: true } });
      pass();
      expect(await rejection(writer.confirm(left, soon()))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      expect(writer.isLost(left)).to.equal(true);
      await writer.confirm(kept, soon());
      writer.end(kept);
      expect(await numberOf(writer)).to.equal(2);
    });

    it('are all closed when they end, but those with a group that never ended', async () => {
      const writer = newWriter();
      writer.end(await leave(writer));
      await leave(writer);
      await writer.close();
      expect(await openNumbers()).to.deep.equal([2]);
    });
  });

  describe('that died', () => {
    const all = () => new EventWriters(database(), () => now);
    async function born(closed = false): Promise<number> {
      const number = await all().register(soon());
      await all().beat(number, 0, 5_000);
      if (closed) await all().close(number, 0, 5_000);
      return number;
    }
    async function silentFor(number: number, hours: number): Promise<void> {
      const at = (await stateOf(number))?.at.getTime() ?? 0;
      await documents().updateOne({ _id: number }, { $set: { at: new Date(at - hours * HOUR_MS) } });
    }

    it('are closed after 26 hours, by who watched them for a minute without a change', async () => {
      const [dead, recent, beating, own] = [await born(), await born(), await born(), await born()];
      await silentFor(dead, 27);
      await silentFor(recent, 25);
      await silentFor(beating, 27);
      const sweeper = all();
      await sweeper.sweep(own, 5_000);
      now += 59_999;
      await sweeper.sweep(own, 5_000);
      expect(await stateOf(dead)).to.include({ closed: false });
      await all().recheck(new Set([beating]), soon());
      now += 1;
      await sweeper.sweep(own, 5_000);
      expect(await documents().distinct('_id')).to.deep.equal([recent, beating, own]);
    });

    it('leave the list once they are closed, but for the highest', async () => {
      const [first, second] = [await born(true), await born()];
      await all().sweep(second, 5_000);
      expect(await stateOf(first)).to.equal(null);
      await all().close(second, 0, 5_000);
      await all().sweep(second, 5_000);
      expect(await born()).to.equal(second + 1);
    });
  });
});
