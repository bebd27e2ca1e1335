/** Revenue over a log written by hand: currencies, numbers and texts, groups, and over time. */
import { expect } from 'chai';
import { eventRecord } from '../../../../support/query/event.ts';
import { expectError } from '../../../../support/query/expect-error.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

const bought = (at: string, anonymous_id: string, properties: object, country = 'DE', name = 'purchase') =>
  eventRecord({
    at: `2025-03-${at}:00:00Z`,
    event_name: name,
    anonymous_id,
    country,
    properties: JSON.stringify(properties),
  });

const LOG = [
  bought('10T10', 'a', { total: 19.99, currency: 'EUR' }),
  bought('10T11', 'a', { total: 0.01, currency: 'EUR' }, 'FR'),
  bought('12T10', 'b', { total: -5 }), // a refund, of no currency
  bought('12T11', 'b', { total: 100, currency: 'USD' }),
  // No numbers.
  bought('12T12', 'c', { total: '12', currency: 'EUR' }),
  bought('12T13', 'c', { currency: 'EUR' }),
  bought('12T14', 'd', { total: 7, currency: 'EUR' }, 'DE', 'donation'),
];

const RANGE = { startDate: '2025-03-10', endDate: '2025-03-12' };
const PURCHASES = { type: 'event', match: { op: 'eq', value: 'purchase' } };

describe('the datasets of revenue', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG, now: Date.parse('2025-04-02T10:00:00Z') });
  });
  after(() => service.close());

  const ask = (given: object, request: object = {}) =>
    service.query({ parameters: [{ name: 'revenue', ...given }], ...RANGE, ...request });
  const rows = async (...asked: Parameters<typeof ask>) => rowsOf(await ask(...asked));

  it('has a row for each currency, so that it never adds up different ones', async () => {
    expect(await rows({ property: 'total', match: PURCHASES })).to.deep.equal([
      { currency: 'USD', revenue: 100, orders: 1, average_order: 100, visitors: 1 },
      { currency: 'EUR', revenue: 20, orders: 2, average_order: 10, visitors: 1 },
      { currency: 'Unknown', revenue: -5, orders: 1, average_order: -5, visitors: 1 },
    ]);
  });

  it('in one currency: counts events of it, and those that name none', async () => {
    expect(await rows({ property: 'total', match: PURCHASES, currency: 'EUR' })).to.deep.equal([
      { currency: 'EUR', revenue: 15, orders: 3, average_order: 5, visitors: 2 },
    ]);
    expect(await rows({ property: 'total', currency: 'EUR' })).to.deep.equal([
      { currency: 'EUR', revenue: 22, orders: 4, average_order: 5.5, visitors: 3 },
    ]);
  });

  it('groups by any field of events', async () => {
    const found = await rows({ property: 'total', currency: 'EUR' }, { groupBy: ['country', 'event_name'] });
    expect(found.map((row) => [row.country, row.event_name, row.revenue, row.orders])).to.deep.equal([
      ['DE', 'purchase', 14.99, 2],
      ['DE', 'donation', 7, 1],
      ['FR', 'purchase', 0.01, 1],
    ]);
  });

  it('over time, in one currency', async () => {
    const found = await rows({ name: 'revenue_over_time', property: 'total', currency: 'EUR' });
    expect(found).to.deep.equal([
      { date: '2025-03-10', revenue: 20, orders: 2, average_order: 10, visitors: 1 },
      { date: '2025-03-11', revenue: 0, orders: 0, average_order: 0, visitors: 0 },
      { date: '2025-03-12', revenue: 2, orders: 2, average_order: 1, visitors: 2 },
    ]);
  });

  it('refuses no property, a currency that is none, and a series without one', async () => {
    const fields = async (given: object) =>
      expectError(await ask(given), 400, 'VALIDATION_ERROR').map(({ field }) => field);
    expect(await fields({})).to.deep.equal(['parameters[0].property']);
    expect(await fields({ property: 'total', currency: 'euro' })).to.deep.equal(['parameters[0].currency']);
    expect(await fields({ name: 'revenue_over_time', property: 'total' })).to.deep.equal([
      'parameters[0].currency',
    ]);
    expect(await fields({ goalId: 'gol_1', currency: 'EUR' })).to.deep.equal(['parameters[0].currency']);
  });
});
