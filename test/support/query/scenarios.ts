/** What property tests of queries generate: ranges and events. */
import fc from 'fast-check';
import { asked, type GivenArguments } from './asked-datasets.ts';
import type { NaiveRange } from './naive/calendar.ts';
import type { NaiveCompare } from './naive/compare.ts';
import { granularitiesOf, SERIES } from './naive/evaluate.ts';

/** Days around changes of offset, of a zone without any, and around a turn of the year. */
export const RANGES: readonly NaiveRange[] = [
  { zone: 'Europe/Berlin', startDate: '2025-03-29', endDate: '2025-03-31' },
  { zone: 'Europe/Berlin', startDate: '2024-10-26', endDate: '2024-10-28' },
  { zone: 'America/New_York', startDate: '2025-03-08', endDate: '2025-03-10' },
  { zone: 'America/New_York', startDate: '2024-11-02', endDate: '2024-11-04' },
  { zone: 'Australia/Lord_Howe', startDate: '2025-04-05', endDate: '2025-04-07' },
  { zone: 'Asia/Kathmandu', startDate: '2025-06-30', endDate: '2025-07-02' },
  { zone: 'UTC', startDate: '2024-12-30', endDate: '2025-01-02' },
  { zone: 'Europe/Berlin', startDate: '2025-03-30', endDate: '2025-03-30' },
  { zone: 'Europe/Berlin', startDate: '2024-10-27', endDate: '2024-10-27' },
  { zone: 'Australia/Lord_Howe', startDate: '2025-04-06', endDate: '2025-04-06' },
];

/** Ranges with what they are compared with: short and long days on either side, leap years, ends of months, other lengths. */
export const COMPARED: readonly { readonly range: NaiveRange; readonly compare: NaiveCompare }[] = [
  ...RANGES.map((range) => ({ range, compare: 'previous' as const })),
  { range: { zone: 'Europe/Berlin', startDate: '2025-03-31', endDate: '2025-03-31' }, compare: 'previous' },
  { range: { zone: 'Europe/Berlin', startDate: '2024-10-28', endDate: '2024-10-28' }, compare: 'previous' },
  {
    range: { zone: 'Australia/Lord_Howe', startDate: '2025-04-07', endDate: '2025-04-07' },
    compare: 'previous',
  },
  { range: { zone: 'Europe/Berlin', startDate: '2024-02-25', endDate: '2024-03-05' }, compare: 'year' },
  { range: { zone: 'Europe/Berlin', startDate: '2025-02-23', endDate: '2025-03-02' }, compare: 'year' },
  { range: { zone: 'America/New_York', startDate: '2025-03-08', endDate: '2025-03-10' }, compare: 'year' },
  { range: { zone: 'UTC', startDate: '2025-01-30', endDate: '2025-02-02' }, compare: 'previous' },
  {
    range: { zone: 'Europe/Berlin', startDate: '2025-03-29', endDate: '2025-03-31' },
    compare: { startDate: '2024-10-26', endDate: '2024-10-27' },
  },
  {
    range: { zone: 'UTC', startDate: '2025-01-30', endDate: '2025-02-01' },
    compare: { startDate: '2024-12-30', endDate: '2025-01-04' },
  },
];

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 48 * HALF_HOUR_MS;

/** Instants from a day before to two days after the range's dates, half of them at or right before a half hour. */
export function instants({ startDate, endDate }: NaiveRange) {
  const from = Date.parse(startDate) - DAY_MS;
  const to = Date.parse(endDate) + 2 * DAY_MS;
  const steps = (to - from) / HALF_HOUR_MS;
  const edge = fc
    .tuple(fc.integer({ min: 0, max: steps }), fc.constantFrom(0, 1))
    .map(([step, before]) => from + step * HALF_HOUR_MS - before);
  return fc.oneof(edge, fc.integer({ min: from, max: to }));
}

const choice = <const T extends readonly (string | null)[]>(...values: T) => fc.constantFrom(...values);
/** Missing half of the time, often the same; thousandths, so that the naive sums are exact. */
const number = (max: number) =>
  fc.option(
    fc.oneof(
      fc.constantFrom(0, 0.5, 2),
      fc.integer({ min: 0, max: max * 1000 }).map((thousandths) => thousandths / 1000),
    ),
    { freq: 1 },
  );
const whole = (max: number) => fc.option(fc.integer({ min: 0, max }), { freq: 1 });

/** Texts that engines may order, or read, differently: UTF-16 and UTF-8 order the first two the other way round. */
export const ODD_PATHS = {
  astral: ['/～', '/😀'],
  dollars: ['$path', '$$ROOT', '/$a.b'],
} as const;

/** Few values of each, so that groups, ties and empty texts come about; `paths` are some more. */
export function logs(range: NaiveRange, paths: readonly string[]) {
  const fields = fc.record({
    timestamp: instants(range),
    is_bot: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    event_name: fc.oneof(
      fc.constant('screen_view'),
      fc.constantFrom('page_exit', 'error', 'web_vitals', 'outgoing_link', 'link_click'),
      fc.constantFrom('signup', 'purchase', 'Ärger'),
    ),
    anonymous_id: choice(null, '', 'v1', 'v2', 'v3', 'v4', 'v5'),
    session_id: choice(null, '', 's1', 's2', 's3', 's4', 's5', 's6', 's7'),
    profile_id: choice(null, null, 'p1', 'p2'),
    title: choice(null, '', 'Start'),
    path: fc.constantFrom(null, '', '/', '/a', '/A', 'Unknown', ...paths),
    referrer: choice(null, '', 'https://google.com/', 'https://own.example/x'),
    referrer_group: choice(null, 'direct', 'search', 'campaign'),
    referrer_host: choice(null, '', 'google.com', 'own.example', 'perplexity.ai'),
    utm_source: choice(null, '', 'news', 'newsletter', 'google'),
    utm_medium: choice(null, 'cpc'),
    country: choice(null, '', 'DE', 'FR', 'AT', 'XX'),
    region: choice(null, 'Berlin'),
    city: choice(null, 'Berlin', 'Paris'),
    device_type: choice(null, 'mobile', 'desktop'),
    browser_name: choice(null, '', 'Safari', 'Chrome'),
    browser_version: choice(null, '17', '120'),
    os_name: choice(null, 'iOS'),
    timezone: choice(null, 'UTC'),
    namespace: choice(null, '', 'growth'),
    source: choice(null, 'web'),
    properties: choice(
      null,
      '{}',
      '{"plan":"pro"}',
      '{"plan":"free","n":1}',
      '{"plan":null}',
      '{"n":2.5,"currency":"EUR"}',
      '{"n":1.5,"":"","a/b":["x",{"y":null}],"t":true}',
    ),
    time_on_page: number(100),
    scroll_depth: number(100),
    interaction_count: whole(2),
    load_time: number(5000),
    ttfb: number(500),
    metric_name: choice(null, 'LCP', 'CLS'),
    metric_value: fc.oneof(number(3), fc.constantFrom(0.1, 0.25, 2500, 4000, 4001)),
    message: choice(null, '', 'boom', 'bang'),
    error_type: choice(null, 'TypeError'),
    lineno: whole(2),
    colno: whole(2),
    link_id: choice(null, '', 'lnk_1', 'lnk_2'),
    href: choice(
      null,
      'https://a.example/x',
      'http://u:p@a.example:8080',
      'HTTPS://B.example?q',
      'mailto:x@y.example',
    ),
    text: choice(null, '', 'More'),
  });
  return fc.oneof(
    { weight: 3, arbitrary: fc.array(fields, { minLength: 40, maxLength: 100 }) },
    { weight: 1, arbitrary: fc.array(fields, { maxLength: 10 }) },
  );
}

/** These datasets with their arguments, a series once for each granularity that the range may have. */
export function parametersOf(
  names: readonly string[],
  range: NaiveRange,
  given: GivenArguments,
): (string | object)[] {
  const series: readonly string[] = SERIES;
  return names.flatMap((name): (string | object)[] =>
    series.includes(name)
      ? granularitiesOf(range).map((granularity) => ({
          ...given[name],
          name,
          granularity,
          id: `${name}:${granularity}`,
        }))
      : [asked(name, given)],
  );
}
