/** Goals over a log written by hand: pages, properties, worth, filters, groups, and who may name which. */
import { expect } from 'chai';
import type { EventStore } from '../../../../../services/shared/ports/event-store.ts';
import { eventRecord } from '../../../../support/query/event.ts';
import { expectError } from '../../../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';
import { storedGoal } from '../../../../support/query/stored-goal.ts';
import { withRun } from '../../../../support/query/with-run.ts';

const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };

/**
 * s1: ada comes by the newsletter and signs up; s2: she buys. s3: ben's total is a text. s4: cy gets money back, and pays in
 * dollars. Then a server, dan who only looks, a crawler, another website.
 */
const LOG = [
  { at: '2025-01-15T10:00:00Z', session_id: 's1', anonymous_id: 'ada', path: '/', utm_source: 'newsletter' },
  { at: '2025-01-15T10:01:00Z', session_id: 's1', anonymous_id: 'ada', path: '/pricing' },
  {
    ...{ at: '2025-01-15T10:02:00Z', session_id: 's1', anonymous_id: 'ada', event_name: 'signup' },
    properties: '{"plan":"pro"}',
  },
  {
    ...{ at: '2025-01-15T12:00:00Z', session_id: 's2', anonymous_id: 'ada', event_name: 'purchase' },
    properties: '{"plan":"pro","total":10.5}',
  },
  { at: '2025-01-15T13:00:00Z', session_id: 's3', anonymous_id: 'ben', path: '/thanks/1', utm_source: 'ads' },
  {
    ...{ at: '2025-01-15T13:01:00Z', session_id: 's3', anonymous_id: 'ben', event_name: 'purchase' },
    properties: '{"plan":"free","total":"12.00","currency":"EUR"}',
  },
  { at: '2025-01-15T14:00:00Z', session_id: 's4', anonymous_id: 'cy', path: '/thanks' },
  {
    ...{ at: '2025-01-15T14:01:00Z', session_id: 's4', anonymous_id: 'cy', event_name: 'purchase' },
    properties: '{"plan":"pro","total":-4.25,"currency":"EUR"}',
  },
  {
    ...{ at: '2025-01-15T14:02:00Z', session_id: 's4', anonymous_id: 'cy', event_name: 'purchase' },
    properties: '{"plan":"pro","total":20,"currency":"USD"}',
  },
  { at: '2025-01-15T15:00:00Z', event_name: 'purchase', properties: '{"total":2.345,"currency":"EUR"}' },
  { at: '2025-01-15T16:00:00Z', session_id: 's5', anonymous_id: 'dan', path: '/' },
  {
    ...{ at: '2025-01-15T17:00:00Z', session_id: 's9', anonymous_id: 'bot', event_name: 'purchase' },
    ...{ is_bot: true, properties: '{"total":1000}' },
  },
  {
    ...{ at: '2025-01-15T18:00:00Z', session_id: 's6', anonymous_id: 'eve', event_name: 'purchase' },
    website_id: 'web_b',
  },
].map(eventRecord);

const purchase = { type: 'event', match: { op: 'eq', value: 'purchase' } } as const;

const GOALS = [
  // Not in the order of their positions.
  storedGoal('gol_thanks', {
    ...{ name: 'Thanks', position: 3_000, type: 'page', match: { op: 'starts_with', value: '/thanks' } },
  }),
  storedGoal('gol_buy', {
    ...{ name: 'Purchase', position: 1_000, ...purchase, revenueProperty: 'total', currency: 'EUR' },
  }),
  storedGoal('gol_pro', {
    ...{ name: 'Pro', position: 2_000, ...purchase, revenueProperty: 'total' },
    conditions: [{ field: 'properties.plan', op: 'eq', value: 'pro' }],
  }),
  storedGoal('gol_never', {
    ...{ name: 'Never', position: 500, type: 'event', match: { op: 'in', value: ['never', 'nor_this'] } },
    ...{ revenueProperty: 'total', currency: 'EUR' },
  }),
  storedGoal('gol_signup', {
    ...{ name: 'Signup', position: 0, type: 'event', match: { op: 'eq', value: 'signup' } },
  }),
  storedGoal('gol_other', { websiteId: 'web_b', name: 'Elsewhere', position: 0, ...purchase }),
];

/** name, visitors, conversions, sessions, rate, revenue */
type Counted = readonly [string, number, number, number, number, number | null];

describe('the dataset goals', () => {
  let service: StartedQueryService;
  let statements = 0;
  before(async () => {
    const wrapEvents = (events: EventStore) =>
      withRun(events, (query, read) => {
        statements++;
        return events.run(query, read);
      });
    service = await startQueryService({ log: LOG, now: GOLDEN_NOW, wrapEvents });
    for (const goal of GOALS) await service.documents.goals.insert(goal);
  });
  after(() => service.close());

  const ask = async (more: object = {}, parameter: object = {}) =>
    rowsOf(await service.query({ parameters: [{ name: 'goals', ...parameter }], ...DAY, ...more }));
  const counted = (rows: Awaited<ReturnType<typeof ask>>) =>
    rows.map(({ name, visitors, conversions, sessions, conversion_rate, revenue }) => [
      ...[name, visitors, conversions, sessions, conversion_rate, revenue],
    ]);
  const refusal = async (parameter: object, at = '/v1/query?website_id=web_a', as = 'global') => {
    const body = { parameters: [{ name: 'goals', ...parameter }, 'summary_metrics'], ...DAY };
    const [first, second] = datasetsOf(await service.call(at, { method: 'POST', body, as }));
    expect([first?.success, second?.success]).to.deep.equal([true, false]);
    return second?.error;
  };

  it('has a row for each goal in the order of positions, whether it was reached or not', async () => {
    expect(counted(await ask())).to.deep.equal([
      ['Signup', 1, 1, 1, 25, null],
      ['Never', 0, 0, 0, 0, 0],
      // 10.5 without a currency, -4.25 and 2.345 in EUR; a text is no number, and dollars are no euros.
      ['Purchase', 3, 5, 3, 75, 8.6],
      // The same events, of any currency: 10.5 - 4.25 + 20.
      ['Pro', 2, 3, 2, 50, 26.25],
      ['Thanks', 2, 2, 2, 50, null],
    ] satisfies Counted[]);
  });

  it('names each goal, its position and its currency', async () => {
    const [signup, , buy] = await ask();
    expect(signup).to.deep.include({ goal_id: 'gol_signup', position: 0, currency: null });
    expect(buy).to.deep.include({ goal_id: 'gol_buy', position: 1_000, currency: 'EUR' });
  });

  it('counts the conversion of a session under the campaign that it came by', async () => {
    const newsletter = { field: 'utm_source', op: 'eq', value: 'newsletter' };
    const of = (filters: readonly object[]) => ask({ filters }, { goalId: 'gol_signup' });
    expect(counted(await of([{ ...newsletter, of: 'session' }]))).to.deep.equal([
      ['Signup', 1, 1, 1, 100, null],
    ]);
    // The signup itself carries no campaign.
    expect(counted(await of([newsletter]))).to.deep.equal([['Signup', 0, 0, 0, 0, null]]);
  });

  it('counts by groups, of whose visitors the rate is', async () => {
    const rows = await ask({ groupBy: ['properties.plan'] }, { goalId: 'gol_buy' });
    expect(rows.map((row) => [row['properties.plan'], ...(counted([row])[0]?.slice(1) ?? [])])).to.deep.equal(
      [
        // A purchase of a server, which has no visitor, and the four visitors of events without a plan.
        ['Unknown', 0, 1, 0, 0, 2.35],
        ['free', 1, 1, 1, 100, 0],
        ['pro', 2, 3, 2, 100, 6.25],
      ],
    );
  });

  it('is compared with another period goal by goal, and not by groups', async () => {
    const compare = { startDate: '2025-01-14', endDate: '2025-01-14' };
    const [signup, never] = await ask({ compare });
    expect(signup).to.deep.include({ visitors: 1, goal_id: 'gol_signup' });
    expect(signup?.previous).to.deep.equal({
      ...{ visitors: 0, conversions: 0, sessions: 0, conversion_rate: 0, revenue: null },
    });
    expect(never?.previous).to.include({ revenue: 0 });
    const body = { parameters: [{ name: 'goals' }], ...DAY, compare, groupBy: ['path'] };
    expect(datasetsOf(await service.query(body))[0]?.error).to.match(/^Goals are compared .* as a whole/);
  });

  it('is sorted and paged as any list', async () => {
    const names = async (more: object) => (await ask(more)).map(({ name }) => name);
    expect(await names({ sortBy: 'conversions', limit: 2 })).to.deep.equal(['Purchase', 'Pro']);
    expect(await names({ sortBy: 'name' })).to.deep.equal(['Never', 'Pro', 'Purchase', 'Signup', 'Thanks']);
    expect(await names({ limit: 2, page: 2 })).to.deep.equal(['Purchase', 'Pro']);
    const revenue = await names({ sortBy: 'revenue' });
    expect(revenue.slice(0, 3)).to.deep.equal(['Pro', 'Purchase', 'Never']);
  });

  it('has no row for a website without goals, of which it reads no event', async () => {
    statements = 0;
    const body = { parameters: ['goals'], ...DAY };
    const answer = await service.call('/v1/query?website_id=web_c', {
      ...{ method: 'POST', body, as: 'other-organization' },
    });
    expect([rowsOf(answer), statements]).to.deep.equal([[], 0]);
  });

  it('fails alone for a goal that is unknown, of another website, or of another organization', async () => {
    for (const goalId of ['gol_none', 'gol_other']) {
      expect(await refusal({ goalId })).to.equal(`No website that is queried has the goal "${goalId}".`);
    }
    const at = '/v1/query?website_id=web_c';
    expect(await refusal({ goalId: 'gol_buy' }, at, 'other-organization')).to.match(/has the goal "gol_buy"/);
    expect(await refusal({ goalId: 'gol_other' }, '/v1/query', 'one-website')).to.match(/"gol_other"/);
  });

  it('is about one website: of the organization, by the goal', async () => {
    expect(await refusal({}, '/v1/query?organization_id=org_a')).to.match(
      /^The dataset "goals" is about one website/,
    );
    const body = { parameters: [{ name: 'goals', goalId: 'gol_other' }], ...DAY };
    const answer = await service.call('/v1/query?organization_id=org_a', { method: 'POST', body });
    expect(counted(rowsOf(answer))).to.deep.equal([['Elsewhere', 1, 1, 1, 100, null]]);
  });

  it('refuses unknown arguments and faulty ones with 400, the nearest name beside them', async () => {
    const call = (parameter: object) =>
      service.query({ parameters: [{ name: 'goals', ...parameter }], ...DAY });
    const misspelt = await call({ goalid: 'gol_buy' });
    expectError(misspelt, 400, 'VALIDATION_ERROR');
    expect(misspelt.body.error).to.match(/did you mean "goalId"/);
    expectError(await call({ goalId: 7 }), 400, 'VALIDATION_ERROR');
  });

  it('compiles to one statement without a value in its text', async () => {
    const body = { parameters: ['goals'], ...DAY };
    const answer = await service.call('/v1/query/compile?website_id=web_a', { method: 'POST', body });
    expect(answer.body.sql).to.be.a('string').that.does.not.include('purchase');
  });

  it('counts 100 goals at once, and further ones page by page', async () => {
    const many = Array.from({ length: 105 }, (_, at) =>
      storedGoal(`gol_many_${at}`, { websiteId: 'web_b', name: `Goal ${at}`, position: at + 1, ...purchase }),
    );
    for (const goal of many) await service.documents.goals.insert(goal);
    const call = async (more: object) => {
      const body = { parameters: ['goals'], ...DAY, ...more };
      return datasetsOf(await service.call('/v1/query?website_id=web_b', { method: 'POST', body }))[0];
    };
    const first = await call({});
    expect(first?.data).to.have.length(100);
    expect(first?.data[0]).to.include({ name: 'Elsewhere', conversions: 1 });
    const second = await call({ page: 2 });
    expect(second?.data.map(({ name }) => name)).to.deep.equal(
      [99, 100, 101, 102, 103, 104].map((at) => `Goal ${at}`),
    );
    expect((await call({ page: 11 }))?.error).to.match(/^Pages reach the first 1,000 goals/);
    for (const more of [{ sortBy: 'name' }, { limit: 101 }, { groupBy: ['path'] }]) {
      expect((await call(more))?.error, JSON.stringify(more)).to.match(
        /^The website has more than 100 goals/,
      );
    }
  });
});
