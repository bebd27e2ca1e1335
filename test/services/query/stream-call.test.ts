/** Answers line by line: order, faults before and after the first line, readers that are slow and readers that leave. */
import { expect } from 'chai';
import { rowNames } from '../../../services/query/stages/row-names.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { EventStore } from '../../../services/shared/ports/event-store.ts';
import { allLines, linesOf } from '../../support/lines.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  type ShownDataset,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';
import { withRun } from '../../support/query/with-run.ts';
import { until } from '../../support/until.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const PATH = '/v1/query?website_id=web_a';
const LINES = { accept: 'application/x-ndjson' };

interface Line extends ShownDataset {
  readonly queryId?: string;
  readonly request?: number;
  readonly dataset?: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly meta?: unknown;
}

/** What each of the queries does, in the order in which they begin; those after the last one ask the store. */
type Runs = ((signal: AbortSignal) => ReturnType<EventStore['run']>)[];

describe('an answer in lines', () => {
  let service: StartedQueryService;
  let runs: Runs = [];
  let started = 0;
  before(async () => {
    const wrapEvents = (events: EventStore) =>
      withRun(events, (query, read) => {
        started++;
        return runs.shift()?.(read.signal ?? new AbortController().signal) ?? events.run(query, read);
      });
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW, wrapEvents });
  });
  beforeEach(() => {
    runs = [];
    started = 0;
  });
  after(() => service.close());

  const open = (body: unknown, accept = LINES.accept, signal?: AbortSignal) =>
    service.open(PATH, { method: 'POST', body, headers: { accept }, signal });

  /** A query that ends when told, or when its call ends. */
  function held() {
    let settle = { resolve: (_rows: readonly []): void => {}, reject: (_fault: unknown): void => {} };
    const promise = new Promise<readonly []>((resolve, reject) => {
      settle = { resolve, reject };
    });
    const { resolve, reject } = settle;
    const state = { ended: false, release: () => resolve([]), fail: reject };
    const run = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        state.ended = true;
        reject(signal.reason);
      });
      return promise;
    };
    return { state, run };
  }

  it('has the datasets of the JSON answer in request order, failed ones in their place, and its meta', async () => {
    const asked = {
      id: 'q',
      parameters: ['pages', 'pagse', { name: 'traffic', id: 't' }, 'pages'],
      ...MARCH,
    };
    const json = (await service.query(asked)).body as { data: ShownDataset[]; meta: unknown };
    const lines = await allLines<Line>(await open(asked));
    const last = lines.pop();
    expect(last).to.deep.equal({ meta: json.meta });
    const order = lines.map(({ queryId, request, dataset, parameter }) => [
      queryId,
      request,
      dataset,
      parameter,
    ]);
    expect(order).to.deep.equal([
      ['q', 0, 0, 'pages'],
      ['q', 0, 1, 'pagse'],
      ['q', 0, 2, 't'],
      ['q', 0, 3, 'pages'],
    ]);
    const [pages, pagse, traffic, again] = lines.map(
      ({ queryId: _q, request: _r, dataset: _d, ...rest }) => rest,
    );
    expect([pages, traffic, again, pagse]).to.deep.equal(json.data);
  });

  it('tells of a batch the place of each dataset and what meta says of each request object', async () => {
    const asked = [
      { id: 'a', parameters: ['pages'], ...MARCH },
      { parameters: ['pagse', 'pages'], ...MARCH },
    ];
    const { results } = (await service.query(asked)).body as { results: { meta: object }[] };
    const lines = await allLines<Line>(await open(asked));
    expect(lines.pop()).to.deep.equal({
      meta: [{ queryId: 'a', ...results[0]?.meta }, { ...results[1]?.meta }],
    });
    expect(lines.map(({ request, dataset }) => [request, dataset])).to.deep.equal([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
  });

  it('sends a dataset while a later one is computed, and waits for an earlier one', async () => {
    const [first, third] = [held(), held()];
    runs = [first.run, async () => [], third.run];
    const response = open({ parameters: ['pages', 'summary', 'countries'], ...MARCH });
    await until('the queries begin', () => started === 3);
    first.state.release();
    const lines = linesOf<Line>(await response);
    expect((await lines.next()).value).to.include({ dataset: 0, success: true });
    expect((await lines.next()).value).to.include({ dataset: 1, success: true });
    third.state.release();
    expect((await lines.next()).value).to.include({ dataset: 2, success: true });
    expect((await lines.next()).value).to.have.property('meta');
    expect((await lines.next()).done).to.equal(true);
  });

  it('is the usual error, with its status, for whatever fails before the first line', async () => {
    runs = [() => Promise.reject(new ApiError('SERVICE_UNAVAILABLE'))];
    const response = await open({ parameters: ['pages', 'traffic'], ...MARCH });
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([
      503,
      'application/json; charset=utf-8',
    ]);
    const wrong = await open({ parameters: ['pages'], startDate: '2025-02-30', endDate: '2025-03-01' });
    expect([wrong.status, ((await wrong.json()) as Line).code]).to.deep.equal([400, 'INVALID_DATE_RANGE']);
  });

  it('ends with the error of the whole call, without its cause, after the first line', async () => {
    const second = held();
    runs = [async () => [], second.run];
    const response = await open({ parameters: ['pages', 'traffic', 'countries'], ...MARCH });
    const lines = linesOf<Line>(response);
    expect((await lines.next()).value).to.include({ dataset: 0, success: true });
    second.state.fail(new Error('a secret of the store'));
    const last = (await lines.next()).value;
    expect(last).to.include({ success: false, code: 'INTERNAL_ERROR', requestId: 'r-1' });
    expect(JSON.stringify(last)).to.not.contain('secret');
    expect((await lines.next()).done).to.equal(true);
  });

  it('ends the queries when the reader leaves', async () => {
    const second = held();
    runs = [async () => [], second.run];
    const left = new AbortController();
    const response = await open({ parameters: ['pages', 'traffic'], ...MARCH }, LINES.accept, left.signal);
    expect((await linesOf<Line>(response).next()).value).to.include({ dataset: 0 });
    left.abort();
    await until('the query ends', () => second.state.ended);
  });

  it('computes no more than a few datasets ahead of a reader who does not read', async () => {
    const path = 'x'.repeat(1024 * 1024);
    const parameters = Array.from({ length: 28 }, (_, day) => ({
      name: 'pages',
      startDate: '2025-01-01',
      endDate: `2025-01-${String(day + 1).padStart(2, '0')}`,
    }));
    runs = parameters.map(() => async () => [{ [rowNames.dimension('path')]: path }]);
    const response = await open({ parameters });
    // As many exchanges as it would take to compute them all.
    for (const _ of parameters) await service.call('/v1/query/types');
    expect(started).to.be.within(1, parameters.length - 1);
    const lines = await allLines<Line>(response);
    expect(lines).to.have.length(parameters.length + 1);
    expect(lines[0]?.data[0]).to.include({ path });
    expect(started).to.equal(parameters.length);
  });

  for (const [accept, type] of [
    ['application/x-ndjson, */*;q=0.5', 'application/x-ndjson'],
    ['application/json;q=0.1, application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson;q=0', 'application/json; charset=utf-8'],
    ['application/json, application/x-ndjson', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
  ] as const) {
    it(`is ${type} for Accept: ${accept}`, async () => {
      const response = await open({ parameters: ['pages'], ...MARCH }, accept);
      await response.text();
      expect(response.headers.get('content-type')).to.equal(type);
    });
  }
});
