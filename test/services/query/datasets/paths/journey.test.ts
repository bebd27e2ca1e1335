/** Journeys over logs written by hand: forward and backward, repeats, instants, and what is not among the most frequent. */
import { expect } from 'chai';
import { eventRecord } from '../../../../support/query/event.ts';
import { expectError } from '../../../../support/query/expect-error.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

/** What a session did, ten seconds apart: a path, or the name of an event. */
const did = (session_id: string, ...names: string[]) =>
  names.map((name, index) =>
    eventRecord({
      at: new Date(Date.parse('2025-03-10T10:00:00Z') + index * 10_000).toISOString(),
      session_id,
      anonymous_id: 'v',
      ...(name.startsWith('/') ? { path: name } : { event_name: name, path: '/somewhere' }),
    }),
  );

const LOG = [
  ...did('s1', '/', '/pricing', 'signup'),
  // Reloads, and leaves pages: neither is a step.
  ...did('s2', '/', '/', 'page_exit', '/pricing', 'web_vitals', '/docs'),
  ...did('s3', '/docs', '/', '/docs', '/', '/about'),
  ...did('s4', '/blog', '/'),
  ...did('s5', '/blog', '/docs'),
  ...did('', '/', '/pricing'),
];

const HOME = { type: 'page', match: { op: 'eq', value: '/' } };

describe('the dataset journey', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG, now: Date.parse('2025-04-02T10:00:00Z') });
  });
  after(() => service.close());

  const ask = (given: object) =>
    service.query({
      parameters: [{ name: 'journey', ...given }],
      startDate: '2025-03-10',
      endDate: '2025-03-10',
    });
  /** Rows as [step, from_type, from_name, type, name, sessions, percentage]. */
  const values = async (given: object) => rowsOf(await ask(given)).map((row) => Object.values(row));

  it('forward: what followed the first matching page of each session', async () => {
    expect(rowsOf(await ask({ start: HOME, steps: 1 }))[0]).to.deep.equal({
      step: 0,
      from_type: null,
      from_name: null,
      type: 'page',
      name: '/',
      sessions: 4,
      percentage: 100,
    });
    expect(await values({ start: HOME, steps: 2 })).to.deep.equal([
      [0, null, null, 'page', '/', 4, 100],
      [1, 'page', '/', 'page', '/docs', 1, 25], // s3; s4 ended
      [1, 'page', '/', 'page', '/pricing', 2, 50], // s1, s2
      [2, 'page', '/docs', 'page', '/', 1, 25],
      [2, 'page', '/pricing', 'event', 'signup', 1, 25],
      [2, 'page', '/pricing', 'page', '/docs', 1, 25],
    ]);
  });

  it('backward: what came before it, a step further back each', async () => {
    const docs = { type: 'page', match: { op: 'eq', value: '/docs' } };
    expect(await values({ start: docs, direction: 'backward', steps: 20 })).to.deep.equal([
      [0, null, null, 'page', '/docs', 3, 100], // s3 began with it
      [1, 'page', '/docs', 'page', '/blog', 1, 33.33],
      [1, 'page', '/docs', 'page', '/pricing', 1, 33.33],
      [2, 'page', '/pricing', 'page', '/', 1, 33.33],
    ]);
    const signup = { type: 'event', match: { op: 'eq', value: 'signup' } };
    expect(await values({ start: signup, direction: 'backward', steps: 1 })).to.deep.equal([
      [0, null, null, 'event', 'signup', 1, 100],
      [1, 'event', 'signup', 'page', '/pricing', 1, 100],
    ]);
  });

  it('shows the most frequent of each step, and the rest as (other)', async () => {
    expect(await values({ start: HOME, steps: 3, width: 1 })).to.deep.equal([
      [0, null, null, 'page', '/', 4, 100],
      [1, 'page', '/', 'other', '(other)', 1, 25],
      [1, 'page', '/', 'page', '/pricing', 2, 50],
      // Of three that occur once, the first by type and name.
      [2, 'other', '(other)', 'other', '(other)', 1, 25],
      [2, 'page', '/pricing', 'event', 'signup', 1, 25],
      [2, 'page', '/pricing', 'other', '(other)', 1, 25],
      [3, 'other', '(other)', 'page', '/about', 1, 25],
    ]);
  });

  it('starts at several pages when several match, and has no rows when none does', async () => {
    const any = { type: 'page', match: { op: 'in', value: ['/blog', '/pricing'] } };
    expect(await values({ start: any, steps: 1 })).to.deep.equal([
      [0, null, null, 'page', '/blog', 2, 50],
      [0, null, null, 'page', '/pricing', 2, 50],
      [1, 'page', '/blog', 'page', '/', 1, 25],
      [1, 'page', '/blog', 'page', '/docs', 1, 25],
      [1, 'page', '/pricing', 'event', 'signup', 1, 25],
      [1, 'page', '/pricing', 'page', '/docs', 1, 25],
    ]);
    expect(await values({ start: { type: 'page', match: { op: 'eq', value: '/none' } } })).to.deep.equal([]);
  });

  it('refuses more steps or a greater width than allowed, and no start', async () => {
    const fields = async (given: object) =>
      expectError(await ask(given), 400, 'VALIDATION_ERROR').map(({ field }) => field);
    expect(await fields({ start: HOME, steps: 21, width: 21 })).to.deep.equal([
      'parameters[0].steps',
      'parameters[0].width',
    ]);
    expect(await fields({})).to.deep.equal(['parameters[0].start']);
    expect(await fields({ start: HOME, goalId: 'gol_1' })).to.deep.equal(['parameters[0].goalId']);
  });
});
