/** Group commit against an engine that refuses: a poisoned event fails alone, a full disk fails everybody once. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import { AppendQueue } from '../../../../../services/shared/storage/duckdb/append-queue.ts';
import { EventIdWindow } from '../../../../../services/shared/storage/event-id-window.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const POISON = 'the engine chokes on this';

/** A queue over an engine in memory that answers a commit holding `POISON` with `fault`. */
function queueOver(fault: string, whenIdle: () => Promise<void> | null = () => null) {
  const clock = createTestClock();
  const stored: (string | null)[] = [];
  const commits: number[] = [];
  const queue = new AppendQueue({
    commit: async (events) => {
      commits.push(events.length);
      await new Promise(setImmediate);
      if (events.some(({ title }) => title === POISON)) throw new Error(fault);
      stored.push(...events.map(({ event_id }) => event_id));
      return clock.now();
    },
    storedIds: new EventIdWindow({ size: 1_000, keepMs: 1_000 }),
    clock,
    mostWaiting: { events: 1_000, characters: 1_000_000 },
    whenIdle,
  });
  return { queue, stored, commits };
}

const event = (event_id: string, title: string | null = null): EventRecord =>
  eventRecord({ event_id, title });

describe('AppendQueue', () => {
  for (const fault of [
    'Invalid Input Error: malformed text',
    'Conversion Error: out of range',
    'Out of Memory Error: could not allocate',
    'INTERNAL Error: assertion failed',
  ]) {
    it(`fails only the append of the poisoned event when the engine says "${fault}"`, async () => {
      const { queue, stored } = queueOver(fault);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          queue.add([event(`a${i}`), event(`b${i}`, i === 7 ? POISON : null)], 10),
        ),
      );
      expect(outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).to.deep.equal([7]);
      expect(new Set(stored).size).to.equal(38);
      expect(stored).to.have.length(38);
      // What failed is not remembered: without the poison it is stored.
      expect(await queue.add([event('a7'), event('b7')], 10))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(stored).to.have.length(40);
    });
  }

  it('says when nobody waits, and lets those that come meanwhile wait until that moment is over', async () => {
    const order: string[] = [];
    let end: () => void = () => undefined;
    const { queue, commits } = queueOver('', () => {
      order.push('idle');
      if (order.length > 1) return null;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    await Promise.all([queue.add([event('a')], 10), queue.add([event('b')], 10)]);
    const later = queue.add([event('c')], 10).then(() => order.push('stored'));
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(order).to.deep.equal(['idle']);
    expect(commits).to.deep.equal([2]);
    end();
    await later;
    await queue.close();
    expect(order).to.deep.equal(['idle', 'idle', 'stored']);
  });

  it('does not try the appends of a commit one by one on a full disk: each would meet it', async () => {
    const { queue, stored, commits } = queueOver('IO Error: Could not write: No space left on device');
    const outcomes = await Promise.allSettled([
      queue.add([event('a')], 1),
      queue.add([event('b', POISON)], 1),
      queue.add([event('c')], 1),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    expect(commits).to.deep.equal([3]);
    expect(stored).to.deep.equal([]);
    expect(await queue.add([event('a'), event('c')], 1))
      .to.have.property('repeats')
      .with.lengthOf(0);
  });

  it('commits nothing for appends that only repeat, and answers them', async () => {
    const { queue, commits } = queueOver('none');
    await queue.add([event('a')], 1);
    expect(await queue.add([event('a')], 1))
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(commits).to.deep.equal([1]);
  });

  it('stores every append that it took before it was closed', async () => {
    const { queue, stored } = queueOver('none');
    const appends = Array.from({ length: 50 }, (_, i) => queue.add([event(`e${i}`)], 1));
    await queue.close();
    expect(stored).to.have.length(50);
    await Promise.all(appends);
  });
});
