/** Checks that axes count as people do, and that every value lies below the last line. */
import { expect } from 'chai';
import {
  type AxisKind,
  labelledBuckets,
  valueTicks,
} from '../../../../../services/dashboard/client/charts/axis.ts';

describe('the axes of a chart', () => {
  it('begin at 0, rise evenly, and end at or above the greatest value', () => {
    for (const kind of ['count', 'percent', 'duration', 'decimal'] satisfies AxisKind[]) {
      for (const max of [0, 0.4, 1, 2, 3, 7, 33.33, 80.87, 99.99, 100, 1_234, 3_599, 86_399, 1e6]) {
        if (kind === 'percent' && max > 100) continue;
        const ticks = valueTicks(max, kind);
        const label = `${kind} ${max}: ${ticks}`;
        expect(ticks[0], label).to.equal(0);
        expect(ticks.at(-1), label).to.be.at.least(max);
        expect(ticks.length, label).to.be.within(2, 8);
        expect(
          ticks.every((value, index) => index === 0 || value > (ticks[index - 1] ?? 0)),
          label,
        ).to.equal(true);
      }
    }
  });

  it('counts nobody in halves, and no percent above 100', () => {
    for (const max of [0, 1, 2, 3, 5])
      expect(valueTicks(max, 'count').every(Number.isInteger)).to.equal(true);
    expect(valueTicks(100, 'percent').at(-1)).to.equal(100);
  });

  it('stand where small numbers are told apart', () => {
    expect(valueTicks(0.12, 'decimal')).to.deep.equal([0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12]);
    expect(valueTicks(0, 'decimal')).to.deep.equal([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  it('counts time in minutes and hours', () => {
    expect(valueTicks(80.87, 'duration')).to.deep.equal([0, 30, 60, 90]);
    expect(valueTicks(7_000, 'duration')).to.deep.equal([0, 1_800, 3_600, 5_400, 7_200]);
  });

  it('labels no more buckets than have room, from the first, evenly', () => {
    for (const length of [1, 2, 24, 30, 720, 3_660]) {
      for (const room of [1, 3, 12]) {
        const labels = labelledBuckets(length, room, 'daily');
        expect(labels[0]).to.equal(0);
        expect(labels.length, `${length} in ${room}`).to.be.at.most(room);
        expect(labels.at(-1)).to.be.below(length);
      }
    }
    expect(labelledBuckets(30, 8, 'daily')).to.deep.equal([0, 7, 14, 21, 28]);
    expect(labelledBuckets(168, 14, 'hourly')).to.deep.equal([0, 24, 48, 72, 96, 120, 144]);
    expect(labelledBuckets(24, 12, 'hourly')).to.deep.equal([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]);
  });
});
