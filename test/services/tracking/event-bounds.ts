/** Values at, under and over the bound of every field of an event (datasets.md, The record of an event). */

const KB = 1024;
/** Text of `length` characters. */
export const x = (length: number) => 'x'.repeat(length);
const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]));
/** Properties whose JSON has `bytes` bytes. */
const propertiesOf = (bytes: number) => ({ k: x(bytes - '{"k":""}'.length) });
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

/** The clock of the fixture stands at this instant. */
export const NOW = Date.UTC(2026, 6, 15, 12);
export const HOUR = 3_600_000;

/** Values of a field. */
export interface Bounds {
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

function textBounds(most: number): Bounds {
  return { accepted: ['', x(most), 'é'.repeat(most)], refused: [x(most + 1), 7, true, {}, ['a']] };
}

function identifierBounds(most: number): Bounds {
  const { accepted, refused } = textBounds(most);
  return { accepted: [...accepted, '\u{1F600}'], refused: [...refused, 'a\0', 'a\ud800', '\ude00a'] };
}

function longTextBounds(kilobytes: number): Bounds {
  const most = kilobytes * KB;
  return { accepted: [x(most), 'é'.repeat(most / 2)], refused: [x(most + 1), `${'é'.repeat(most / 2)}x`, 7] };
}

const measureBounds: Bounds = { accepted: [0, 0.5, 1e9], refused: [-0.001, 1e9 + 1, '5', true, []] };
const countBounds: Bounds = { accepted: [0, 1, 1e9], refused: [-1, 1.5, 1e9 + 1, '5'] };
const sizeBounds: Bounds = {
  accepted: ['1920x1080', '1x1', ''],
  refused: ['1920', '1920*1080', 'axb', '123456x1', 5],
};

/** Bounds of datasets.md, "The record of an event". */
export const FIELDS: Readonly<Record<string, Bounds>> = {
  name: {
    accepted: ['a', x(256), ' a '],
    refused: ['', '   ', x(257), null, undefined, 7, {}, '\0', 'link_click'],
  },
  timestamp: {
    accepted: [
      Date.UTC(2000, 0, 1),
      NOW + HOUR,
      NOW - 0.5,
      '2000-01-01',
      '2000-01-01T00:00:00Z',
      '2026-07-15T13:00:00.000Z',
      '2026-07-15T15:00:00+02:00',
      '2026-07-15T12:00',
      '2026-07-15T23:00:00+14:00',
      '2026-07-14T22:00:00-1400',
    ],
    refused: [
      Date.UTC(2000, 0, 1) - 1,
      NOW + HOUR + 1,
      1_750_000_000,
      '1999-12-31T23:59:59.999Z',
      '2026-07-15T13:00:00.001Z',
      '2026-02-30',
      '2026-07-15T12:00:00+14:01',
      '2026-07-15T12:00:00+99:99',
      '2026-07-14T12:00:00-02:60',
      '2026-07-14T12:00:00-15:00',
      '2026-13-01T00:00:00Z',
      'yesterday',
      '',
      '15/07/2026',
      true,
      {},
    ],
  },
  anonymousId: identifierBounds(256),
  sessionId: identifierBounds(256),
  profileId: identifierBounds(128),
  eventId: identifierBounds(512),
  path: textBounds(2048),
  referrer: textBounds(2048),
  title: textBounds(512),
  utm_source: textBounds(256),
  utm_medium: textBounds(256),
  utm_campaign: textBounds(256),
  utm_term: textBounds(256),
  utm_content: textBounds(256),
  properties: {
    accepted: [{}, keys(50), propertiesOf(32 * KB), nested(32), { '': 1 }],
    refused: [keys(51), propertiesOf(32 * KB + 1), { k: 'é'.repeat(16 * KB) }, nested(33), [], 'a', 7],
  },
  namespace: textBounds(64),
  source: textBounds(64),
  anonymizeVisitorIds: { accepted: [true, false, 'auto'], refused: ['true', 1] },
  screen_resolution: sizeBounds,
  viewport_size: sizeBounds,
  timezone: textBounds(64),
  language: textBounds(35),
  time_on_page: measureBounds,
  scroll_depth: { accepted: [0, 33.3, 100], refused: [-1, 100.1, '50'] },
  interaction_count: countBounds,
  page_count: countBounds,
  load_time: measureBounds,
  ttfb: measureBounds,
  dom_ready_time: measureBounds,
  render_time: measureBounds,
  metricName: { accepted: ['FCP', 'LCP', 'CLS', 'INP', 'TTFB', 'FPS'], refused: ['fcp', 'FID', '', 1] },
  metricValue: { accepted: [0, -1, 0.01, 1e9], refused: ['1', 1e9 + 1] },
  message: longTextBounds(8),
  errorType: longTextBounds(8),
  filename: longTextBounds(8),
  stack: longTextBounds(32),
  lineno: countBounds,
  colno: countBounds,
  href: textBounds(2048),
  text: textBounds(256),
};

/** A value in the words of a test's message. */
export function shown(value: unknown): string {
  const json = String(JSON.stringify(value));
  return json.length > 60 ? `${json.slice(0, 50)}… (${json.length} characters)` : json;
}
