/** The projected map, which the build makes (services/dashboard/build/world-map.ts). */
declare module 'virtual:world' {
  export const world: {
    readonly width: number;
    readonly height: number;
    /** The path of each country by its ISO code (alpha-2), as SVG writes it. */
    readonly outlines: readonly (readonly [string, string])[];
    /** Countries too small for an outline: their codes and places. */
    readonly dots: readonly (readonly [string, number, number])[];
  };
}
