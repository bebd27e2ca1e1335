/** What every query route refuses: no identity, wrong method, missing scope; and a store that is down. */
import { expect } from 'chai';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  type CallOptions,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';
import { withRun } from '../../support/query/with-run.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };

describe('the query service', () => {
  let service: StartedQueryService;
  let isStoreDown = false;
  before(async () => {
    service = await startQueryService({
      log: GOLDEN_LOG,
      now: GOLDEN_NOW,
      wrapEvents: (events) =>
        withRun(events, (query, read) =>
          isStoreDown ? Promise.reject(new ApiError('SERVICE_UNAVAILABLE')) : events.run(query, read),
        ),
    });
  });
  after(() => service.close());

  const routes: readonly [string, CallOptions][] = [
    ['/v1/query', { method: 'POST', body: { parameters: ['pages'], ...MARCH } }],
    ['/v1/query/websites', {}],
    ['/v1/query/types', {}],
  ];
  for (const [path, options] of routes) {
    it(`${path} refuses a request without identity with AUTH_REQUIRED`, async () => {
      expectError(await service.call(path, { ...options, as: null }), 401, 'AUTH_REQUIRED');
      expectError(await service.call(path, { ...options, as: 'forged' }), 401, 'AUTH_REQUIRED');
    });

    it(`${path} refuses another method with METHOD_NOT_ALLOWED and names those that are`, async () => {
      const answer = await service.call(path, { method: 'DELETE' });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).to.equal(options.method ?? 'GET, HEAD');
    });
  }

  for (const [path, options] of routes.slice(0, 2)) {
    it(`${path} refuses a caller without read:data with INSUFFICIENT_SCOPE`, async () => {
      const answer = await service.call(path, { ...options, as: 'unscoped' });
      expectError(answer, 403, 'INSUFFICIENT_SCOPE');
      expect(answer.body.error).to.include('read:data');
    });

    it(`${path} refuses nobody in particular with AUTH_REQUIRED`, async () => {
      expectError(await service.call(path, { ...options, as: 'public' }), 401, 'AUTH_REQUIRED');
    });
  }

  it('answers NOT_FOUND on an unknown path', async () => {
    expectError(await service.call('/v1/query/nothing'), 404, 'NOT_FOUND');
  });

  it('answers UPSTREAM_UNAVAILABLE when the event store is down', async () => {
    isStoreDown = true;
    const answer = await service.query({ parameters: ['pages', 'traffic'], ...MARCH });
    isStoreDown = false;
    expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
  });
});

describe('a client that leaves', () => {
  it('ends the queries of its call', async () => {
    let onRun = () => {};
    let onAbort = () => {};
    const running = new Promise<void>((resolve) => {
      onRun = resolve;
    });
    const aborted = new Promise<void>((resolve) => {
      onAbort = resolve;
    });
    const service = await startQueryService({
      log: [],
      now: GOLDEN_NOW,
      wrapEvents: (events) =>
        withRun(
          events,
          (_query, { signal }) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener('abort', () => {
                onAbort();
                reject(signal.reason);
              });
              onRun();
            }),
        ),
    });
    const leaving = new AbortController();
    const body = { parameters: ['pages'], ...MARCH };
    const call = service.call('/v1/query', { method: 'POST', body, signal: leaving.signal }).then(
      () => 'answered',
      () => 'left',
    );
    await running;
    leaving.abort();
    expect(await call).to.equal('left');
    await aborted;
    await service.close();
  });
});
