/** The paths of lines and of what lies below them, with gaps. */
import { expect } from 'chai';
import { areaPath, linePath } from '../../../../../services/dashboard/client/charts/straight-path.ts';

describe('a path of straight lines', () => {
  it('leads through its places, a thousandth of a pixel exact', () => {
    expect(
      linePath([
        [0, 10],
        [1 / 3, 5],
        [2, 0],
      ]),
    ).to.equal('M0,10L0.333,5L2,0');
  });

  it('has a gap where there is no place, and a point where one stands alone', () => {
    expect(linePath([null, [0, 1], [1, 1], null, [3, 2], null])).to.equal('M0,1L1,1M3,2Z');
    expect(linePath([null, null])).to.equal('');
    expect(linePath([])).to.equal('');
  });

  it('encloses what lies between it and the ground', () => {
    expect(areaPath([[0, 1], [1, 2], null, [3, 4]], 9)).to.equal('M0,1L1,2L1,9L0,9ZM3,4L3,9L3,9Z');
    expect(areaPath([], 9)).to.equal('');
  });
});
