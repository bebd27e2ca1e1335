/** Property: every dataset equals a naive evaluation of the same events, in every granularity and several zones. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { EventRecord } from '../../services/shared/model/event-record.ts';
import { eventRecord } from '../support/query/event.ts';
import { evaluateNaively, type NaiveRange } from '../support/query/naive-evaluation.ts';
import {
  datasetsOf,
  type StartedQueryService,
  startQueryService,
} from '../support/query/start-query-service.ts';

/** Days around changes of offset, of a zone without any, and around a turn of the year. */
const RANGES: readonly NaiveRange[] = [
  { zone: 'Europe/Berlin', startDate: '2025-03-29', endDate: '2025-03-31' },
  { zone: 'Europe/Berlin', startDate: '2024-10-26', endDate: '2024-10-28' },
  { zone: 'America/New_York', startDate: '2025-03-08', endDate: '2025-03-10' },
  { zone: 'America/New_York', startDate: '2024-11-02', endDate: '2024-11-04' },
  { zone: 'Australia/Lord_Howe', startDate: '2025-04-05', endDate: '2025-04-07' },
  { zone: 'Asia/Kathmandu', startDate: '2025-06-30', endDate: '2025-07-02' },
  { zone: 'UTC', startDate: '2024-12-30', endDate: '2025-01-02' },
];

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 48 * HALF_HOUR_MS;

/** Instants from a day before to two days after the range's dates, half of them at or right before a half hour. */
function instants({ startDate, endDate }: NaiveRange) {
  const from = Date.parse(startDate) - DAY_MS;
  const to = Date.parse(endDate) + 2 * DAY_MS;
  const steps = (to - from) / HALF_HOUR_MS;
  const edge = fc
    .tuple(fc.integer({ min: 0, max: steps }), fc.constantFrom(0, 1))
    .map(([step, before]) => from + step * HALF_HOUR_MS - before);
  return fc.oneof(edge, fc.integer({ min: from, max: to }));
}

const choice = <const T extends readonly (string | null)[]>(...values: T) => fc.constantFrom(...values);

function events(range: NaiveRange) {
  const fields = fc.record({
    timestamp: instants(range),
    is_bot: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    event_name: fc.constantFrom(
      'screen_view',
      'screen_view',
      'page_exit',
      'error',
      'signup',
      'purchase',
      'Ärger',
    ),
    anonymous_id: choice(null, '', 'v1', 'v2', 'v3', 'v4', 'v5'),
    session_id: choice(null, '', 's1', 's2', 's3', 's4', 's5', 's6', 's7'),
    // UTF-16 and UTF-8 order the last two differently.
    path: choice(null, '', '/', '/a', '/A', 'Unknown', '/～', '/😀'),
    referrer_group: choice(null, 'direct', 'search', 'campaign'),
    referrer_host: choice(null, '', 'google.com', 'own.example'),
    properties: choice(null, '{}', '{"plan":"pro"}', '{"plan":"free","n":1}', '{"plan":null}'),
  });
  return fc.array(fields, { minLength: 0, maxLength: 60 });
}

type Filter = { readonly field: string; readonly op: string; readonly value: string };

/** Filters with what they mean, said once more. */
const FILTERS: readonly [Filter | null, (event: EventRecord) => boolean][] = [
  [null, () => true],
  [{ field: 'path', op: 'eq', value: '/' }, (event) => event.path === '/'],
  [{ field: 'path', op: 'ne', value: '/' }, (event) => event.path !== '/'],
  [{ field: 'path', op: 'contains', value: 'n' }, (event) => event.path?.includes('n') === true],
  [{ field: 'path', op: 'not_contains', value: 'n' }, (event) => event.path?.includes('n') !== true],
  [{ field: 'path', op: 'starts_with', value: '/' }, (event) => event.path?.startsWith('/') === true],
  [
    { field: 'properties.plan', op: 'ne', value: 'pro' },
    (event) => JSON.parse(event.properties ?? '{}').plan !== 'pro',
  ],
];

const GRANULARITIES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
const OTHERS = ['summary_metrics', 'pages', 'traffic', 'custom_events', 'custom_events_summary'] as const;

describe('datasets and a naive evaluation', () => {
  let service: StartedQueryService;
  let runs = 0;
  before(async () => {
    service = await startQueryService({ log: [], now: 0 });
  });
  after(() => service.close());

  /** Each run has a website of its own, beside those of the runs before it. */
  async function newWebsite(): Promise<string> {
    runs += 1;
    const id = `web_run_${runs}`;
    const website = {
      id,
      organizationId: 'org_a',
      name: id,
      domain: `${id}.example`,
      isPublic: false,
      settings: {},
    };
    await service.documents.websites.insert(website);
    return id;
  }

  it('give exactly the same rows', async () => {
    const scenario = fc
      .constantFrom(...RANGES)
      .chain((range) =>
        fc.record({ range: fc.constant(range), log: events(range), filter: fc.constantFrom(...FILTERS) }),
      );
    await fc.assert(
      fc.asyncProperty(scenario, async ({ range, log, filter: [filter, passes] }) => {
        const websiteId = await newWebsite();
        const records = log.map(({ timestamp, ...fields }) =>
          eventRecord({ at: new Date(timestamp).toISOString(), website_id: websiteId, ...fields }),
        );
        await service.events.append(records);
        const body = {
          parameters: [
            ...GRANULARITIES.map((granularity) => ({ name: 'summary', id: granularity, granularity })),
            ...OTHERS,
          ],
          startDate: range.startDate,
          endDate: range.endDate,
          filters: filter ? [filter] : [],
        };
        const path = `/v1/query?website_id=${websiteId}&timezone=${range.zone}`;
        const answer = await service.call(path, { method: 'POST', body });
        const answered = Object.fromEntries(
          datasetsOf(answer).map(({ parameter, data }) => [parameter, data]),
        );
        expect(answered).to.deep.equal(evaluateNaively(records.filter(passes), range));
      }),
      { numRuns: 30 },
    );
  });
});
