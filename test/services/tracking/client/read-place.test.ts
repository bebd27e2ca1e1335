/** Country, region and city by the headers of CDNs. */
import { expect } from 'chai';
import { readPlace } from '../../../../services/tracking/client/read-place.ts';

type Told = [country: string | null, region: string | null, city: string | null];
const NOWHERE: Told = [null, null, null];

const CASES: [string, Record<string, string>, Told][] = [
  ['is nowhere without headers', {}, NOWHERE],
  [
    'is as Cloudflare says',
    { 'cf-ipcountry': 'US', 'cf-region': 'Texas', 'cf-region-code': 'TX', 'cf-ipcity': 'Austin' },
    ['US', 'Texas', 'Austin'],
  ],
  [
    'takes the code of a region without name',
    { 'cf-ipcountry': 'US', 'cf-region-code': 'TX' },
    ['US', 'TX', null],
  ],
  [
    'is as CloudFront says',
    {
      'cloudfront-viewer-country': 'DE',
      'cloudfront-viewer-country-region': 'HE',
      'cloudfront-viewer-country-region-name': 'Hesse',
      'cloudfront-viewer-city': 'Frankfurt%20am%20Main',
    },
    ['DE', 'Hesse', 'Frankfurt am Main'],
  ],
  [
    'is as Vercel says',
    {
      'x-vercel-ip-country': 'BR',
      'x-vercel-ip-country-region': 'SP',
      'x-vercel-ip-city': 'S%C3%A3o%20Paulo',
    },
    ['BR', 'SP', 'São Paulo'],
  ],
  [
    'is as App Engine says',
    { 'x-appengine-country': 'FR', 'x-appengine-region': 'idf', 'x-appengine-city': 'paris' },
    ['FR', 'idf', 'paris'],
  ],
  [
    'is as the owner of a proxy says',
    { 'x-geo-country': 'JP', 'x-geo-region': 'Tokyo', 'x-geo-city': 'Shibuya' },
    ['JP', 'Tokyo', 'Shibuya'],
  ],
  ['has its country in upper case', { 'cf-ipcountry': 'gb' }, ['GB', null, null]],
  [
    'reads UTF-8 that came as latin1',
    { 'cf-ipcountry': 'DE', 'cf-ipcity': 'M\u00c3\u00bcnchen' },
    ['DE', null, 'München'],
  ],
  ['keeps latin1', { 'cf-ipcountry': 'DE', 'cf-ipcity': 'M\u00fcnchen' }, ['DE', null, 'München']],
  [
    'keeps a lone percent sign',
    { 'cf-ipcountry': 'DE', 'cf-ipcity': '100% Town' },
    ['DE', null, '100% Town'],
  ],
  [
    'keeps a comma',
    { 'cf-ipcountry': 'US', 'cf-ipcity': 'Washington, D.C.' },
    ['US', null, 'Washington, D.C.'],
  ],
  [
    'loses NUL and control characters',
    { 'cf-ipcountry': 'US', 'cf-ipcity': '%00New%0d%0aYork%1b' },
    ['US', null, 'New York'],
  ],
  ['loses blanks around a name', { 'cf-ipcountry': 'US', 'cf-ipcity': '  %20 ' }, ['US', null, null]],
  [
    'cuts a name at 128 characters',
    { 'cf-ipcountry': 'US', 'cf-ipcity': 'x'.repeat(129) },
    ['US', null, 'x'.repeat(128)],
  ],
  [
    'leaves no half of a character where it cuts',
    { 'cf-ipcountry': 'US', 'cf-ipcity': `${'x'.repeat(127)}%F0%9F%8F%99` },
    ['US', null, `${'x'.repeat(127)}\uFFFD`],
  ],
  [
    'is nowhere where the region is known and the country is not',
    { 'cf-region': 'Texas', 'cf-ipcity': 'Austin' },
    NOWHERE,
  ],
  [
    'knows no region of names such as XX and ?',
    { 'x-appengine-country': 'US', 'x-appengine-region': '?', 'x-appengine-city': 'unknown' },
    ['US', null, null],
  ],
  [
    'takes all of it from one CDN',
    { 'cf-ipcountry': 'US', 'x-geo-country': 'US', 'x-geo-city': 'Nowhere' },
    ['US', null, null],
  ],
  [
    'is nowhere when two CDNs differ',
    { 'cf-ipcountry': 'US', 'cf-ipcity': 'Austin', 'x-geo-country': 'DE' },
    NOWHERE,
  ],
  ...[
    'XX',
    'T1',
    'ZZ',
    'xx',
    'A1',
    'EU',
    'AP',
    '',
    'U',
    'USA',
    'U1',
    'US, DE',
    'ÄÖ',
    'United States',
    '%55%53',
  ].map((code): [string, Record<string, string>, Told] => [
    `is nowhere for the country ${JSON.stringify(code)}`,
    { 'cf-ipcountry': code, 'cf-region': 'Texas', 'cf-ipcity': 'Austin' },
    NOWHERE,
  ]),
];

describe('The place of a client', () => {
  for (const [name, headers, expected] of CASES) {
    it(name, () => {
      const { country, region, city } = readPlace(headers);
      expect([country, region, city]).to.deep.equal(expected);
    });
  }
});
