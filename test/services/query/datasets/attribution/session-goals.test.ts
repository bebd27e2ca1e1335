/** Conversions and revenue of a goal in lists of sessions, over a log written by hand. */
import { expect } from 'chai';
import { describeOnEngines } from '../../../../support/query/engines.ts';
import { eventRecord } from '../../../../support/query/event.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
} from '../../../../support/query/start-query-service.ts';
import { storedGoal } from '../../../../support/query/stored-goal.ts';

const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };
const ada = { session_id: 's1', anonymous_id: 'ada' };
const ben = { session_id: 's2', anonymous_id: 'ben' };

/** s1 came by the campaign, signed up and bought twice, once in dollars; s2 by nothing; s3 by the campaign, and left. */
const LOG = [
  { at: '2025-01-15T10:00:00Z', ...ada, path: '/', utm_source: 'newsletter', utm_campaign: 'spring' },
  { at: '2025-01-15T10:02:00Z', ...ada, event_name: 'signup' },
  { at: '2025-01-15T10:03:00Z', ...ada, event_name: 'purchase', properties: '{"total":10.5}' },
  { at: '2025-01-15T10:04:00Z', ...ada, event_name: 'purchase', properties: '{"total":7,"currency":"USD"}' },
  { at: '2025-01-15T11:00:00Z', ...ben, path: '/' },
  {
    at: '2025-01-15T11:01:00Z',
    ...ben,
    event_name: 'purchase',
    properties: '{"total":-0.25,"currency":"EUR"}',
  },
  {
    ...{ at: '2025-01-15T12:00:00Z', session_id: 's3', anonymous_id: 'cy', path: '/' },
    ...{ utm_source: 'newsletter', utm_campaign: 'spring' },
  },
  // A session without a pageview, and a server: they came by nothing that is listed.
  { at: '2025-01-15T13:00:00Z', session_id: 's4', anonymous_id: 'dan', event_name: 'purchase' },
  { at: '2025-01-15T14:00:00Z', event_name: 'purchase', properties: '{"total":1000}' },
].map(eventRecord);

describeOnEngines('sessions and the goals that are reached in them', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: LOG, now: GOLDEN_NOW });
    const { goals } = service.documents;
    const event = (value: string) => ({ type: 'event', match: { op: 'eq', value } }) as const;
    await goals.insert(storedGoal('gol_signup', { name: 'Signup', position: 0, ...event('signup') }));
    const worth = { revenueProperty: 'total', currency: 'EUR' };
    await goals.insert(storedGoal('gol_buy', { name: 'Buy', position: 1, ...event('purchase'), ...worth }));
  });
  const ask = async (name: string, goalId: string, more: object = {}) =>
    rowsOf(await service.query({ parameters: [{ name, goalId }], ...DAY, ...more })).map((row) => [
      ...[row.name, row.sessions, row.conversions, row.revenue],
    ]);

  it('stand under the campaign that their session came by', async () => {
    expect(await ask('session_utm_campaigns', 'gol_buy')).to.deep.equal([
      // Of two purchases one is in dollars.
      ['spring', 2, 2, 10.5],
      ['Unknown', 1, 1, -0.25],
    ]);
    expect(await ask('session_utm_campaigns', 'gol_signup')).to.deep.equal([
      ['spring', 2, 1, null],
      ['Unknown', 1, 0, null],
    ]);
  });

  it('are columns of every such list, by which it is sorted, and of none that names no goal', async () => {
    const byConversions = { sortBy: 'conversions', sortOrder: 'asc' };
    expect(await ask('session_utm_sources', 'gol_buy', byConversions)).to.deep.equal([
      ['Unknown', 1, 1, -0.25],
      ['newsletter', 2, 2, 10.5],
    ]);
    expect(await ask('session_entry_pages', 'gol_buy')).to.deep.equal([['/', 3, 3, 10.25]]);
    expect(await ask('session_channels', 'gol_signup', { limit: 1 })).to.deep.equal([['email', 2, 1, null]]);
    const [row] = rowsOf(await service.query({ parameters: ['session_channels'], ...DAY }));
    expect(row).to.include({ sessions: 2 }).and.not.have.any.keys('conversions', 'revenue');
  });

  it('obey filters: those of events act on conversions too', async () => {
    const filters = [{ field: 'event_name', op: 'eq', value: 'signup', of: 'session' }];
    expect(await ask('session_utm_campaigns', 'gol_buy', { filters })).to.deep.equal([
      ['spring', 1, 2, 10.5],
    ]);
  });

  it('fail alone for a goal that the website does not have, and to be sorted by without one', async () => {
    const parameters = ['session_channels', { name: 'session_channels', goalId: 'gol_none', id: 'other' }];
    const [first, second] = datasetsOf(await service.query({ parameters, ...DAY }));
    expect([first?.success, second?.success]).to.deep.equal([true, false]);
    expect(second?.error).to.equal('No website that is queried has the goal "gol_none".');
    const sorted = { parameters: ['session_channels'], ...DAY, sortBy: 'conversions' };
    expect(datasetsOf(await service.query(sorted))[0]?.error).to.match(/has no column "conversions"/);
  });
});
