/** Random requests to the API, of which most reach a route, and many are wrong in one way. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { KEYS } from './test-organizations.ts';

/** One request. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Without a length, in two chunks. */
  readonly isChunked: boolean;
}

/** The day of the events that queries ask for. */
export const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };

const key = fc.constantFrom(
  ...[
    KEYS.all,
    KEYS.all,
    KEYS.all,
    KEYS.readOnly,
    KEYS.trackOnly,
    KEYS.shopOnly,
    KEYS.revoked,
    KEYS.unknown,
    '',
  ],
);
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'ü', '%', '__proto__', 'x'.repeat(3_000)),
);
const segment = fc.oneof(
  fc.constantFrom('web_shop', 'web_blog', 'absent', 'taken', '%zz', 'a%20b', '%C3%BC', 'x'.repeat(200)),
  oddText.map(encodeURIComponentOrNot),
);

function encodeURIComponentOrNot(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return 'lone';
  }
}

const COLLECTIONS = [
  'websites',
  'links',
  'flags',
  'goals',
  'funnels',
  'annotations',
  'api-keys',
  'integrations',
];
const collection = fc.constantFrom(...COLLECTIONS).map((name) => `/v1/${name}`);
const path = fc.oneof(
  collection,
  fc.tuple(collection, segment).map(([base, id]) => `${base}/${id}`),
  segment.map((slug) => `/${slug}`),
  fc.constantFrom(
    '/v1/query',
    '/v1/query/websites',
    '/v1/query/types',
    '/v1/query/compile',
    '/v1/nothing',
    '/v1/events/export',
  ),
);
const search = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom(
    '?website_id=web_shop',
    '?website_id=absent',
    '?limit=1',
    '?limit=x',
    '?search=a&search=b',
    '?cursor=!',
  ),
  oddText.map((text) => `?q=${encodeURIComponentOrNot(text)}`),
);

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.record({ name: oddText, domain: fc.constantFrom('a.example', 'no domain') }),
  fc.record({
    name: oddText,
    slug: fc.constantFrom('taken', 'a', '/'),
    targetUrl: fc.constantFrom('https://ü.example/é', 'x'),
  }),
  fc.record({ name: oddText, websiteId: fc.constantFrom('web_shop', 'absent'), properties: fc.jsonValue() }),
  fc.record({
    parameters: fc.constantFrom(['pages'], ['summary', 'pages'], ['nonsense'], []),
    ...constants(DAY),
  }),
);

function constants(values: Readonly<Record<string, string>>): Record<string, fc.Arbitrary<string>> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fc.constant(text)]));
}

const json = value.map((each) => Buffer.from(JSON.stringify(each) ?? ''));
const body: fc.Arbitrary<{ readonly bytes: Buffer | null; readonly headers: Record<string, string> }> =
  fc.oneof(
    { weight: 6, arbitrary: json.map((bytes) => ({ bytes, headers: {} })) },
    fc.constant({ bytes: null, headers: {} }),
    fc.constant({ bytes: Buffer.alloc(0), headers: {} }),
    json.map((bytes) => ({ bytes: gzipSync(bytes), headers: { 'content-encoding': 'gzip' } })),
    json.map((bytes) => ({ bytes, headers: { 'content-encoding': 'gzip' } })),
    json.map((bytes) => ({ bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]), headers: {} })),
    json.map((bytes) => ({ bytes: bytes.subarray(0, bytes.length - 1), headers: {} })),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ bytes: Buffer.from(bytes), headers: {} })),
    fc.integer({ min: 60_000, max: 1_500_000 }).map((length) => ({
      bytes: Buffer.from(JSON.stringify({ name: 'x'.repeat(length) })),
      headers: {},
    })),
    fc.constant({ bytes: Buffer.from('['.repeat(80) + ']'.repeat(80)), headers: {} }),
  );
const type = fc.constantFrom(
  ...[
    'application/json',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'text/csv',
    'application/json; charset=koi8-r',
  ],
);
const further: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { accept: 'text/csv' },
    { accept: 'application/x-ndjson' },
    { accept: 'nonsense' },
    { 'if-none-match': '*' },
    { 'if-match': '"1"' },
    { 'if-match': '"9"' },
    { 'accept-encoding': 'gzip' },
    { expect: '100-continue' },
    { cookie: 'a=b; c=d' },
    { te: 'trailers' },
    { origin: 'https://elsewhere.example' },
    { 'x-gateway-identity': 'forged' },
    { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0 Safari/537.36' },
  ),
);

const READS = ['GET', 'GET', 'GET', 'HEAD'];
const WRITES = ['POST', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];
/** What reads, and what writes; ingest and queries more often than chance would have it. */
const place = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...READS), path) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...WRITES), path) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('POST'), collection) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('POST'), fc.constant('/v1/query')) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('POST'),
      fc.constantFrom('/track', '/events', '/batch', '/identify', '/'),
    ),
  },
);

export const randomRequest: fc.Arbitrary<RandomRequest> = fc
  .record({ place, search, key, body, type, further, isChunked: fc.boolean() })
  .map(({ place: [method, path], search, key, body, type, further, isChunked }) => ({
    method,
    path: `${path}${search}`,
    headers: {
      ...(key !== '' && { 'x-api-key': key }),
      ...(!READS.includes(method) && body.bytes !== null && { 'content-type': type, ...body.headers }),
      ...further,
    },
    body: READS.includes(method) ? null : body.bytes,
    isChunked,
  }));
