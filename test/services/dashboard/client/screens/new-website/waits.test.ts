/** The looks for the first event: often at first, ever more seldom, and an end. */
import { expect } from 'chai';
import { waitAfter } from '../../../../../../services/dashboard/client/screens/new-website/waits.ts';

describe('the wait between two looks for the first event', () => {
  it('never shrinks, begins with three seconds, and ends after a hundred looks in a quarter of an hour', () => {
    const waits: number[] = [];
    for (let looks = 1; ; looks++) {
      const wait = waitAfter(looks);
      if (wait === null) break;
      waits.push(wait);
    }
    expect(waits[0]).to.equal(3);
    expect(waits).to.deep.equal([...waits].sort((a, b) => a - b));
    expect(waits).to.have.length(100);
    expect(waits.reduce((sum, wait) => sum + wait)).to.equal(15 * 60);
    expect(waitAfter(1_000)).to.equal(null);
  });
});
