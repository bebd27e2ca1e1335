/** Checks that the colours of the map stand for numbers without gap or overlap. */
import { expect } from 'chai';
import { stepOf, stepsUpTo } from '../../../../../services/dashboard/client/map/steps.ts';

describe('the steps of the map', () => {
  it('hold every whole number up to the greatest exactly once, the greatest in the last', () => {
    for (const max of [1, 2, 3, 5, 9, 19, 100, 7_113, 99_999]) {
      const steps = stepsUpTo(max);
      expect(steps.length, String(max)).to.be.within(1, 5);
      expect(steps[0]?.from).to.equal(1);
      expect(steps.at(-1)?.to).to.equal(max);
      for (const [index, { from, to }] of steps.entries()) {
        expect(to, `${max}: ${JSON.stringify(steps)}`).to.be.at.least(from);
        if (index > 0) expect(from).to.equal((steps[index - 1]?.to ?? 0) + 1);
        expect([stepOf(from, steps), stepOf(to, steps)]).to.deep.equal([index + 1, index + 1]);
      }
    }
  });

  it('has no colour for nothing', () => {
    expect(stepsUpTo(0)).to.deep.equal([]);
    expect(stepOf(0, stepsUpTo(10))).to.equal(0);
  });

  it('begins at round numbers', () => {
    expect(stepsUpTo(7_113).map(({ from }) => from)).to.deep.equal([1, 20, 100, 500, 2_000]);
  });
});
