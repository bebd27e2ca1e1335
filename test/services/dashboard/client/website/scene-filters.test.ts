/** Checks the filters of a website's screens: from an address and back, and to the API, which knows every one of their fields. */
import { expect } from 'chai';
import {
  DIMENSIONS,
  type DimensionName,
  fieldOf,
} from '../../../../../services/dashboard/client/website/dimensions.ts';
import {
  type Filter,
  filterFields,
  filtersOf,
  filtersText,
  isWithout,
  MOST_FILTERS,
  OPERATORS,
  reachesOf,
  rowFilter,
  withFilter,
} from '../../../../../services/dashboard/client/website/scene-filters.ts';
import { eventRecord } from '../../../../support/query/event.ts';
import {
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

const filter = (dimension: DimensionName, value = 'x', more: Partial<Filter> = {}): Filter => ({
  dimension,
  operator: 'eq',
  value,
  of: 'session',
  ...more,
});

describe('the filters of a website', () => {
  it('come back from their own address, whatever the value is', () => {
    const values = ['/a?b=c&d', '"]', '=1+1', 'é\u202e', 'x'.repeat(2_048)];
    const all: Filter[] = [
      ...values.map((value) => filter('path', value)),
      filter('properties.plan', 'pro', { of: 'visitor' }),
      filter('country', '', { operator: 'missing' }),
      filter('browser', 'Firefox', { operator: 'not_contains', of: 'event' }),
    ];
    expect(filtersOf(filtersText(all))).to.deep.equal(all);
    expect(filtersText([])).to.equal(undefined);
  });

  it('leave out of an address what makes no sense, and read on', () => {
    const read = (text: unknown) => filtersOf(typeof text === 'string' ? text : JSON.stringify(text));
    expect(read('[[')).to.deep.equal([]);
    expect(read({ path: '/' })).to.deep.equal([]);
    expect(
      read([
        ['path', 'eq'],
        ['constructor', 'eq', 'x'],
        ['path', 'gt', '1'],
        7,
        ['path', 'eq', { a: 1 }],
        ['path', 'eq', '/'],
      ]),
    ).to.deep.equal([filter('path', '/')]);
    // A session's own property keeps sessions whole, whatever the address says.
    expect(read([['channel', 'eq', 'search', 'event']])).to.deep.equal([filter('channel', 'search')]);
    expect(read(Array.from({ length: 30 }, (_, index) => ['path', 'eq', `/${index}`]))).to.have.length(
      MOST_FILTERS,
    );
  });

  it('keep sessions unless they say otherwise, as the API is asked', () => {
    expect(filterFields([])).to.deep.equal({});
    expect(
      filterFields([
        filter('path', '/'),
        filter('path', '/', { of: 'event' }),
        filter('source', 'google.com'),
        rowFilter('country', null),
        filter('event', 'signup', { of: 'no_visitor' }),
        filter('channel', 'search', { of: 'no_session' }),
      ]),
    ).to.deep.equal({
      filters: [
        { field: 'path', op: 'eq', value: '/', of: 'session' },
        { field: 'path', op: 'eq', value: '/' },
        { field: 'session_source', op: 'eq', value: 'google.com' },
        { field: 'country', op: 'missing', of: 'session' },
        { not: { field: 'event_name', op: 'eq', value: 'signup', of: 'visitor' } },
        { not: { field: 'channel', op: 'eq', value: 'search' } },
      ],
    });
  });

  it('are added once', () => {
    const once = withFilter([], filter('path', '/'));
    expect(withFilter(once, filter('path', '/'))).to.equal(once);
    expect(withFilter(once, filter('path', '/b'))).to.have.length(2);
  });
});

/** What screens of a website ask with their filters, of every kind. */
const ASKED = [
  'summary_metrics',
  'summary',
  'page_details',
  'session_channels',
  'custom_events',
  'sessions',
  'profiles',
  'error_types',
  'web_vitals',
  'outbound_links',
  'goals',
];

describe('the dimensions of a website', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({
      log: [eventRecord({ at: '2025-04-02T09:00:00.000Z', path: '/' })],
      now: Date.parse('2025-04-02T10:00:00.000Z'),
    });
  });
  after(() => service.close());

  it('are fields by which the API filters what screens ask, with every operator and all that a filter may keep', async () => {
    const names = [...Object.keys(DIMENSIONS), 'properties.plan'] as DimensionName[];
    // Single events are kept by what every event may have; which lists it suits, their own datasets say.
    const wholes = names.flatMap((name) => reachesOf(name).map((of) => ({ name, of })));
    for (const { name, of } of wholes.filter((each) => each.of !== 'event')) {
      // Every question by one operator, and every operator in one question: neither depends on the other.
      const body = OPERATORS.map((operator) => ({
        parameters: operator === 'eq' && !isWithout(of) ? ASKED : ['sessions'],
        preset: 'last_7d',
        ...filterFields([filter(name, 'x', { operator, of })]),
      }));
      for (const call of body) {
        const { status, body: answer } = await service.call('/v1/query/compile?website_id=web_a', {
          method: 'POST',
          body: call,
        });
        const faults = JSON.stringify(answer).match(/"error":"[^"]*"/g) ?? [];
        expect([status, ...faults], `${name} (${fieldOf(name)}) of ${of}`).to.deep.equal([200]);
      }
    }
  });
});
