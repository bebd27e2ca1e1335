/** On MongoDB, filters that pipelines do not have are refused with their places, whether a query runs or is compiled. */
import { expect } from 'chai';
import { expectError } from '../../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import { openMingoEvents } from '../../../support/query/pipeline-events.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const docs = { field: 'path', op: 'eq', value: '/docs' };

describe('filters over pipelines', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({
      log: GOLDEN_LOG,
      now: GOLDEN_NOW,
      openEvents: async () => openMingoEvents(),
    });
  });
  after(() => service.close());

  const cases: readonly [string, object, string][] = [
    ['a filter of sessions', { ...docs, of: 'session' }, 'of'],
    ['a filter of visitors', { ...docs, of: 'visitor' }, 'of'],
    ['a group', { any: [docs] }, 'any'],
    ['a complement', { not: docs }, 'not'],
    ['missing', { field: 'path', op: 'missing' }, 'op'],
    ['matches', { field: 'path', operator: 'matches', value: 'a' }, 'op'],
    ['a comparison', { field: 'load_time', op: 'gt', value: 1 }, 'op'],
    ['a number', { field: 'load_time', op: 'eq', value: 1 }, 'field'],
    ['a host', { field: 'referrer_host', op: 'eq', value: 'google.com' }, 'field'],
    ['an entry page', { field: 'entry_path', op: 'eq', value: '/' }, 'field'],
  ];
  for (const [what, filter, part] of cases) {
    it(`refuses ${what}, and says that it needs the embedded store`, async () => {
      const request = { parameters: ['pages'], ...MARCH, filters: [docs, filter] };
      const compile = '/v1/query/compile?website_id=web_a';
      for (const [answer, prefix] of [
        [await service.query(request), ''],
        [await service.query([{ ...request, filters: [docs] }, request]), '[1].'],
        [await service.call(compile, { method: 'POST', body: request }), ''],
      ] as const) {
        const details = expectError(answer, 400, 'VALIDATION_ERROR');
        expect(details.map(({ field }) => field)).to.deep.equal([`${prefix}filters[1].${part}`]);
        expect(details[0]?.message).to.match(/^Needs the embedded event store: /);
      }
    });
  }

  it('answers single filters of events, on the new fields of texts too', async () => {
    for (const filter of [docs, { ...docs, of: 'event' }, { field: 'session_id', op: 'eq', value: 's3' }]) {
      const answer = await service.query({ parameters: ['pages'], ...MARCH, filters: [filter] });
      expect(rowsOf(answer)).to.deep.include({ path: '/docs', pageviews: 1, visitors: 1 });
    }
    const filters = [{ field: 'visitor_id', op: 'eq', value: 'v3' }];
    const answer = await service.query({ parameters: ['summary_metrics'], ...MARCH, filters });
    expect(rowsOf(answer)[0]).to.include({ total_events: 3, sessions: 2 });
  });
});
