/** The shapes of a sparkline: they span the box, and parts of hours are apart from what is whole. */
import { expect } from 'chai';
import { SPARK, sparkPaths } from '../../../../../services/dashboard/client/charts/spark-path.ts';

const HOUR = 3_600_000;
const points = (values: number[], isPart: (index: number) => boolean = () => false) =>
  values.map((value, index) => ({ at: index * HOUR, value, isWhole: !isPart(index) }));
const corners = (path: string) =>
  [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('the paths of a sparkline', () => {
  it('span the width, the greatest value at the top, nothing at the bottom', () => {
    const { whole, part, area } = sparkPaths(points([0, 5, 10]));
    expect(corners(whole)).to.deep.equal([
      [0, SPARK.height - 2],
      [SPARK.width / 2, SPARK.height / 2],
      [SPARK.width, 2],
    ]);
    expect(part).to.equal('');
    expect(area).to.match(/Z$/);
  });

  it('stand where their hours are, also when one is missing', () => {
    const { whole } = sparkPaths(
      [points([1])[0], points([0, 0, 0, 0, 1])[4], points([0, 0, 1])[2]]
        .filter((point) => point !== undefined)
        .sort((a, b) => a.at - b.at),
    );
    expect(corners(whole).map(([x]) => x)).to.deep.equal([0, SPARK.width / 2, SPARK.width]);
  });

  it('lead to and from parts of hours by lines of their own, and every leg is drawn once', () => {
    const { whole, part } = sparkPaths(points([3, 6, 6, 6, 3], (index) => index === 0 || index === 4));
    expect(corners(whole)).to.have.length(3);
    expect(part.match(/M/g)).to.have.length(2);
    expect(corners(part).map(([x]) => x)).to.deep.equal([0, 60, 180, 240]);
  });

  it('are level when nothing happened, and empty when there is no line', () => {
    expect(corners(sparkPaths(points([0, 0, 0])).whole).map(([, y]) => y)).to.deep.equal([46, 46, 46]);
    for (const few of [[], [4]])
      expect(sparkPaths(points(few))).to.deep.equal({ area: '', whole: '', part: '' });
  });
});
