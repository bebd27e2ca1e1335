/** What a larger plan would have admitted at least: worked out by hand, and never more than windows that are played through admit. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  isLarger,
  leastAdmitted,
  type PlanNumbers,
} from '../../../../services/resources/usage/plan-admission.ts';

const FREE: PlanNumbers = { per10Seconds: 50, perMinute: 300, perDay: null, perMonth: null };
const HOBBY: PlanNumbers = { per10Seconds: 100, perMinute: 600, perDay: null, perMonth: null };

/** Requests at these seconds, each admitted when both windows have room; counted in none when one has not. */
function play(
  seconds: readonly number[],
  { per10Seconds, perMinute }: PlanNumbers,
  begins: readonly [number, number],
) {
  const windows = [
    { length: 10, most: per10Seconds, begins: begins[0], number: -1, count: 0 },
    { length: 60, most: perMinute, begins: begins[1], number: -1, count: 0 },
  ];
  let admitted = 0;
  const refused = new Array<number>(Math.ceil((Math.max(0, ...seconds) + 1) / 60)).fill(0);
  for (const at of seconds) {
    for (const window of windows) {
      const number = Math.floor((at + window.begins) / window.length);
      if (number !== window.number) Object.assign(window, { number, count: 0 });
    }
    const hasRoom = windows.every(({ count, most }) => count < most);
    if (!hasRoom) {
      const minute = Math.floor(at / 60);
      refused[minute] = (refused[minute] ?? 0) + 1;
      continue;
    }
    admitted++;
    for (const window of windows) window.count++;
  }
  return { admitted, refused };
}

describe('what a larger plan would have admitted', () => {
  it('is by a window of a minute the difference of the plans, or all that was refused if that is less', () => {
    expect(leastAdmitted([0, 30, 0, 0], FREE, HOBBY)).to.equal(30);
    // All 500 may have come within ten seconds, of which hobby admits 50 more.
    expect(leastAdmitted([0, 500, 0], FREE, HOBBY)).to.equal(50);
    expect(leastAdmitted([500, 0, 500, 0, 20], FREE, HOBBY)).to.equal(120);
    const onlyMinute = { ...FREE, perMinute: 320 };
    expect(leastAdmitted([500], FREE, { ...HOBBY, perMinute: 320 })).to.equal(20);
    expect(leastAdmitted([500], FREE, onlyMinute)).to.equal(0);
  });

  it('counts minutes that follow each other as one window, since one may hold refusals of both', () => {
    expect(leastAdmitted([40, 40], FREE, HOBBY)).to.equal(50);
    expect(leastAdmitted([500, 500, 500], FREE, HOBBY)).to.equal(100);
    expect(leastAdmitted([10, 15], FREE, HOBBY)).to.equal(25);
    expect(leastAdmitted([], FREE, HOBBY)).to.equal(0);
  });

  it('is at most what the quotas of the larger plan have more', () => {
    const own = { ...FREE, perDay: 1_000 };
    expect(leastAdmitted([500, 0, 500], own, { ...HOBBY, perDay: 1_060 })).to.equal(60);
    expect(leastAdmitted([500, 0, 500], own, HOBBY)).to.equal(100);
    expect(leastAdmitted([500], { ...FREE, perMonth: 9 }, { ...HOBBY, perMonth: 9 })).to.equal(0);
  });

  it('is asked of plans that admit all that the own does, and more', () => {
    expect(isLarger(HOBBY, FREE)).to.equal(true);
    expect(isLarger(FREE, FREE)).to.equal(false);
    expect(isLarger(FREE, HOBBY)).to.equal(false);
    expect(isLarger({ ...FREE, perMinute: 301 }, FREE)).to.equal(true);
    expect(isLarger({ ...HOBBY, perDay: 10 }, FREE)).to.equal(false);
    expect(isLarger(FREE, { ...FREE, perDay: 10 })).to.equal(true);
  });

  it('is never more than windows of the same beginnings admit, whenever requests come and windows begin', () => {
    const bursts = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 12 })), { maxLength: 25 });
    const plan = fc.record({
      per10: fc.integer({ min: 1, max: 6 }),
      minute: fc.integer({ min: 1, max: 12 }),
    });
    const begins = fc.tuple(fc.nat(9), fc.nat(59));
    const numbers = (per10Seconds: number, perMinute: number): PlanNumbers => {
      return { ...FREE, per10Seconds, perMinute };
    };
    fc.assert(
      fc.property(bursts, plan, plan, begins, (each, own, more, instants) => {
        const seconds = each
          .flatMap(([at, count]) => new Array<number>(count).fill(at))
          .sort((a, b) => a - b);
        const present = numbers(own.per10, own.minute);
        const larger = numbers(own.per10 + more.per10, own.minute + more.minute);
        const { admitted, refused } = play(seconds, present, instants);
        const further = play(seconds, larger, instants).admitted - admitted;
        expect(leastAdmitted(refused, present, larger)).to.be.at.most(further);
      }),
      { numRuns: 3_000 },
    );
  });
});
