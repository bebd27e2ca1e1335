/**
 * Outlines in as few signs as they need: of each ring `!`, four for its first corner, and one for each step from a corner to the next, or `'`
 * and two for one that is longer. They weigh a third less than the same as SVG writes it.
 */

/** Steps up to this long, to either side, have a sign of their own. */
const SHORT = 4;
const WIDTH = 2 * SHORT + 1;
/** The signs from here on are short steps; the one before stands before a long one. */
const FIRST = 40;
const LONG = String.fromCharCode(FIRST - 1);
/** The first corner is told by two digits for each of its numbers, of which this is the zero. */
const DIGIT = 35;
const BASE = 27;
/** The sign of a long step's zero; all that are needed lie among those of ASCII, and none of them is a quotation mark. */
const ZERO = 78;

/** @throws RangeError for a step that no sign stands for */
export function packedPath(path: string): string {
  return path
    .split('M')
    .slice(1)
    .map((ring) => {
      const [x = 0, y = 0, ...steps] = [...ring.matchAll(/-?\d+/g)].map(Number);
      const pairs = Array.from({ length: steps.length / 2 }, (_, at) => steps.slice(2 * at, 2 * at + 2));
      return `!${digits(x)}${digits(y)}${pairs.map(([dx = 0, dy = 0]) => packedStep(dx, dy)).join('')}`;
    })
    .join('');
}

const digits = (number: number): string =>
  String.fromCharCode(DIGIT + Math.floor(number / BASE), DIGIT + (number % BASE));

function packedStep(dx: number, dy: number): string {
  if (Math.max(Math.abs(dx), Math.abs(dy)) <= SHORT) {
    return String.fromCharCode(FIRST + (dx + SHORT) * WIDTH + dy + SHORT);
  }
  const signs = [dx, dy].map((step) => ZERO + step);
  if (signs.some((sign) => sign <= 34 || sign > 126)) throw new RangeError(`no sign for ${dx} ${dy}`);
  return LONG + String.fromCharCode(...signs);
}

/** The path as SVG takes it. */
export function unpackedPath(packed: string): string {
  return packed.replace(/!(..)(..)([^!]+)/g, (_, x: string, y: string, signs: string) => {
    const steps = signs.replace(/'(.)(.)|./g, (sign, dx?: string, dy?: string) => {
      const short = sign.charCodeAt(0) - FIRST;
      const [right, down] =
        dx !== undefined && dy !== undefined
          ? [dx.charCodeAt(0) - ZERO, dy.charCodeAt(0) - ZERO]
          : [Math.floor(short / WIDTH) - SHORT, (short % WIDTH) - SHORT];
      return `${right} ${down} `;
    });
    return `M${numberOf(x)} ${numberOf(y)}l${steps}Z`;
  });
}

const numberOf = (digits: string): number =>
  (digits.charCodeAt(0) - DIGIT) * BASE + digits.charCodeAt(1) - DIGIT;
