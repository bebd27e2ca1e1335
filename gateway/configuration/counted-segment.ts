/** Finds the parameter that limits count: the only one of every path of an endpoint, at the same place in each. */

/** Its segment, from 0; undefined when the paths have none, several, or one at different places. */
export function countedSegment(paths: readonly string[]): number | undefined {
  const places = paths.map((path) =>
    path
      .split('/')
      .slice(1)
      .flatMap((segment, index) => (segment.startsWith(':') ? [index] : [])),
  );
  if (paths.some((path) => path.includes('*'))) return undefined;
  const [first] = places;
  const segment = first?.length === 1 ? first[0] : undefined;
  return places.every((place) => place.length === 1 && place[0] === segment) ? segment : undefined;
}
