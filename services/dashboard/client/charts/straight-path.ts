/** Straight lines between places as SVG paths. */

/** A point of the plot, in pixels. */
export type Place = readonly [number, number];

/** A line, with a gap where there is no place; a place alone is a point. */
export function linePath(places: readonly (Place | null)[]): string {
  return piecesOf(places)
    .map((piece) => `M${piece.join('L')}${piece.length === 1 ? 'Z' : ''}`)
    .join('');
}

/** What lies between the line and the ground, the height of zero. */
export function areaPath(places: readonly (Place | null)[], ground: number): string {
  return piecesOf(places)
    .map((piece) => `M${piece.join('L')}L${piece.at(-1)?.[0]},${ground}L${piece[0]?.[0]},${ground}Z`)
    .join('');
}

/** The places without gaps, as exact as they are seen. */
function piecesOf(places: readonly (Place | null)[]): readonly (readonly Place[])[] {
  const pieces: Place[][] = [[]];
  for (const place of places) {
    if (place === null) pieces.push([]);
    else pieces.at(-1)?.push([rounded(place[0]), rounded(place[1])]);
  }
  return pieces.filter(({ length }) => length > 0);
}

const rounded = (pixels: number): number => Math.round(pixels * 1_000) / 1_000;
