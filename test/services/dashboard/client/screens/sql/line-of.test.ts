/** Which results are a line over time, and its points. */
import { expect } from 'chai';
import { lineColumns, linePoints } from '../../../../../../services/dashboard/client/screens/sql/line-of.ts';

const column = (name: string, type: string) => ({ name, type });

describe('a result as a line', () => {
  const names = (...columns: [string, string][]) =>
    lineColumns(columns.map((each) => column(...each))).map(({ name }) => name);

  it('has a first column of times, and numbers alone besides', () => {
    expect(names(['day', 'DATE'], ['n', 'BIGINT'])).to.deep.equal(['n']);
    expect(
      names(['at', 'TIMESTAMP WITH TIME ZONE'], ['n', 'HUGEINT'], ['d', 'DECIMAL(18,2)'], ['f', 'DOUBLE']),
    ).to.deep.equal(['n', 'd', 'f']);
    expect(names(['n', 'BIGINT'], ['day', 'DATE'])).to.deep.equal([]);
    expect(names(['day', 'DATE'], ['path', 'VARCHAR'])).to.deep.equal([]);
    expect(names(['day', 'DATE'], ['n', 'BIGINT'], ['path', 'VARCHAR'])).to.deep.equal([]);
    expect(names(['day', 'DATE'])).to.deep.equal([]);
    expect(names()).to.deep.equal([]);
  });

  it('has points in the order of time, large numbers and decimals among them, without what is missing', () => {
    const rows = [
      { day: '2026-01-02', n: '12345678901234567890' },
      { day: '2026-01-01', n: 2 },
      { day: null, n: 3 },
      { day: '2026-01-03', n: null },
      { day: '2026-01-04', n: '1.50' },
    ];
    expect(linePoints(rows, 'day', 'n')).to.deep.equal([
      { bucket: '2026-01-01', value: 2 },
      { bucket: '2026-01-02', value: Number('12345678901234567890') },
      { bucket: '2026-01-04', value: 1.5 },
    ]);
    expect(linePoints([{ at: '2026-01-01T09:30:00.000Z', n: 1 }], 'at', 'n')).to.deep.equal([
      { bucket: '2026-01-01 09:30:00', value: 1 },
    ]);
  });
});
