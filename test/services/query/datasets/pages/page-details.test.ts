/** The list of details of pages over a log whose answers are worked out by hand, and the filter that its paths have. */
import { expect } from 'chai';
import { type EventFields, eventRecord } from '../../../../support/query/event.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

/** On the 30th clocks go forward in Berlin; the day ends at 22:00 UTC. */
const DAY = { startDate: '2025-03-30', endDate: '2025-03-30' };
const BERLIN = '&timezone=Europe/Berlin';

const ada = { session_id: 's1', anonymous_id: 'ada' };
const ben = { session_id: 's2', anonymous_id: 'ben' };
const LOG: EventFields[] = [
  // s1 goes / → /docs → / and on at midnight, which is another day.
  { at: '2025-03-30T00:59:59Z', ...ada, path: '/', title: 'Home' },
  { at: '2025-03-30T01:00:00Z', ...ada, path: '/docs', title: 'Docs' },
  {
    at: '2025-03-30T01:00:20Z',
    ...ada,
    path: '/docs',
    event_name: 'page_exit',
    time_on_page: 20,
    scroll_depth: 50,
  },
  { at: '2025-03-30T21:59:00Z', ...ada, path: '/', title: 'Start' },
  { at: '2025-03-30T22:00:00Z', ...ada, path: '/late', title: 'Late' },
  { at: '2025-03-30T22:00:05Z', ...ada, path: '/', event_name: 'page_exit', title: 'Later' },
  // s2 bounces on /docs; what it measures there comes without a title.
  { at: '2025-03-30T08:00:00Z', ...ben, path: '/docs', title: 'Docs' },
  {
    at: '2025-03-30T08:01:00Z',
    ...ben,
    path: '/docs',
    event_name: 'page_exit',
    time_on_page: 60,
    scroll_depth: 100,
  },
  // A server's pageview has no session, and a page that was only left no pageview.
  { at: '2025-03-30T09:00:00Z', path: '/docs' },
  { at: '2025-03-30T09:00:00Z', path: '/gone', event_name: 'page_exit', time_on_page: 1 },
];

describe('page_details', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG.map(eventRecord), now: GOLDEN_NOW });
  });
  after(() => service.close());

  const ask = async (request: object = {}) =>
    rowsOf(await service.query({ parameters: ['page_details'], ...DAY, ...request }, BERLIN));
  const docs = {
    path: '/docs',
    title: 'Docs',
    pageviews: 3,
    visitors: 2,
    bounce_rate: 100, // s2 alone enters by it
    exit_rate: 33.33, // and leaves by it
    median_time_on_page: 40,
    avg_scroll_depth: 75,
    first_seen: '2025-03-30T01:00:00.000Z',
    last_seen: '2025-03-30T09:00:00.000Z',
  };

  it('keeps bounces and exits of whole sessions where its pages are searched', async () => {
    expect(await ask({ search: 'DOCS' })).to.deep.equal([docs]);
  });

  it('has views, bounces of entries, exits, times, depths and the latest title of the day of 23 hours', async () => {
    expect(await ask()).to.deep.equal([
      docs,
      {
        path: '/',
        title: 'Start',
        pageviews: 2,
        visitors: 1,
        bounce_rate: 0, // s1 has three pageviews
        exit_rate: 50,
        median_time_on_page: 0,
        avg_scroll_depth: 0,
        first_seen: '2025-03-30T00:59:59.000Z',
        last_seen: '2025-03-30T21:59:00.000Z',
      },
    ]);
  });

  it('sorts by the rates, and pages without overlap', async () => {
    const by = async (request: object) => (await ask(request)).map(({ path }) => path);
    expect(await by({ sortBy: 'bounce_rate', sortOrder: 'asc' })).to.deep.equal(['/', '/docs']);
    expect(await by({ sortBy: 'exit_rate', sortOrder: 'desc', limit: 1 })).to.deep.equal(['/']);
    expect(await by({ sortBy: 'exit_rate', sortOrder: 'desc', limit: 1, page: 2 })).to.deep.equal(['/docs']);
  });

  it('a row stays as it is under the filter of its path, of sessions and of events beside them', async () => {
    const path = { field: 'path', op: 'eq', value: '/docs' };
    const filters = [{ any: [{ ...path, of: 'session' }, path] }];
    expect((await ask({ filters }))[0]).to.deep.equal(docs);
    // Of events alone every session enters and leaves by the page.
    const [cut] = await ask({ filters: [path] });
    expect(cut).to.deep.include({ pageviews: 3, bounce_rate: 100, exit_rate: 66.67 });
  });
});
