/** What the cards ask for, and what they make of the answer: one range for all websites of a page, and each part that failed alone. */
import { expect } from 'chai';
import {
  batchOf,
  CSV_COLUMNS,
  cardRangeOf,
  csvRow,
  isIncomplete,
  numbersOf,
  organizationOf,
  PAGE,
} from '../../../../../../services/dashboard/client/screens/websites/card-numbers.ts';
import { DATASETS_BY_NAME } from '../../../../../../services/query/datasets/index.ts';

const NOW = Date.parse('2026-11-23T10:20:30.456Z');
const OLD = '2026-01-01T00:00:00.000Z';

type Data = ReturnType<typeof dataset>[];
type Row = Record<string, string | number | object | null>;
type Asked = { parameters: (string | { name: string })[] };

function dataset(parameter: string, data: Row[], success = true) {
  return { parameter, success, data };
}

const OF_ALL = ['summary_metrics', 'website_totals', 'website_lines'];
/** The answer to a batch about web_1, of which some datasets are about all websites. */
const answer = (data: Data) => ({
  results: [
    ...OF_ALL.map((name) => ({ data: data.filter(({ parameter }) => parameter === name) })),
    { queryId: 'web_1', data: data.filter(({ parameter }) => !OF_ALL.includes(parameter)) },
  ].map(({ data, ...rest }) => ({
    ...rest,
    data: data.map((each) => (each.parameter === 'ever' ? { ...each, parameter: 'summary_metrics' } : each)),
  })),
});
const totals = (total_events: number) =>
  dataset('website_totals', [
    { website_id: 'web_0', visitors: 8, pageviews: 9, total_events: 0, previous: null },
    { website_id: 'web_1', visitors: 2, pageviews: 5, total_events, previous: { visitors: 1, pageviews: 4 } },
  ]);
const hour = (timestamp: string, visitors = 1) => ({
  website_id: 'web_1',
  date: timestamp.slice(0, 19).replace('T', ' '),
  timestamp,
  visitors,
});
const card = (data: Data) => {
  const found = numbersOf(answer(data), NOW, '2026-11-23').get('web_1');
  if (!found) throw new Error('no card');
  return found;
};
const lists = (last: string[] = [], custom: string[] = []) => [
  dataset(
    'profiles',
    last.map((last_visit) => ({ last_visit })),
  ),
  dataset(
    'custom_events_recent',
    custom.map((timestamp) => ({ timestamp })),
  ),
];

describe('the batch of the cards', () => {
  const asked = (range = cardRangeOf(undefined)) => {
    const websites = [
      { id: 'old', createdAt: OLD },
      { id: 'new', createdAt: new Date(NOW - 25 * 3_600_000).toISOString() },
    ];
    return batchOf({ websites, range, now: NOW, timezone: 'Europe/Berlin' });
  };

  it('asks once for the numbers of all, and of each website for the latest alone', () => {
    const shared = { timezone: 'Europe/Berlin', preset: 'last_24h' };
    const filters = [{ field: 'website_id', op: 'in', value: ['old', 'new'] }];
    const parameters = ['profiles', 'custom_events_recent'];
    expect(asked()).to.deep.equal({
      method: 'POST',
      path: '/v1/query',
      body: [
        { ...shared, compare: 'previous', parameters: ['summary_metrics'] },
        { ...shared, compare: 'previous', filters, parameters: ['website_totals'] },
        { ...shared, filters, granularity: 'hourly', parameters: ['website_lines'] },
        { ...shared, id: 'old', websiteId: 'old', limit: 1, parameters },
        { ...shared, id: 'new', websiteId: 'new', limit: 1, parameters },
      ],
    });
  });

  it('asks by the day for more than a day, and for all of the time only of a website that is newer', () => {
    const body = asked('last_7d').body as (Asked & { granularity?: string; preset: string })[];
    expect(body.map(({ preset }) => preset)).to.deep.equal(Array(5).fill('last_7d'));
    expect(body[2]?.granularity).to.equal('daily');
    expect(body.map(({ parameters }) => parameters.length)).to.deep.equal([1, 1, 1, 2, 3]);
  });

  it('is one that the API takes, also of a full page, of datasets that there are', () => {
    const websites = Array.from({ length: PAGE }, (_, index) => ({ id: `web_${index}`, createdAt: OLD }));
    const { body } = batchOf({ websites, range: 'last_30d', now: NOW, timezone: 'UTC' });
    expect(body).to.have.length(50);
    const names = (asked('last_7d').body as Asked[]).flatMap(({ parameters }) => parameters);
    for (const name of names) {
      expect(DATASETS_BY_NAME.has(typeof name === 'string' ? name : name.name), String(name)).to.equal(true);
    }
  });

  it('is about the last 24 hours where the address names no range of the cards', () => {
    expect([undefined, 'all', 'last_7d', '__proto__'].map(cardRangeOf)).to.deep.equal([
      'last_24h',
      'last_24h',
      'last_7d',
      'last_24h',
    ]);
  });
});

describe('the totals of the organization', () => {
  it('are those of its own answer, and unknown when that failed', () => {
    const data = {
      visitors: 3,
      pageviews: 7,
      sessions: 4,
      previous: { visitors: 1, pageviews: 2, sessions: 0 },
    };
    expect(organizationOf(answer([dataset('summary_metrics', [data])]))).to.deep.equal([
      { now: 3, before: 1 },
      { now: 7, before: 2 },
      { now: 4, before: 0 },
    ]);
    const ever = dataset('ever', [{ visitors: 9 }]);
    expect(organizationOf(answer([dataset('summary_metrics', [], false), ever]))).to.equal(undefined);
  });
});

describe('the numbers of a card', () => {
  it('are those of the answer, and the hours that the range cuts are no whole ones', () => {
    const hours = [
      hour('2026-11-22T10:00:00.000Z', 3),
      hour('2026-11-22T11:00:00.000Z', 4),
      hour('2026-11-23T09:00:00.000Z', 5),
      hour('2026-11-23T10:00:00.000Z', 6),
    ];
    const found = card([totals(9), dataset('website_lines', hours), ...lists(['2026-11-23T10:00:00.000Z'])]);
    expect(found.visitors).to.deep.equal({ now: 2, before: 1 });
    expect(found.pageviews).to.deep.equal({ now: 5, before: 4 });
    expect(found.line?.map(({ value, isWhole }) => [value, isWhole])).to.deep.equal([
      [3, false],
      [4, true],
      [5, true],
      [6, false],
    ]);
    expect(isIncomplete(found)).to.equal(false);
  });

  it('draw the day that runs as no whole one', () => {
    const days = ['2026-11-22', '2026-11-23'].map((date) => ({ website_id: 'web_1', date, visitors: 1 }));
    const other = { website_id: 'web_0', date: '2026-11-22', visitors: 7 };
    const found = card([totals(9), dataset('website_lines', [other, ...days]), ...lists()]);
    expect(found.line).to.deep.equal([
      { date: '2026-11-22', at: Date.parse('2026-11-22'), value: 1, isWhole: true },
      { date: '2026-11-23', at: Date.parse('2026-11-23'), value: 1, isWhole: false },
    ]);
  });

  const moments: [string, Data, unknown][] = [
    [
      'the later of a visitor',
      lists(['2026-11-23T09:00:00.000Z'], ['2026-11-23T08:00:00.000Z']),
      { at: '2026-11-23T09:00:00.000Z' },
    ],
    [
      'and of an event without one',
      lists(['2026-11-23T09:00:00.000Z'], ['2026-11-23T09:30:00.000Z']),
      { at: '2026-11-23T09:30:00.000Z' },
    ],
    ['unknown, though there were some', lists(), 'some'],
  ];
  for (const [name, data, expected] of moments) {
    it(`tell the last event: ${name}`, () => {
      expect(card([totals(9), dataset('website_lines', []), ...data]).lastEvent).to.deep.equal(expected);
    });
  }

  it('tell a website that is silent from one that never had an event', () => {
    const ever = (total_events: number) => dataset('ever', [{ total_events }]);
    const none = [totals(0), dataset('website_lines', []), ...lists()];
    expect(card(none).lastEvent).to.equal('silent');
    expect(card([...none, ever(0)]).lastEvent).to.equal('never');
    expect(card([...none, ever(7)]).lastEvent).to.equal('silent');
  });

  for (const failing of ['website_totals', 'website_lines', 'profiles', 'custom_events_recent']) {
    it(`leave out what failed, and keep the rest: ${failing}`, () => {
      const whole = [
        totals(9),
        dataset('website_lines', [hour('2026-11-23T09:00:00.000Z')]),
        ...lists(['2026-11-23T09:00:00.000Z']),
      ];
      const found = card(
        whole.map((each) => (each.parameter === failing ? dataset(failing, [], false) : each)),
      );
      expect(isIncomplete(found)).to.equal(true);
      expect(found.visitors?.now).to.equal(failing === 'website_totals' ? undefined : 2);
      expect(found.line?.length).to.equal(failing === 'website_lines' ? undefined : 1);
    });
  }

  it('are a row of CSV, in which what is unknown is empty', () => {
    const website = { id: 'web_1', name: 'Shop', domain: 'shop.example.com' };
    const at = '2026-11-23T10:00:00.000Z';
    const found = card([totals(9), dataset('website_lines', []), ...lists([at])]);
    expect(csvRow(website, found)).to.deep.equal(['web_1', 'Shop', 'shop.example.com', 2, 5, at, 1, 4]);
    expect(csvRow(website, undefined)).to.deep.equal([...Object.values(website), ...Array(5).fill(null)]);
    expect(CSV_COLUMNS).to.have.length(8);
  });
});
