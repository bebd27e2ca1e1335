/** Filters over the golden log: every operator, literal texts, missing values, properties; and what is refused. */
import { expect } from 'chai';
import { describeOnEngines } from '../../support/query/engines.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { datasetsOf, rowsOf, type StartedQueryService } from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };

/** [field, operator, value, events of 15 that pass]; two events have no path, twelve no country. */
const CASES: readonly [string, string, unknown, number][] = [
  ['path', 'eq', '/', 7],
  ['path', 'ne', '/', 8],
  ['path', 'in', ['/', '/docs'], 8],
  ['path', 'in', '/docs', 1],
  ['path', 'in', [], 0],
  ['path', 'not_in', ['/', '/docs'], 7],
  ['path', 'notIn', ['/', '/docs'], 7],
  ['path', 'not_in', '/docs', 14],
  ['path', 'not_in', [], 15],
  ['path', 'contains', 'o', 3],
  ['path', 'like', 'o', 3],
  ['path', 'not_contains', 'o', 12],
  ['path', 'starts_with', '/p', 3],
  // Texts are literal and case counts.
  ['path', 'contains', '%', 1],
  ['path', 'contains', '_', 1],
  ['path', 'starts_with', '%', 0],
  ['path', 'like', '/%', 0],
  ['path', 'contains', 'PRICING', 0],
  ['path', 'eq', "' OR 1=1 --", 0],
  // A missing value differs from every text.
  ['country', 'eq', 'DE', 3],
  ['country', 'ne', 'DE', 12],
  ['country', 'not_in', ['DE'], 12],
  ['country', 'not_contains', 'D', 12],
  ['country', 'contains', '', 3],
  ['utm_source', 'eq', 'news', 2],
  // Properties: keys are literal, numbers are compared as text, null is missing.
  ['properties.plan', 'eq', 'pro', 2],
  ['properties.plan', 'ne', 'pro', 13],
  ['properties.plan', 'in', ['pro', 'free'], 3],
  ['properties.plan', 'starts_with', 'p', 2],
  ['properties.seats', 'eq', 3, 1],
  ['properties.price', 'eq', '10.5', 1],
  ['properties.gift', 'contains', '', 0],
  ['properties.a.b', 'eq', 'dotted', 1],
  ['properties.a/b', 'eq', 'slashed', 1],
  ['properties.$.plan', 'eq', 'dollar', 1],
  ["properties.plan') = 'x' OR 1=1 --", 'eq', 'pro', 0],
];

describeOnEngines('filters', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });

  for (const [field, op, value, expected] of CASES) {
    it(`${field} ${op} ${JSON.stringify(value)} keeps ${expected} of 15 events`, async () => {
      const filters = [{ field, op, value }];
      const answer = await service.query({ parameters: ['summary_metrics'], ...MARCH, filters });
      expect(rowsOf(answer)[0]).to.include({ total_events: expected });
    });
  }

  it('all hold at once', async () => {
    const filters = [
      { field: 'path', op: 'eq', value: '/pricing' },
      { field: 'country', op: 'ne', value: 'DE' },
    ];
    const answer = await service.query({ parameters: ['summary_metrics'], ...MARCH, filters });
    expect(rowsOf(answer)[0]).to.include({ total_events: 1 });
    expect(answer.body.meta).to.include({ filters_applied: 2 });
  });

  it('event_name, namespace and source act on datasets of custom events', async () => {
    const filters = [
      { field: 'event_name', op: 'eq', value: 'signup' },
      { field: 'namespace', op: 'eq', value: 'growth' },
      { field: 'source', op: 'ne', value: 'backend' },
    ];
    const answer = await service.query({ parameters: ['custom_events_summary'], ...MARCH, filters });
    expect(rowsOf(answer)).to.deep.equal([
      { total_events: 1, unique_event_types: 1, unique_users: 1, unique_sessions: 1, unique_pages: 1 },
    ]);
  });

  it('a field that a dataset does not have fails that dataset alone, with the allowed fields', async () => {
    const filters = [{ field: 'event_name', op: 'eq', value: 'signup' }];
    const answer = await service.query({ parameters: ['pages', 'custom_events'], ...MARCH, filters });
    const [known, refused] = datasetsOf(answer);
    expect(known).to.include({ parameter: 'custom_events', success: true });
    expect(known?.data).to.have.length(1);
    expect(refused).to.deep.equal({
      parameter: 'pages',
      success: false,
      data: [],
      error:
        'The dataset "pages" has no filter field "event_name"; it allows path, query_string, referrer, country, region, city, timezone, language, device_type, browser_name, os_name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, website_id, properties.<key>, referrer_host, referrer_group, href_host, visitor_id, entry_path, exit_path, channel, session_source, session_referrer, session_utm_source, session_utm_medium, session_utm_campaign, session_utm_term, session_utm_content, hostname, browser_version, os_version, screen_resolution, session_id, profile_id, stack, time_on_page, scroll_depth, interaction_count, page_count, load_time, ttfb, dom_ready_time, render_time, metric_value, lineno, colno.',
    });
  });

  for (const field of [
    'anonymous_id',
    'organization_id',
    'is_bot',
    'properties',
    'properties.',
    '1=1 OR path',
  ]) {
    it(`refuses the field ${field}`, async () => {
      const filters = [{ field, op: 'eq', value: 'x' }];
      const answer = await service.query({ parameters: ['pages'], ...MARCH, filters });
      expect(datasetsOf(answer)[0]).to.include({ success: false });
    });
  }
});
