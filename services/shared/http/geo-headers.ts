/**
 * The headers in which CDNs say where a client is. Both sides use this list: the gateway removes them from requests
 * that no trusted proxy sent, and tracking trusts what arrives.
 */

/** The headers of one CDN; those for region and city are tried in order. */
export interface GeoHeaders {
  readonly country: string;
  readonly region: readonly string[];
  readonly city: string;
}

/** Every supported CDN. `x-geo-*` is for those whose owner names the headers: Fastly, nginx, HAProxy. */
export const GEO_HEADERS: readonly GeoHeaders[] = [
  { country: 'cf-ipcountry', region: ['cf-region', 'cf-region-code'], city: 'cf-ipcity' },
  {
    country: 'cloudfront-viewer-country',
    region: ['cloudfront-viewer-country-region-name', 'cloudfront-viewer-country-region'],
    city: 'cloudfront-viewer-city',
  },
  {
    country: 'x-vercel-ip-country',
    region: ['x-vercel-ip-country-region'],
    city: 'x-vercel-ip-city',
  },
  { country: 'x-appengine-country', region: ['x-appengine-region'], city: 'x-appengine-city' },
  { country: 'x-geo-country', region: ['x-geo-region'], city: 'x-geo-city' },
];

const NAMES: ReadonlySet<string> = new Set(
  GEO_HEADERS.flatMap(({ country, region, city }) => [country, ...region, city]),
);

/** Whether a header says where a client is; `name` in lower case, with `-` for `_`. */
export function isGeoHeader(name: string): boolean {
  return NAMES.has(name);
}
