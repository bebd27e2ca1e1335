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
