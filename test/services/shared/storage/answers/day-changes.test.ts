/** Days whose events changed are told from others, also when there are too many of them. */
import { expect } from 'chai';
import { DayChanges } from '../../../../../services/shared/storage/answers/day-changes.ts';

const DAY_MS = 86_400_000;
const days = (first: number, last: number) => ({ from: first * DAY_MS, to: last * DAY_MS });

describe('changes by day', () => {
  it('of a day are changes of the ranges that touch it, and of no others', () => {
    const changes = new DayChanges();
    const ranges = [days(0, 3), days(3, 4), days(4, 9), days(-5, 400), null] as const;
    const before = ranges.map((range) => changes.latestIn(range));
    changes.note([3 * DAY_MS, 4 * DAY_MS - 1]);
    const after = ranges.map((range) => changes.latestIn(range));
    expect(ranges.map((_, i) => before[i] !== after[i])).to.deep.equal([false, true, false, true, true]);
    // Parts of days, and what ends where a day begins.
    const [part, end] = [
      { from: 3 * DAY_MS + 5, to: 3 * DAY_MS + 6 },
      { from: 2 * DAY_MS + 5, to: 3 * DAY_MS },
    ];
    expect(changes.latestIn(part)).to.equal(after[1]);
    expect(changes.latestIn(end)).to.equal(before[0]);
  });

  it('of unknown days are changes of all, each a further one', () => {
    const changes = new DayChanges();
    const seen = new Set<number>();
    for (let i = 0; i < 3; i++) {
      changes.noteAll();
      expect(changes.latestIn(days(1, 2))).to.equal(changes.latestIn(null));
      seen.add(changes.latestIn(days(1, 2)));
    }
    expect(seen.size).to.equal(3);
  });

  it('never have the number of another', () => {
    const [one, two] = [new DayChanges(), new DayChanges()];
    two.note([0]);
    one.note([0]);
    expect(one.latestIn(null)).to.not.equal(two.latestIn(null));
  });

  it('of very many days count as changes of all', () => {
    const changes = new DayChanges();
    const before = changes.latestIn(days(5_000, 5_001));
    changes.note(Array.from({ length: 2_000 }, (_, day) => day * DAY_MS));
    expect(changes.latestIn(days(5_000, 5_001))).to.be.above(before);
  });
});
