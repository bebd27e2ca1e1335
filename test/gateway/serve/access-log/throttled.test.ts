/** Who is throttled: refusals of the last minute by limits, per caller, endpoint and limit. */
import { expect } from 'chai';
import type { AccessEntry } from '../../../../gateway/serve/access-log/access-entry.ts';
import { RefusedRequests } from '../../../../gateway/serve/access-log/refused-requests.ts';
import { throttledCallers } from '../../../../gateway/serve/access-log/throttled.ts';

const NOW = Date.UTC(2026, 10, 27, 12);
const LIMIT = {
  name: 'plan',
  limit: 50,
  cost: 1,
  remaining: 0,
  window: '10 s',
  reset: '2026-11-27T12:00:09.000Z',
};

const entry = (secondsAgo: number, overrides: Partial<AccessEntry> = {}): AccessEntry =>
  ({
    time: new Date(NOW - secondsAgo * 1_000).toISOString(),
    requestId: 'req_1',
    endpoint: 'query',
    organization: 'org_a',
    key: 'key_1',
    limit: LIMIT,
    ...overrides,
  }) as AccessEntry;

describe('throttled callers', () => {
  it('are those that limits refused within the last minute, the most often refused first', () => {
    const refused = new RefusedRequests(100);
    refused.add(entry(61));
    refused.add(entry(50, { key: 'key_2' }));
    refused.add(entry(40));
    refused.add(entry(30, { limit: null }));
    // It began long ago.
    refused.add(entry(70, { endpoint: 'slow' }));
    refused.add(entry(20));
    refused.add(entry(10, { limit: { ...LIMIT, name: 'login' } }));
    const found = throttledCallers(refused.newest(), NOW);
    expect(found.map(({ key, limit, refusals }) => [key, limit, refusals])).to.deep.equal([
      ['key_1', 'plan', 2],
      ['key_1', 'login', 1],
      ['key_2', 'plan', 1],
    ]);
    expect(found[0]).to.deep.equal({
      organization: 'org_a',
      key: 'key_1',
      endpoint: 'query',
      limit: 'plan',
      window: '10 s',
      refusals: 2,
      at: '2026-11-27T11:59:40.000Z',
      reset: LIMIT.reset,
    });
  });

  it('are none where nobody was refused', () => {
    expect(throttledCallers(new RefusedRequests(3).newest(), NOW)).to.deep.equal([]);
  });
});
