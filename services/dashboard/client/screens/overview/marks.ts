/** Which annotation stands at which bucket of a series. */
import { type BucketRow, lengthOf, periodOf } from '../../website/buckets.ts';
import { dayIn } from '../../website/calendar.ts';
import type { Scene } from '../../website/scene.ts';

export interface Mark {
  /** A day, or an instant. */
  readonly at: string;
  readonly text: string;
}

/** The texts at each bucket, several of one joined; undefined where there is none. */
export function marksOf(
  buckets: readonly BucketRow[],
  marks: readonly Mark[],
  scene: Pick<Scene, 'timezone' | 'granularity'>,
): readonly (string | undefined)[] {
  const texts = buckets.map((): string[] => []);
  for (const { at, text } of marks) {
    const index = buckets.findIndex((bucket) => holds(bucket, at, scene));
    // A day stands at its first hour that is shown.
    if (index >= 0) texts[index]?.push(text);
  }
  return texts.map((each) => (each.length === 0 ? undefined : each.join(' · ')));
}

function holds(
  { date, timestamp }: BucketRow,
  at: string,
  { timezone, granularity }: Pick<Scene, 'timezone' | 'granularity'>,
): boolean {
  const isDay = at.length === 10;
  if (timestamp === undefined) {
    const { first, last } = periodOf(date, granularity);
    const day = isDay ? at : dayIn(timezone, Date.parse(at));
    return day >= first && day <= last;
  }
  if (isDay) return date.startsWith(at);
  const since = Date.parse(at) - Date.parse(timestamp);
  return since >= 0 && since < lengthOf(granularity);
}
