/** Many websites in one call: totals and lines of all in reach, by the same numbers as each has for itself. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import type { EventStore } from '../../../../../services/shared/ports/event-store.ts';
import { eventRecord } from '../../../../support/query/event.ts';
import { expectError } from '../../../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import {
  datasetsOf,
  rowsOf,
  type ShownDataset,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

const DAYS = { startDate: '2025-01-15', endDate: '2025-01-16' };
const idOf = (index: number) => `web_${String(index).padStart(2, '0')}`;
/** 50 websites besides web_a and web_b; every third has no events. */
const FURTHER = Array.from({ length: 50 }, (_, index) => index);
const hasEvents = (index: number) => index % 3 !== 0;

/** Website `index` has as many visitors with a session of two pageviews; the session s0 is on every website. */
function logOf(index: number): EventRecord[] {
  const website_id = idOf(index);
  return Array.from({ length: hasEvents(index) ? index : 0 }, (_, visitor) => [
    eventRecord({
      at: '2025-01-15T10:00:00Z',
      website_id,
      session_id: `s${visitor}`,
      anonymous_id: `v${visitor}`,
      path: '/',
      country: visitor % 2 === 0 ? 'DE' : 'FR',
    }),
    eventRecord({
      at: '2025-01-16T00:00:10Z',
      website_id,
      session_id: `s${visitor}`,
      anonymous_id: `v${visitor}`,
      path: '/more',
    }),
  ]).flat();
}

describe('many websites at once', () => {
  let service: StartedQueryService;
  let queries = 0;
  const counting = (events: EventStore): EventStore =>
    new Proxy(events, {
      get(target, name, receiver) {
        if (name === 'run') queries += 1;
        const value: unknown = Reflect.get(target, name, receiver);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });

  before(async () => {
    service = await startQueryService({
      log: [
        ...FURTHER.flatMap(logOf),
        eventRecord({
          at: '2025-01-15T10:00:00Z',
          website_id: 'web_a',
          session_id: 's0',
          anonymous_id: 'v0',
        }),
        // Of another organization, and of the organization itself.
        eventRecord({ at: '2025-01-15T10:00:00Z', website_id: 'web_c', organization_id: 'org_b' }),
        eventRecord({ at: '2025-01-15T10:00:00Z', website_id: null, event_name: 'billed' }),
      ],
      now: GOLDEN_NOW,
      wrapEvents: counting,
    });
    for (const index of FURTHER) {
      const website = { id: idOf(index), organizationId: 'org_a', isPublic: false, settings: {} };
      const called = { name: `Website ${index}`, domain: `w${index}.example` };
      await service.documents.websites.insert({ ...website, ...called });
    }
  });
  after(() => service.close());

  const ask = (body: object, queryString = '', as = 'global') =>
    service.call(`/v1/query${queryString}`, { method: 'POST', body: { ...DAYS, ...body }, as });
  const linesOf = (rows: ShownDataset['data']) => {
    const lines = new Map<string, unknown[]>();
    for (const { website_id, ...row } of rows) {
      lines.set(String(website_id), [...(lines.get(String(website_id)) ?? []), row]);
    }
    return lines;
  };

  it('totals and lines of 52 websites come in one call, of one query each', async () => {
    queries = 0;
    const answer = await ask({ parameters: ['website_totals', 'website_lines'] }, '?organization_id=org_a');
    expect(queries).to.equal(2);
    const [totals, lines] = datasetsOf(answer);
    expect(totals?.data).to.have.length(52);
    expect(totals?.data[0]).to.deep.equal({
      website_id: 'web_49',
      name: 'Website 49',
      domain: 'w49.example',
      pageviews: 98,
      visitors: 49,
      sessions: 49,
      bounce_rate: 0,
      median_session_duration: 50_410, // 10:00 to ten seconds after midnight
      total_events: 98,
    });
    // The smallest: a session of one pageview, which is also on the others; then those without events, by identifier.
    const least = totals?.data.slice(-20).map((row) => [row.website_id, row.sessions, row.bounce_rate]);
    expect(least?.slice(0, 3)).to.deep.equal([
      ['web_01', 1, 0],
      ['web_a', 1, 100],
      ['web_00', 0, 0],
    ]);
    expect(least?.at(-1)).to.deep.equal(['web_b', 0, 0]);

    const byWebsite = linesOf(lines?.data ?? []);
    expect([...byWebsite.keys()]).to.deep.equal([...FURTHER.map(idOf), 'web_a', 'web_b']);
    expect(byWebsite.get('web_02')).to.deep.equal([
      { date: '2025-01-15', pageviews: 2, visitors: 2, sessions: 2 },
      { date: '2025-01-16', pageviews: 2, visitors: 2, sessions: 0 },
    ]);
    expect(byWebsite.get('web_00')).to.deep.equal([
      { date: '2025-01-15', pageviews: 0, visitors: 0, sessions: 0 },
      { date: '2025-01-16', pageviews: 0, visitors: 0, sessions: 0 },
    ]);
  });

  it('each website has the numbers that it has for itself', async () => {
    const totals = rowsOf(await ask({ parameters: ['website_totals'] }));
    for (const { website_id, name, domain, ...row } of totals) {
      const [alone] = rowsOf(await ask({ parameters: ['summary_metrics'] }, `?website_id=${website_id}`));
      expect(alone, String(name)).to.include(row);
    }
    const lines = linesOf(rowsOf(await ask({ parameters: ['website_lines'] })));
    for (const id of [idOf(7), idOf(9), 'web_a']) {
      const alone = rowsOf(await ask({ parameters: ['summary'] }, `?website_id=${id}`)).map(
        ({ date, pageviews, visitors, sessions }) => ({ date, pageviews, visitors, sessions }),
      );
      expect(lines.get(id)).to.deep.equal(alone);
    }
  });

  it('a key of some websites gets those, without a selector', async () => {
    const websitesFor = async (as: string) => {
      const [totals, lines] = datasetsOf(
        await ask({ parameters: ['website_totals', 'website_lines'] }, '', as),
      );
      const inLines = [...linesOf(lines?.data ?? []).keys()];
      expect(totals?.data.map(({ website_id }) => website_id)).to.have.members(inLines);
      return inLines;
    };
    expect(await websitesFor('two-websites')).to.deep.equal(['web_a', 'web_b']);
    expect(await websitesFor('one-website-left')).to.deep.equal(['web_a']);
    expect(await websitesFor('no-websites')).to.deep.equal([]);
    expect(await websitesFor('other-organization')).to.deep.equal(['web_c']);
  });

  it('a key of some websites still names one for anything else, and never reaches the organization', async () => {
    const beside = await ask({ parameters: ['website_totals', 'pages'] }, '', 'two-websites');
    expectError(beside, 400, 'MISSING_PROJECT_ID');
    const unknown = await ask({ parameters: ['website_totals', 'nonsense'] }, '', 'two-websites');
    expectError(unknown, 400, 'MISSING_PROJECT_ID');
    const organization = await ask(
      { parameters: ['website_totals'] },
      '?organization_id=org_a',
      'two-websites',
    );
    expectError(organization, 403, 'ACCESS_DENIED');
    const other = await ask({ parameters: ['website_totals'] }, '?website_id=web_01', 'two-websites');
    expectError(other, 403, 'ACCESS_DENIED');
    // A filter opens nothing.
    const filters = [{ field: 'website_id', op: 'in', value: ['web_a', 'web_49', 'web_c'] }];
    const filtered = rowsOf(await ask({ parameters: ['website_totals'], filters }, '', 'two-websites'));
    expect(filtered.map(({ website_id }) => website_id)).to.deep.equal(['web_a']);
  });

  it('under filters only websites with a matching event have a row and a line', async () => {
    const filters = [{ field: 'country', op: 'eq', value: 'FR' }];
    const [totals, lines] = datasetsOf(
      await ask({ parameters: ['website_totals', 'website_lines'], filters }),
    );
    const withFrench = FURTHER.filter((index) => hasEvents(index) && index >= 2).map(idOf);
    expect([...linesOf(lines?.data ?? []).keys()]).to.deep.equal(withFrench);
    expect(totals?.data.map(({ website_id }) => website_id)).to.have.members(withFrench);
  });

  it('under filters that only name websites each of those in reach has a row and a line, with its past', async () => {
    const named = (ids: string[]) => ({ field: 'website_id', op: 'in', value: ids });
    const ids = async (filters: object[], as = 'global') => {
      const [totals, lines] = datasetsOf(
        await ask({ parameters: ['website_totals', 'website_lines'], filters }, '', as),
      );
      const inLines = [...linesOf(lines?.data ?? []).keys()];
      expect(totals?.data.map(({ website_id }) => website_id)).to.have.members(inLines);
      return inLines;
    };
    expect(await ids([named(['web_00', 'web_02', 'web_c', 'web_gone'])])).to.deep.equal(['web_00', 'web_02']);
    expect(await ids([named(['web_a', 'web_b', 'web_02'])], 'two-websites')).to.deep.equal([
      'web_a',
      'web_b',
    ]);
    const both = [named(['web_00', 'web_03']), { field: 'website_id', op: 'eq', value: 'web_00' }];
    expect(await ids(both)).to.deep.equal(['web_00']);
    // Only an event can be of a country, and of a website that is not named.
    const french = { field: 'country', op: 'eq', value: 'FR' };
    expect(await ids([named(['web_00', 'web_02']), french])).to.deep.equal(['web_02']);
    expect(await ids([{ not: named(FURTHER.map(idOf)) }])).to.deep.equal(['web_a']);

    const later = { startDate: '2025-01-17', endDate: '2025-01-18', compare: 'previous' };
    const request = { parameters: ['website_totals'], filters: [named(['web_02'])], ...later };
    const [row] = rowsOf(await ask(request));
    expect(row).to.include({ website_id: 'web_02', pageviews: 0, visitors: 0 });
    expect(row?.previous).to.include({ pageviews: 4, visitors: 2 });
  });

  it('totals are sorted by any column and paged', async () => {
    const page = async (request: object) =>
      rowsOf(await ask({ parameters: ['website_totals'], ...request })).map(({ name }) => name);
    expect(await page({ sortBy: 'name', limit: 3 })).to.deep.equal(['Website 0', 'Website 1', 'Website 10']);
    expect(await page({ sortBy: 'name', limit: 2, page: 2 })).to.deep.equal(['Website 10', 'Website 11']);
    const quiet = await page({ sortBy: 'bounce_rate', sortOrder: 'desc', limit: 1 });
    expect(quiet).to.deep.equal(['shop.example']);
  });

  it('refuses lines of more rows than answers hold', async () => {
    const year = { startDate: '2023-01-01', endDate: '2028-12-31' };
    const [answer] = datasetsOf(await ask({ parameters: ['website_lines'], ...year }));
    expect(answer?.error).to.match(/^The answers of one call hold at most 100,000 rows/);
  });

  it('compares each website, and each line bucket by bucket, with its own past', async () => {
    const request = { startDate: '2025-01-16', endDate: '2025-01-16', compare: 'previous' };
    const [totals, lines] = datasetsOf(
      await ask({ parameters: ['website_totals', 'website_lines'], ...request }),
    );
    const previous = { pageviews: 49, visitors: 49, sessions: 49 };
    expect(totals?.data[0]?.previous).to.include({ ...previous, bounce_rate: 100, total_events: 49 });
    expect(lines?.data.find((row) => row.website_id === 'web_49')).to.deep.equal({
      website_id: 'web_49',
      date: '2025-01-16',
      ...previous,
      previous,
    });
    expect(lines?.data.find((row) => row.website_id === 'web_a')).to.deep.equal({
      website_id: 'web_a',
      date: '2025-01-16',
      pageviews: 0,
      visitors: 0,
      sessions: 0,
      previous: { pageviews: 1, visitors: 1, sessions: 1 },
    });
  });

  it('groupBy website_id adds the website to lists, and draws a line for each in series', async () => {
    const filters = [{ field: 'website_id', op: 'in', value: ['web_01', 'web_02'] }];
    const request = { filters, groupBy: 'website_id' };
    const pages = rowsOf(await ask({ parameters: ['pages'], ...request }));
    expect(pages).to.deep.equal([
      { website_id: 'web_02', path: '/', pageviews: 2, visitors: 2 },
      { website_id: 'web_02', path: '/more', pageviews: 2, visitors: 2 },
      { website_id: 'web_01', path: '/', pageviews: 1, visitors: 1 },
      { website_id: 'web_01', path: '/more', pageviews: 1, visitors: 1 },
    ]);
    const series = rowsOf(await ask({ parameters: ['summary'], ...request }));
    expect(series.map((row) => [row.website_id, row.date, row.pageviews, row.sessions])).to.deep.equal([
      ['web_01', '2025-01-15', 1, 1],
      ['web_01', '2025-01-16', 1, 0],
      ['web_02', '2025-01-15', 2, 2],
      ['web_02', '2025-01-16', 2, 0],
    ]);
  });

  it('groupBy event_name draws a line for each event', async () => {
    const at = (hour: number, event_name: string) =>
      eventRecord({ at: `2025-03-01T0${hour}:00:00Z`, website_id: 'web_b', event_name, session_id: 's' });
    await service.events.append([at(1, 'signup'), at(2, 'signup'), at(3, 'login')]);
    const dates = { startDate: '2025-03-01', endDate: '2025-03-02', groupBy: 'event_name' };
    const trends = rowsOf(await ask({ parameters: ['custom_events_trends'], ...dates }, '?website_id=web_b'));
    expect(trends.map((row) => [row.event_name, row.date, row.total_events])).to.deep.equal([
      ['login', '2025-03-01', 1],
      ['login', '2025-03-02', 0],
      ['signup', '2025-03-01', 2],
      ['signup', '2025-03-02', 0],
    ]);
  });
});
