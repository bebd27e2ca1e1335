/** Funnels as they are asked for: groups, comparison, filters, over time, and definitions that are refused. */
import { expect } from 'chai';
import { expectError } from '../../../../support/query/expect-error.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';
import { event, page, visit } from '../../../../support/query/visits.ts';

const NOW = Date.parse('2025-04-02T10:00:00.000Z');
const MARCH = { startDate: '2025-03-01', endDate: '2025-03-31' };

const CART = page('/cart');
const PAY = page('/pay');
const PURCHASE = event('purchase');
/** Within an hour. */
const SHOP = { steps: [CART, PAY, PURCHASE], windowSeconds: 3_600 };

/** Rows as [visitors, conversion_rate, step_rate, dropped, median_seconds_from_previous]. */
const numbersOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map((row) => [
    row.visitors,
    row.conversion_rate,
    row.step_rate,
    row.dropped,
    row.median_seconds_from_previous,
  ]);

describe('a request for a funnel', () => {
  let service: StartedQueryService;
  const open = async (log: ReturnType<typeof visit>) => {
    service = await startQueryService({ log, now: NOW });
  };
  afterEach(() => service.close());

  const rows = async (given: object, request: object = {}, queryString = '') =>
    rowsOf(
      await service.query({ parameters: [{ name: 'funnel', ...given }], ...MARCH, ...request }, queryString),
    );

  it('groups visitors by what the event of their first step says, each group with every step', async () => {
    await open([
      ...visit('a', [['10T10:00:00', '/cart']], { country: 'DE' }),
      ...visit('a', [['10T10:00:10', '/pay']], { country: 'FR' }),
      ...visit('b', [['10T10:00:00', '/cart']], { country: 'FR' }),
      ...visit('c', [['10T10:00:00', '/cart']]),
    ]);
    const found = await rows({ steps: [CART, PAY] }, { groupBy: 'country' });
    expect(found.map((row) => [row.step, row.country, row.visitors, row.step_rate])).to.deep.equal([
      [1, 'DE', 1, 100],
      [1, 'FR', 1, 100],
      [1, 'Unknown', 1, 100],
      [2, 'DE', 1, 100],
      [2, 'FR', 0, 0],
      [2, 'Unknown', 0, 0],
    ]);
  });

  it('is compared step by step', async () => {
    await open([
      ...visit('before', [
        ['10T10:00:00', '/cart'],
        ['10T10:00:30', 'purchase'],
      ]),
      ...visit('then', [['11T10:00:00', '/cart']]),
    ]);
    const day = { startDate: '2025-03-11', endDate: '2025-03-11', compare: 'previous' };
    const found = await rows({ steps: [CART, PURCHASE] }, day);
    const step = (visitors: number, conversion_rate: number, step_rate: number, dropped: number) => ({
      visitors,
      conversion_rate,
      step_rate,
      dropped,
    });
    expect(found).to.deep.equal([
      {
        step: 1,
        name: '/cart',
        ...step(1, 100, 100, 0), // then
        median_seconds_from_previous: 0,
        previous: { ...step(1, 100, 100, 0), median_seconds_from_previous: 0 }, // before
      },
      {
        step: 2,
        name: 'purchase',
        ...step(0, 0, 0, 1),
        median_seconds_from_previous: 0,
        previous: { ...step(1, 100, 100, 0), median_seconds_from_previous: 30 },
      },
    ]);
  });

  it('keeps only what filters keep: events, or all events of visitors', async () => {
    await open([
      ...visit('a', [['10T10:00:00', '/cart']], { utm_source: 'news' }),
      ...visit('a', [['10T10:00:10', '/pay']]),
      ...visit('b', [['10T10:00:00', '/cart']]),
    ]);
    const news = { field: 'utm_source', op: 'eq', value: 'news' };
    const counts = async (filter: object) =>
      (await rows({ steps: [CART, PAY] }, { filters: [filter] })).map(({ visitors }) => visitors);
    expect(await counts(news)).to.deep.equal([1, 0]);
    expect(await counts({ ...news, of: 'visitor' })).to.deep.equal([1, 1]);
  });

  it('has a row for each step when nobody entered', async () => {
    await open([]);
    expect(numbersOf(await rows(SHOP))).to.deep.equal([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ]);
  });

  it('over time: each visitor in the bucket of the first step, in the timezone', async () => {
    await open([
      ...visit('a', [
        ['29T23:30:00', '/cart'], // the 30th in Berlin
        ['30T00:10:00', '/pay'],
      ]),
      ...visit('b', [['29T22:30:00', '/cart']]),
      ...visit('c', [
        ['31T10:00:00', '/cart'],
        ['31T10:00:30', '/pay'],
      ]),
    ]);
    const over = async (zone: string) =>
      rowsOf(
        await service.query(
          {
            parameters: [{ name: 'funnel_over_time', steps: [CART, PAY] }],
            startDate: '2025-03-29',
            endDate: '2025-03-31',
          },
          `&timezone=${zone}`,
        ),
      );
    const columns = 'date visitors converted conversion_rate median_seconds_to_convert'.split(' ');
    expect(Object.keys((await over('UTC'))[0] ?? {})).to.deep.equal(columns);
    expect((await over('UTC')).map((row) => Object.values(row))).to.deep.equal([
      ['2025-03-29', 2, 1, 50, 2_400],
      ['2025-03-30', 0, 0, 0, 0],
      ['2025-03-31', 1, 1, 100, 30],
    ]);
    expect((await over('Europe/Berlin')).map((row) => Object.values(row))).to.deep.equal([
      ['2025-03-29', 1, 0, 0, 0],
      ['2025-03-30', 1, 1, 100, 2_400],
      ['2025-03-31', 1, 1, 100, 30],
    ]);
  });

  it('refuses hostile definitions with the place of each fault', async () => {
    await open([]);
    const faults = async (given: object) =>
      expectError(
        await service.query({ parameters: [{ name: 'funnel', ...given }], ...MARCH }),
        400,
        'VALIDATION_ERROR',
      ).map(({ field }) => field);
    expect(await faults({})).to.deep.equal(['parameters[0].steps']);
    expect(await faults({ steps: [CART] })).to.deep.equal(['parameters[0].steps']);
    expect(await faults({ steps: Array(21).fill(CART) })).to.deep.equal(['parameters[0].steps']);
    expect(await faults({ steps: [CART, { ...PAY, foo: 1 }] })).to.deep.equal(['parameters[0].steps[1].foo']);
    expect(await faults({ ...SHOP, windowSeconds: 0 })).to.deep.equal(['parameters[0].windowSeconds']);
    expect(await faults({ ...SHOP, windowSeconds: 1e9 })).to.deep.equal(['parameters[0].windowSeconds']);
    expect(await faults({ ...SHOP, funnelId: 'fnl_1' })).to.include('parameters[0].funnelId');
    expect(await faults({ steps: [CART, page('(', 'matches')] })).to.deep.equal([
      'parameters[0].steps[1].match.value',
    ]);
    const [refused] = datasetsOf(
      await service.query({ parameters: [{ name: 'funnel', funnelId: 'fnl_1' }], ...MARCH }),
    );
    expect(refused?.error).to.equal('No website that is queried has the funnel "fnl_1".');
  });
});
