/** What one call may cost: its rows, its bytes and its queries are bounded, and what does not fit fails alone. */
import { expect } from 'chai';
import { runInOrder } from '../../../services/query/stages/run.ts';
import type { CompiledQuery, EventReach, RawRow } from '../../../services/shared/ports/event-store.ts';
import { startCpuTime } from '../../support/cpu-time.ts';
import { GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  type Answer,
  datasetsOf,
  type ShownDataset,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';
import { withRun } from '../../support/query/with-run.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const DAY_MS = 86_400_000;
const TOO_MANY_ROWS = 'The answers of one call hold at most 100,000 rows; ask for this one apart.';
const TOO_MANY_BYTES =
  'The answers of one call hold at most 32 MB; ask for this one apart, or for fewer rows with limit.';

function day(number: number): string {
  return new Date(Date.UTC(1970, 0, 1) + number * DAY_MS).toISOString().slice(0, 10);
}

function ofBatch(answer: Answer): readonly ShownDataset[] {
  expect(answer.status).to.equal(200);
  return (answer.body.results as { data: ShownDataset[] }[]).flatMap(({ data }) => data);
}

describe('what one call may cost', () => {
  let service: StartedQueryService;
  const runs: CompiledQuery[] = [];
  const reaches: EventReach[] = [];
  let rows: readonly RawRow[] = [];
  before(async () => {
    service = await startQueryService({
      log: [],
      now: GOLDEN_NOW,
      wrapEvents: (events) =>
        withRun(events, async (query, { reach }) => {
          runs.push(query);
          reaches.push(reach);
          return rows;
        }),
    });
  });
  beforeEach(() => {
    runs.length = 0;
    rows = [];
  });
  after(() => service.close());

  it('tells the store which events are read: whose, of which websites, at which instants', async () => {
    reaches.length = 0;
    await service.query({ parameters: ['pages', 'summary'], ...MARCH });
    const range = { from: Date.UTC(2025, 2, 29), to: Date.UTC(2025, 3, 1) };
    const ofWebsite = { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false, range };
    expect(reaches).to.deep.equal([ofWebsite, ofWebsite]);
    reaches.length = 0;
    await service.call('/v1/query', { method: 'POST', body: { parameters: ['active_stats'] } });
    expect(reaches).to.have.length(1);
    expect(reaches[0]).to.include({ organizationId: 'org_a', organizationEvents: true });
    expect(reaches[0]?.range).to.deep.equal({ from: GOLDEN_NOW - 5 * 60_000, to: GOLDEN_NOW + 1 });
  });

  it('runs identical datasets once, under whatever name, id or request they stand', async () => {
    rows = [{ d_path: '/', m_pageviews: 3, m_visitors: 2 }];
    const filters = [{ field: 'path', op: 'eq', value: '/' }];
    const series = ['summary', 'events_by_date'];
    const answer = await service.query([
      { parameters: ['pages', { name: 'pages', id: 'again' }, ...series], ...MARCH, filters },
      { parameters: ['pages'], ...MARCH, filters },
      { parameters: ['pages'], ...MARCH },
      { parameters: ['pages'], ...MARCH, filters, sortBy: 'path' },
      { parameters: ['pages'], ...MARCH, filters, endDate: '2025-03-30' },
    ]);
    // The list, the series, and the list of other events, in another order, and of another range.
    expect(runs).to.have.length(5);
    const pages = ofBatch(answer).filter(({ parameter }) => parameter === 'pages' || parameter === 'again');
    for (const { data } of pages) expect(data).to.deep.equal([{ path: '/', pageviews: 3, visitors: 2 }]);
    expect(pages).to.have.length(6);
  });

  it('answers 50 datasets of ten years of days when the range is one, as far as 100,000 rows reach', async () => {
    const parameters = Array.from({ length: 50 }, (_, index) => ({ name: 'summary', id: `${index}` }));
    const range = { startDate: '2015-01-01', endDate: '2025-01-07' };
    const data = datasetsOf(await service.query({ parameters, ...range }));
    expect(data.filter(({ success }) => success)).to.have.length(27);
    expect(runs).to.have.length(1);
    const refused = data.filter(({ success }) => !success);
    expect(refused.map(({ error }) => error)).to.deep.equal(Array(23).fill(TOO_MANY_ROWS));
  });

  it('cuts no buckets beyond 100,000 rows, and says so of each dataset that does not fit', async () => {
    const body = Array.from({ length: 50 }, (_, request) => ({
      parameters: Array.from({ length: 50 }, (_, index) => ({
        name: 'summary',
        startDate: day(request * 50 + index),
        endDate: day(request * 50 + index + 3_599),
      })),
    }));
    const cpuMs = startCpuTime();
    const data = ofBatch(await service.query(body, '&timezone=America/New_York'));
    // Cutting all of them took half a minute.
    expect(cpuMs()).to.be.lessThan(10_000);
    const answered = data.filter(({ success }) => success);
    expect(answered).to.have.length(27);
    expect(runs).to.have.length(27);
    expect(new Set(data.slice(100).map(({ error }) => error))).to.deep.equal(new Set([TOO_MANY_ROWS]));
  });

  it('counts the rows that lists have, not those that they may have', async () => {
    rows = Array.from({ length: 4_000 }, (_, n) => ({ d_path: `/${n}`, m_pageviews: 1, m_visitors: 1 }));
    const requests = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ parameters: ['pages'], ...MARCH, limit: 10_000 - n }));
    const data = ofBatch(await service.query(requests(26)));
    expect(data.map(({ success }) => success)).to.deep.equal([...Array(25).fill(true), false]);
    expect(data.at(-1)?.error).to.equal(TOO_MANY_ROWS);
  });

  it('answers at most 32 MB; the first that would pass it fails alone, later ones that fit do not', async () => {
    const path = '/'.padEnd(2_000, 'é');
    const big = Array.from({ length: 5_000 }, () => ({ d_path: path, m_pageviews: 1, m_visitors: 1 }));
    rows = big;
    const body = [1, 2, 3].map((n) => ({ parameters: ['pages'], ...MARCH, limit: 5_000 + n }));
    const data = ofBatch(await service.query([...body, { parameters: ['summary'], ...MARCH }]));
    expect(data.map(({ success, data: shown }) => [success, shown.length])).to.deep.equal([
      [true, 5_000],
      [false, 0],
      [false, 0],
      [true, 3],
    ]);
    expect(data[1]?.error).to.equal(TOO_MANY_BYTES);
  });

  it('counts every copy of a dataset that is asked for many times', async () => {
    const path = '/'.padEnd(2_000, 'x');
    rows = Array.from({ length: 1_000 }, () => ({ d_path: path, m_pageviews: 1, m_visitors: 1 }));
    const copies = (count: number) => ({ parameters: Array(count).fill('pages'), ...MARCH, limit: 1_000 });
    expect(datasetsOf(await service.query(copies(16))).every(({ success }) => success)).to.equal(true);
    const data = datasetsOf(await service.query(copies(17)));
    expect(data.map(({ error }) => error)).to.deep.equal(Array(17).fill(TOO_MANY_BYTES));
  });
});

describe('the queries of one call', () => {
  it('run a few ahead of the one whose rows are due, and come in their order', async () => {
    const started: number[] = [];
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const run = async (query: number) => {
      started.push(query);
      if (query === 0) await first;
      return [{ query }];
    };
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const order: number[] = [];
    const results = runInOrder(numbers, run, new AbortController().signal);
    const next = results.next();
    expect(started).to.deep.equal([0, 1, 2, 3]);
    release();
    order.push((await next).value?.[0]);
    for await (const [query, rows] of results) {
      expect(rows).to.deep.equal([{ query }]);
      expect(started.length).to.be.at.most(query + 4);
      order.push(query);
    }
    expect(order).to.deep.equal(numbers);
  });

  it('end together with the fault of any of them', async () => {
    const fault = new Error('the disk is gone');
    const untilAborted = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const run = (query: number, signal: AbortSignal) =>
      query === 2 ? Promise.reject(fault) : untilAborted(signal);
    const results = runInOrder([0, 1, 2, 3], run, new AbortController().signal);
    const caught = await results.next().catch((thrown: unknown) => thrown);
    expect(caught).to.equal(fault);
  });
});
