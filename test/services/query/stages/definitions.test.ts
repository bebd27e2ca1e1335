/** Goals and funnels that arguments name by their id: of a website that is queried, and of that website alone. */
import { expect } from 'chai';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';
import { event, page, visit } from '../../../support/query/visits.ts';

const MARCH = { startDate: '2025-03-01', endDate: '2025-03-31' };

const LOG = [
  ...visit('a', [['10T10:00:00', '/cart']]),
  ...visit('a', [['10T10:00:20', 'purchase']], { properties: '{"total":12.5,"currency":"EUR"}' }),
  ...visit('b', [['11T10:00:00', '/cart']]),
  // The same on another website of the organization.
  ...visit('c', [['10T10:00:00', '/cart']], { website_id: 'web_b' }),
  ...visit('c', [['10T10:00:20', 'purchase']], { website_id: 'web_b', properties: '{"total":99}' }),
];

describe('goals and funnels in arguments', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG, now: Date.parse('2025-04-02T10:00:00Z') });
    const { goals, funnels } = service.documents;
    const common = { createdBy: 'usr_1' };
    const bought = { ...common, ...event('purchase'), type: 'event' as const };
    const goal = (id: string, websiteId: string, organizationId = 'org_a') => ({
      ...bought,
      id,
      organizationId,
      websiteId,
      name: id,
      match: { op: 'eq' as const, value: 'purchase' },
      revenueProperty: 'total',
      currency: 'EUR',
      position: '000001000',
    });
    await goals.insert(goal('gol_a', 'web_a'));
    await goals.insert(goal('gol_b', 'web_b'));
    await goals.insert(goal('gol_c', 'web_c', 'org_b'));
    await goals.insert({ ...goal('gol_worthless', 'web_a'), revenueProperty: null, currency: null });
    await funnels.insert({
      ...common,
      id: 'fnl_a',
      organizationId: 'org_a',
      websiteId: 'web_a',
      name: 'Checkout',
      steps: [
        { type: 'page', match: { op: 'eq', value: '/cart' } },
        { name: 'Paid', type: 'event', match: { op: 'eq', value: 'purchase' } },
      ],
      ordered: true,
      windowSeconds: 20,
      exclude: null,
    });
  });
  after(() => service.close());

  const ask = (parameter: object, selector = 'website_id=web_a') =>
    service.call(`/v1/query?${selector}`, { method: 'POST', body: { parameters: [parameter], ...MARCH } });
  const errorOf = async (...asked: Parameters<typeof ask>) => datasetsOf(await ask(...asked))[0]?.error;

  it('mean what they say where they stand', async () => {
    const funnel = rowsOf(await ask({ name: 'funnel', funnelId: 'fnl_a' }));
    expect(funnel.map(({ name, visitors }) => [name, visitors])).to.deep.equal([
      ['/cart', 2],
      ['Paid', 1],
    ]);
    const [start] = rowsOf(await ask({ name: 'journey', goalId: 'gol_a', direction: 'backward' }));
    expect(start).to.equal(undefined); // these events have no session
    const revenue = rowsOf(await ask({ name: 'revenue', goalId: 'gol_a' }));
    expect(revenue).to.deep.equal([
      { currency: 'EUR', revenue: 12.5, orders: 1, average_order: 12.5, visitors: 1 },
    ]);
    const series = rowsOf(await ask({ name: 'revenue_over_time', goalId: 'gol_a' }));
    expect(series[9]).to.deep.equal({
      date: '2025-03-10',
      revenue: 12.5,
      orders: 1,
      average_order: 12.5,
      visitors: 1,
    });
    const [cohort] = rowsOf(await ask({ name: 'retention', unit: 'month', startGoalId: 'gol_a' }));
    expect(cohort).to.include({ cohort_visitors: 1, percentage: 100 });
  });

  it('are about the events of their website, also when the organization is queried', async () => {
    const all = 'organization_id=org_a';
    const revenue = rowsOf(await ask({ name: 'revenue', goalId: 'gol_a' }, all));
    expect(revenue[0]).to.include({ revenue: 12.5, orders: 1 });
    const funnel = rowsOf(await ask({ name: 'funnel', funnelId: 'fnl_a' }, all));
    expect(funnel.map(({ visitors }) => visitors)).to.deep.equal([2, 1]);
    const inline = { name: 'funnel', steps: [page('/cart'), event('purchase')] };
    expect(rowsOf(await ask(inline, all)).map(({ visitors }) => visitors)).to.deep.equal([3, 2]);
  });

  it('of other websites and organizations are as if they did not exist', async () => {
    for (const id of ['gol_b', 'gol_c', 'gol_none']) {
      const refused = `No website that is queried has the goal "${id}".`;
      expect(await errorOf({ name: 'revenue', goalId: id })).to.equal(refused);
      expect(await errorOf({ name: 'retention', goalId: id })).to.equal(refused);
    }
    expect(await errorOf({ name: 'funnel', funnelId: 'gol_a' })).to.equal(
      'No website that is queried has the funnel "gol_a".',
    );
    // Of two websites at once: the events of neither would do.
    const two = { name: 'retention', startGoalId: 'gol_a', goalId: 'gol_b' };
    expect(await errorOf(two, 'organization_id=org_a')).to.equal(
      'No website that is queried has the goal "gol_b".',
    );
  });

  it('without a property of revenue have none', async () => {
    expect(await errorOf({ name: 'revenue', goalId: 'gol_worthless' })).to.equal(
      'The goal "gol_worthless" has no property of revenue.',
    );
  });
});
