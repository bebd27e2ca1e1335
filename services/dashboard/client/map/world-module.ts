/** The projected map, which the build makes (services/dashboard/build/world-map.ts). */
declare module 'virtual:world' {
  export const world: {
    readonly width: number;
    readonly height: number;
    /** The ISO code (alpha-2) of each country, and its path, packed as by `packed-path.ts`. */
    readonly outlines: readonly string[];
    /** Countries too small for an outline: their codes and places. */
    readonly dots: readonly (readonly [string, number, number])[];
  };
}
