/** The lines of a chart: of the range, and of the period that it is compared with. */
import { areaPath, linePath, type Place } from './straight-path.ts';

export interface ChartPoint {
  /** The bucket in full. */
  readonly label: string;
  /** The bucket as it stands below the axis. */
  readonly tick: string;
  /** Null: there is none, and the line has a gap, or ends before it. */
  readonly value: number | null;
  /** Why it is no whole bucket; it is drawn dashed. */
  readonly note?: string;
  /** The value of the bucket that it is compared with; null: there is none. Absent: nothing is compared. */
  readonly before?: number | null;
  /** Something that happened then, marked on the line. */
  readonly mark?: string;
}

interface BeforeProps {
  readonly points: readonly ChartPoint[];
  readonly place: (index: number, value: number) => Place;
}

/** The line of the period that is compared with; a gap where it has no bucket. */
export function Before({ points, place }: BeforeProps) {
  if (points.every(({ before }) => before == null)) return null;
  const places = points.map(({ before }, index) => (before == null ? null : place(index, before)));
  return <path class="line before" d={linePath(places)} />;
}

interface CurveProps {
  readonly places: readonly (Place | null)[];
  readonly points: readonly ChartPoint[];
  /** Height of zero. */
  readonly ground: number;
}

export function Curve({ places, points, ground }: CurveProps) {
  const isWhole = (index: number) => points[index]?.note === undefined;
  // A piece of the line is whole when both its ends are.
  const pieces: { places: Place[]; isWhole: boolean }[] = [];
  for (let index = 1; index < places.length; index++) {
    const [from, to] = [places[index - 1], places[index]];
    if (!from || !to) continue;
    const whole = isWhole(index - 1) && isWhole(index);
    const piece = pieces.at(-1);
    if (piece?.isWhole === whole && piece.places.at(-1) === from) piece.places.push(to);
    else pieces.push({ places: [from, to], isWhole: whole });
  }
  return (
    <>
      <path class="area" d={areaPath(places, ground)} />
      {pieces.map((piece) => (
        <path
          key={piece.places[0]?.[0]}
          class={piece.isWhole ? 'line' : 'line dashed'}
          d={linePath(piece.places)}
        />
      ))}
    </>
  );
}
