/** The shapes of a sparkline as SVG paths: what is whole, and what is only a part of its hour, which would look like a fall. */
import { areaPath, linePath, type Place } from './straight-path.ts';

export interface SparkPoint {
  /** Start of the bucket, in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  /** Whether all of the bucket lies in the range and in the past. */
  readonly isWhole: boolean;
}

/** The box that the paths are drawn in; it is stretched to the width that there is. */
export const SPARK = { width: 240, height: 48 } as const;
/** Room above and below, so that the line's own width is not cut off. */
const MARGIN = 2;

export interface SparkPaths {
  readonly area: string;
  /** Between buckets that are whole. */
  readonly whole: string;
  /** To and from a bucket that is only a part. */
  readonly part: string;
}

/** Paths of points in the order of time; all empty when there are less than two. */
export function sparkPaths(points: readonly SparkPoint[]): SparkPaths {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2)
    return { area: '', whole: '', part: '' };
  const most = Math.max(1, ...points.map(({ value }) => value));
  const placeOf = ({ at, value }: SparkPoint): Place => [
    ((at - first.at) / Math.max(1, last.at - first.at)) * SPARK.width,
    SPARK.height - MARGIN - (value / most) * (SPARK.height - 2 * MARGIN),
  ];
  const legs = points.slice(1).map((to, index) => [points[index] as SparkPoint, to] as const);
  const isWhole = ([from, to]: readonly [SparkPoint, SparkPoint]) => from.isWhole && to.isWhole;
  return {
    area: areaPath(points.map(placeOf), SPARK.height),
    whole: linePath(points.filter(({ isWhole }) => isWhole).map(placeOf)),
    part: legs
      .filter((leg) => !isWhole(leg))
      .map((leg) => linePath(leg.map(placeOf)))
      .join(''),
  };
}
