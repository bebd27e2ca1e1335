/** What the cards ask for, and what they make of the answer: the last 24 hours to the millisecond, and each part that failed alone. */
import { expect } from 'chai';
import {
  batchOf,
  csvRow,
  isIncomplete,
  numbersOf,
} from '../../../../../../services/dashboard/client/screens/websites/card-numbers.ts';

const NOW = Date.parse('2026-11-23T10:20:30.456Z');
const OLD = '2026-01-01T00:00:00.000Z';

type Data = ReturnType<typeof dataset>[];

function dataset(parameter: string, data: Record<string, string | number>[], success = true) {
  return { parameter, success, data };
}

const answer = (data: Data) => ({
  results: [
    {
      queryId: 'web_1',
      data,
      meta: { parameters: [], total_parameters: 0, page: 1, limit: 1, filters_applied: 0, failed: 0 },
    },
  ],
});
const totals = (total_events: number) =>
  dataset('summary_metrics', [{ visitors: 2, pageviews: 5, total_events }]);
const hour = (timestamp: string, visitors = 1) => ({ date: '', timestamp, visitors });
const card = (data: Data) => {
  const found = numbersOf(answer(data), NOW).get('web_1');
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
  it('asks for exactly the last 24 hours of each website, by the hour of the zone', () => {
    const websites = [{ id: 'web_1', createdAt: OLD }];
    expect(batchOf({ websites, now: NOW, timezone: 'Europe/Berlin' })).to.deep.equal({
      method: 'POST',
      path: '/v1/query',
      body: [
        {
          id: 'web_1',
          websiteId: 'web_1',
          timezone: 'Europe/Berlin',
          startDate: '2026-11-22T10:20:30.456Z',
          endDate: '2026-11-23T10:20:30.456Z',
          limit: 1,
          parameters: [
            'summary_metrics',
            { name: 'summary', granularity: 'hourly' },
            'profiles',
            'custom_events_recent',
          ],
        },
      ],
    });
  });

  it('asks for all of the time only of a website that is new', () => {
    const websites = [
      { id: 'new', createdAt: new Date(NOW - 60_000).toISOString() },
      { id: 'old', createdAt: new Date(NOW - 25 * 3_600_000).toISOString() },
    ];
    const { body } = batchOf({ websites, now: NOW, timezone: 'UTC' });
    const names = (body as { parameters: unknown[] }[]).map(({ parameters }) => parameters.length);
    expect(names).to.deep.equal([5, 4]);
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
    const found = card([totals(9), dataset('summary', hours), ...lists(['2026-11-23T10:00:00.000Z'])]);
    expect(found.visitors).to.equal(2);
    expect(found.pageviews).to.equal(5);
    expect(found.hours?.map(({ value, isWhole }) => [value, isWhole])).to.deep.equal([
      [3, false],
      [4, true],
      [5, true],
      [6, false],
    ]);
    expect(isIncomplete(found)).to.equal(false);
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
      expect(card([totals(9), dataset('summary', []), ...data]).lastEvent).to.deep.equal(expected);
    });
  }

  it('tell a website that is silent from one that never had an event', () => {
    const ever = (total_events: number) => dataset('ever', [{ total_events }]);
    const none = [totals(0), dataset('summary', []), ...lists()];
    expect(card(none).lastEvent).to.equal('silent');
    expect(card([...none, ever(0)]).lastEvent).to.equal('never');
    expect(card([...none, ever(7)]).lastEvent).to.equal('silent');
  });

  for (const failing of ['summary_metrics', 'summary', 'profiles', 'custom_events_recent']) {
    it(`leave out what failed, and keep the rest: ${failing}`, () => {
      const whole = [
        totals(9),
        dataset('summary', [hour('2026-11-23T09:00:00.000Z')]),
        ...lists(['2026-11-23T09:00:00.000Z']),
      ];
      const found = card(
        whole.map((each) => (each.parameter === failing ? dataset(failing, [], false) : each)),
      );
      expect(isIncomplete(found)).to.equal(true);
      expect(found.visitors).to.equal(failing === 'summary_metrics' ? undefined : 2);
      expect(found.hours?.length).to.equal(failing === 'summary' ? undefined : 1);
    });
  }

  it('are a row of CSV, in which what is unknown is empty', () => {
    const website = { id: 'web_1', name: 'Shop', domain: 'shop.example.com' };
    const at = '2026-11-23T10:00:00.000Z';
    const found = card([totals(9), dataset('summary', []), ...lists([at])]);
    expect(csvRow(website, found)).to.deep.equal(['web_1', 'Shop', 'shop.example.com', 2, 5, at]);
    expect(csvRow(website, undefined)).to.deep.equal(['web_1', 'Shop', 'shop.example.com', null, null, null]);
  });
});
