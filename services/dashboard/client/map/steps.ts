/** The steps of a map's colours: few, at numbers that people count in, each a multiple of the one before. */

/** Whole numbers from `from` to `to`, both of the step. */
export interface Step {
  readonly from: number;
  readonly to: number;
}

const MOST = 5;
/** From the greatest value downwards: numbers of countries fall fast. */
const FACTOR = 4;

/** Steps that hold every whole number from 1 to `max`, the least first; none when there is nothing. */
export function stepsUpTo(max: number): readonly Step[] {
  if (max < 1) return [];
  const starts = new Set([1]);
  for (let step = MOST - 1; step > 0; step--) {
    const start = roundNumber(max / FACTOR ** step);
    if (start > 1 && start <= max) starts.add(start);
  }
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((from, index) => ({ from, to: (sorted[index + 1] ?? max + 1) - 1 }));
}

/** The nearest of 1, 2 and 5 by powers of ten. */
function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const digit = [1, 2, 5, 10].reduce((best, each) =>
    Math.abs(each * power - value) < Math.abs(best * power - value) ? each : best,
  );
  return digit * power;
}

/** The step of a number, counted from 1; 0 of nothing. */
export function stepOf(value: number, steps: readonly Step[]): number {
  return steps.findLastIndex(({ from }) => value >= from) + 1;
}
