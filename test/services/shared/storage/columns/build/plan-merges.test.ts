/** Which segments are merged: enough that few are left, no row more often than there are levels, no file too large. */
import { expect } from 'chai';
import fc from 'fast-check';
import { levelOf, planMerges } from '../../../../../../services/shared/storage/columns/build/plan-merges.ts';
import type { Segment } from '../../../../../../services/shared/storage/columns/segment-set.ts';

let made = 0;

function segment(overrides: Partial<Segment> = {}): Segment {
  return {
    id: `${made++}`,
    level: 0,
    from: 0,
    to: 0,
    rows: 1,
    bytes: 1,
    sha256: '',
    schema: 1,
    ...overrides,
  };
}

const ids = (lists: readonly (readonly Segment[])[]) => lists.map((list) => list.map(({ id }) => id));

/** What is left when everything that is planned has been done, and how often a row was merged at most. */
function settle(segments: readonly Segment[], bounds: { fanIn: number; mostRows: number }) {
  let left = [...segments];
  for (let rounds = 0; ; rounds++) {
    const lists = planMerges(left, bounds);
    if (lists.length === 0) return { left, rounds };
    for (const list of lists) {
      const gone = new Set(list);
      left = left.filter((one) => !gone.has(one));
      left.push(
        segment({
          level: Math.max(...list.map(({ level }) => level)) + 1,
          rows: list.reduce((sum, { rows }) => sum + rows, 0),
        }),
      );
    }
  }
}

describe('the plan of merges', () => {
  it('merges nothing as long as a level is not full', () => {
    const seven = Array.from({ length: 7 }, () => segment());
    expect(planMerges([])).to.deep.equal([]);
    expect(planMerges([...seven, segment({ level: 1 })])).to.deep.equal([]);
    expect(planMerges([...seven, segment()])).to.have.length(1);
  });

  it('brings together neighbours in time', () => {
    const [d, b, a, c] = [4, 2, 1, 3].map((from) => segment({ from })) as [
      Segment,
      Segment,
      Segment,
      Segment,
    ];
    expect(ids(planMerges([d, b, a, c], { fanIn: 2 }))).to.deep.equal(
      ids([
        [a, b],
        [c, d],
      ]),
    );
  });

  it('makes no segment of more rows than allowed, and leaves large ones alone', () => {
    const large = segment({ rows: 10 });
    const others = [6, 4, 7, 3].map((rows, from) => segment({ rows, from }));
    const [a, b, c, d] = others as [Segment, Segment, Segment, Segment];
    expect(ids(planMerges([large, ...others], { fanIn: 4, mostRows: 10 }))).to.deep.equal(
      ids([
        [a, b],
        [c, d],
      ]),
    );
    expect(planMerges([large, large, large], { fanIn: 2, mostRows: 10 })).to.deep.equal([]);
    const halves = [6, 6, 6].map((rows) => segment({ rows }));
    expect(planMerges(halves, { fanIn: 2, mostRows: 10 })).to.deep.equal([]);
  });

  it('leaves segments of other columns to a rebuild', () => {
    expect(planMerges(Array.from({ length: 9 }, () => segment({ schema: 0 })))).to.deep.equal([]);
  });

  it('counts a new segment by its rows', () => {
    expect([0, 7_999, 8_000, 63_999, 64_000, 511_999, 512_000, 9e6].map(levelOf)).to.deep.equal([
      0, 0, 1, 1, 2, 2, 3, 3,
    ]);
  });

  it('comes to an end, loses no row, and leaves no level full that could be merged', () => {
    const rows = fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 200 });
    const bounds = fc.record({
      fanIn: fc.integer({ min: 2, max: 8 }),
      mostRows: fc.integer({ min: 1, max: 3_000 }),
    });
    fc.assert(
      fc.property(rows, bounds, (sizes, bound) => {
        const before = sizes.map((size, from) => segment({ rows: size, from }));
        const { left } = settle(before, bound);
        const sum = (list: readonly Segment[]) => list.reduce((total, one) => total + one.rows, 0);
        expect(sum(left)).to.equal(sum(before));
        for (const one of left) expect(before.includes(one) || one.rows <= bound.mostRows).to.equal(true);
        expect(planMerges(left, bound)).to.deep.equal([]);
      }),
    );
  });

  it('of ten thousand equal segments leaves few, and merges each row a few times', () => {
    const many = Array.from({ length: 10_000 }, (_, from) => segment({ from, rows: 10 }));
    const { left, rounds } = settle(many, { fanIn: 8, mostRows: 4_000_000 });
    expect(left.length).to.be.at.most(40);
    expect(rounds).to.be.at.most(6);
  });
});
