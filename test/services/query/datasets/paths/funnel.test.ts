/** Funnels over logs written by hand: order, repeats, instants, the end of the window, exclusion and matches. */
import { expect } from 'chai';
import { eventRecord } from '../../../../support/query/event.ts';
import {
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

const LOG = [
  // Takes every step, one after 10 seconds, one after 20.
  ...visit('all', [
    ['10T10:00:00', '/cart'],
    ['10T10:00:10', '/pay'],
    ['10T10:00:30', 'purchase'],
  ]),
  // Repeats steps: the first attempt gets furthest, and the earliest /pay after it counts.
  ...visit('repeats', [
    ['11T10:00:00', '/cart'],
    ['11T10:00:20', '/cart'],
    ['11T10:00:30', '/pay'],
    ['11T10:00:40', '/pay'],
  ]),
  // Pays before the cart: only the first step.
  ...visit('disordered', [
    ['12T10:00:00', '/pay'],
    ['12T10:00:10', 'purchase'],
    ['12T10:00:20', '/cart'],
  ]),
  // Exactly at the end of the window.
  ...visit('in_time', [
    ['13T10:00:00', '/cart'],
    ['13T10:10:00', '/pay'],
    ['13T11:00:00', 'purchase'],
  ]),
  // A millisecond after it.
  ...visit('late', [
    ['13T10:00:00', '/cart'],
    ['13T10:10:00', '/pay'],
    ['13T11:00:00.001', 'purchase'],
  ]),
  // Too late from the first cart, in time from the second.
  ...visit('second_try', [
    ['14T08:00:00', '/cart'],
    ['14T10:00:00', '/cart'],
    ['14T10:00:40', '/pay'],
  ]),
  // All at one instant: in the order of the steps.
  ...visit('at_once', [
    ['15T10:00:00', 'purchase'],
    ['15T10:00:00', '/pay'],
    ['15T10:00:00', '/cart'],
  ]),
  // Never enters.
  ...visit('never', [
    ['16T10:00:00', '/pay'],
    ['16T10:00:00', 'purchase'],
  ]),
  // Crawlers, nobody, another website and another month count for nothing.
  ...visit('crawler', [['10T10:00:00', '/cart']], { is_bot: true }),
  ...visit('', [['10T10:00:00', '/cart']]),
  ...visit('elsewhere', [['10T10:00:00', '/cart']], { website_id: 'web_b' }),
  eventRecord({ at: '2025-04-01T00:00:00.000Z', anonymous_id: 'april', path: '/cart' }),
];

/** Rows as [visitors, conversion_rate, step_rate, dropped, median_seconds_from_previous]. */
const numbersOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map((row) => [
    row.visitors,
    row.conversion_rate,
    row.step_rate,
    row.dropped,
    row.median_seconds_from_previous,
  ]);

describe('the dataset funnel', () => {
  let service: StartedQueryService;
  const open = async (log: ReturnType<typeof visit>) => {
    service = await startQueryService({ log, now: NOW });
  };
  afterEach(() => service.close());

  const rows = async (given: object, request: object = {}, queryString = '') =>
    rowsOf(
      await service.query({ parameters: [{ name: 'funnel', ...given }], ...MARCH, ...request }, queryString),
    );

  it('counts each visitor once, with the earliest attempt of those that got furthest', async () => {
    await open(LOG);
    expect(await rows(SHOP)).to.deep.equal([
      {
        step: 1,
        name: '/cart',
        visitors: 7, // all but never
        conversion_rate: 100,
        step_rate: 100,
        dropped: 0,
        median_seconds_from_previous: 0,
      },
      {
        step: 2,
        name: '/pay',
        visitors: 6, // not disordered
        conversion_rate: 85.71,
        step_rate: 85.71,
        dropped: 1,
        // 10 (all), 30 (repeats, from the first cart), 600, 600, 40 (second_try), 0 (at_once)
        median_seconds_from_previous: 35,
      },
      {
        step: 3,
        name: 'purchase',
        visitors: 3, // all, in_time, at_once
        conversion_rate: 42.86,
        step_rate: 50,
        dropped: 3,
        median_seconds_from_previous: 20, // of 0, 20, 3000
      },
    ]);
  });

  it('takes steps in any order when asked to, and names how many', async () => {
    await open(LOG);
    // disordered has all three within 20 s; never has two.
    const found = await rows({ ...SHOP, ordered: false });
    expect(found.map(({ name }) => name)).to.deep.equal(['1 of 3', '2 of 3', '3 of 3']);
    expect(found.map(({ visitors }) => visitors)).to.deep.equal([8, 8, 4]);
  });

  it('ends an attempt at an exclusion, which at the instant of a step comes before it', async () => {
    const cart = (id: string, ...more: [string, string][]) =>
      visit(id, [['10T10:00:00', '/cart'], ...more, ['10T10:01:00', '/pay']]);
    await open([
      ...cart('stays'),
      ...cart('leaves', ['10T10:00:30', '/logout']),
      ...cart('leaves_then', ['10T10:01:00', '/logout']),
      ...cart('left_before', ['10T10:00:00', '/logout']),
      ...cart('returns', ['10T10:00:30', '/logout'], ['10T10:00:40', '/cart']),
      ...visit('leaves_later', [
        ['10T10:00:00', '/cart'],
        ['10T10:01:00', '/pay'],
        ['10T10:02:00', '/logout'],
      ]),
    ]);
    const excluding = { steps: [CART, PAY], exclude: page('/logout') };
    const ordered = await rows(excluding);
    // leaves and leaves_then do not get to /pay.
    expect(ordered.map(({ visitors }) => visitors)).to.deep.equal([6, 4]);
    // In any order, who leaves gets one of two: the cart, or /pay after it.
    const anyOrder = await rows({ ...excluding, ordered: false });
    expect(anyOrder.map(({ visitors }) => visitors)).to.deep.equal([6, 4]);
  });

  it('takes what ends attempts for no step', async () => {
    await open(
      visit('v', [
        ['10T10:00:00', '/cart'],
        ['10T10:00:10', '/pay'],
      ]),
    );
    const found = await rows({ steps: [CART, page('/pay')], exclude: page('/p', 'starts_with') });
    expect(found.map(({ visitors }) => visitors)).to.deep.equal([1, 0]);
  });

  it('asks an event of its own for each step, and one that comes later', async () => {
    await open([
      ...visit('one_view', [['10T10:00:00', '/cart']]),
      ...visit('two_views', [
        ['10T10:00:00', '/cart'],
        ['10T10:00:05', '/cart'],
      ]),
      // Two events at one instant whose first matching step is the same are one.
      ...visit('same_instant', [
        ['10T10:00:00', '/cart'],
        ['10T10:00:00', '/cart'],
      ]),
      // The first of them matches a first step that the other does not.
      ...visit('two_at_once', [
        ['10T10:00:00', '/pay'],
        ['10T10:00:00', '/cart'],
      ]),
    ]);
    const twice = await rows({ steps: [CART, CART] });
    expect(numbersOf(twice)).to.deep.equal([
      [4, 100, 100, 0, 0],
      [1, 25, 25, 3, 5],
    ]);
    const anyPage = await rows({ steps: [page('/cart'), page('/', 'starts_with')] });
    expect(anyPage.map(({ visitors }) => visitors)).to.deep.equal([4, 2]); // two_views, two_at_once
    // In any order one view fills all steps that it matches.
    const filled = await rows({ steps: [page('/cart'), page('/', 'starts_with')], ordered: false });
    expect(filled.map(({ visitors }) => visitors)).to.deep.equal([4, 4]);
  });

  it('matches by every operator, and by properties', async () => {
    const bought = (id: string, properties: string) =>
      visit(id, [['10T10:00:00', 'purchase']], { properties });
    await open([
      ...bought('a', '{"plan":"pro","total":10}'),
      ...bought('b', '{"plan":"free","total":5.5}'),
      ...bought('c', '{"total":"10"}'),
      ...visit('d', [['10T10:00:00', '/blog/1']]),
    ]);
    const counts = async (match: object, conditions?: object[]) => {
      const step = { type: 'event', match, ...(conditions && { conditions }) };
      const [first] = await rows({ steps: [step, step] });
      return first?.visitors;
    };
    expect(await counts({ op: 'in', value: ['purchase', 'screen_view'] })).to.equal(4);
    expect(await counts({ op: 'contains', value: 'urch' })).to.equal(3);
    expect(await counts({ op: 'ends_with', value: 'chase' })).to.equal(3);
    expect(await counts({ op: 'ends_with', value: 'purchas' })).to.equal(0);
    expect(await counts({ op: 'matches', value: '^p.*e$' })).to.equal(3);
    const purchase = { op: 'eq', value: 'purchase' };
    const plan = 'properties.plan';
    expect(await counts(purchase, [{ field: plan, op: 'eq', value: 'pro' }])).to.equal(1);
    expect(await counts(purchase, [{ field: plan, op: 'missing' }])).to.equal(1);
    expect(await counts(purchase, [{ field: plan, op: 'ne', value: 'pro' }])).to.equal(2);
    // Texts are no numbers.
    expect(await counts(purchase, [{ field: 'properties.total', op: 'gt', value: 5 }])).to.equal(2);
    expect(
      await counts(purchase, [
        { field: 'properties.total', op: 'gt', value: 5 },
        { field: plan, op: 'present' },
      ]),
    ).to.equal(2);
    const [blog] = await rows({ steps: [page('/blog/', 'starts_with'), page('/x')] });
    expect(blog?.visitors).to.equal(1);
  });
});
