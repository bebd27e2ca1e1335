/** Gateways over the same stores see each other: what each told last, until it ends, falls silent, or says something unknown. */
import { expect } from 'chai';
import { createGatewaySnapshots } from '../../../../gateway/serve/platform/gateway-snapshots.ts';
import type { GatewayState } from '../../../../gateway/serve/platform/gateway-state.ts';
import {
  mergeLimits,
  mergeTraffic,
  mergeUpstreams,
} from '../../../../gateway/serve/platform/merge-states.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { eventually } from '../../../support/eventually.ts';
import { createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const AT = '2026-01-15T09:30:00.000Z';

function stateOf(hash: string, requests: number): GatewayState {
  const throttled = { organization: 'org_a', key: null, endpoint: 'query', limit: 'plan', window: '60 s' };
  return {
    configuration: { hash, ageSeconds: 1, pinned: null },
    traffic: {
      seconds: 5,
      requestsPerSecond: requests,
      byStatus: [{ name: '200', perSecond: requests }],
      endpoints: [
        {
          ...{ endpoint: 'query', perSecond: requests, refusedPerSecond: 1, failedPerSecond: 0 },
          ...{ p50Ms: requests, p95Ms: null, p99Ms: null },
        },
      ],
      connections: 1,
      cpuPercent: 1,
      residentMb: 1,
    },
    limits: [{ name: 'plan', perSecond: 1 }],
    refused: [{ code: 'RATE_LIMIT_EXCEEDED', endpoint: 'query', requests: 2 }],
    throttled: [{ ...throttled, refusals: requests, at: AT, reset: AT }],
    nearLimits: [{ organization: 'org_a', key: null, limit: 100, remaining: requests, reset: AT }],
    services: [{ service: 'query', perSecond: requests, failuresPerSecond: 1 }],
    upstreams: [
      {
        ...{ service: 'query', address: 'http://a', isHealthy: requests > 5 },
        ...{ breaker: requests > 5 ? 'open' : 'failing', inFlight: requests, requests: 100 },
        ...{ failures: 7, retries: 2 },
      },
    ],
    counterStore: 0,
  };
}

describe('the snapshots of gateways', () => {
  const setUp = () => {
    const clock = createTestClock(AT);
    const documents = createMemoryDocumentStore(clock);
    const ports = { documents, ids: createIds(), clock, logger: createStrictLogger() };
    const create = (isShared: boolean, state: () => Promise<GatewayState>) =>
      createGatewaySnapshots(ports, isShared, state);
    return { clock, documents, create };
  };

  it('of one that shares nothing are its own, and nothing is stored', async () => {
    const { documents, create } = setUp();
    const alone = create(false, async () => stateOf('a', 3));
    expect(
      (await alone.all()).gateways.map(({ pid, state }) => [pid, state.configuration.hash]),
    ).to.deep.equal([[process.pid, 'a']]);
    await alone.close();
    expect(await documents.gatewaySnapshots.all('installation')).to.deep.equal([]);
  });

  it('are seen by the others until a gateway ends, falls silent, or says what they do not know', async function () {
    this.timeout(20_000);
    const { clock, documents, create } = setUp();
    const [one, two] = [create(true, async () => stateOf('a', 3)), create(true, async () => stateOf('b', 9))];
    await eventually(async () => (await documents.gatewaySnapshots.all('installation')).length).equals(2);
    const seen = await one.all();
    expect(seen.gateways.map(({ state }) => state.configuration.hash)).to.deep.equal(['a', 'b']);
    expect((await two.all()).gateways.map(({ state }) => state.configuration.hash)).to.deep.equal(['b', 'a']);
    await two.close();
    expect((await one.all()).gateways).to.have.length(1);

    const told = { organizationId: 'installation', host: 'h', pid: 1, startedAt: AT, seenAt: AT };
    await documents.gatewaySnapshots.insert({ ...told, id: 'gwy_x', state: '{"of":"another version"}' });
    await documents.gatewaySnapshots.insert({ ...told, id: 'gwy_y', state: 'nonsense' });
    await documents.gatewaySnapshots.insert({ ...told, id: 'gwy_z', state: JSON.stringify(stateOf('z', 1)) });
    expect((await one.all()).gateways.map(({ id }) => id).slice(1)).to.deep.equal(['gwy_z']);
    clock.advance(20_001);
    expect((await one.all()).gateways.slice(1)).to.deep.equal([]);
    clock.advance(600_000);
    await one.all();
    const kept = (await documents.gatewaySnapshots.all('installation')).map(({ id }) => id);
    expect(kept).to.not.include.members(['gwy_z']);
    await one.close();
    expect(await documents.gatewaySnapshots.all('installation')).to.deep.equal([]);
  });

  it('are this gateway alone while the store does not answer', async () => {
    const { documents, create } = setUp();
    const down = {
      ...documents,
      gatewaySnapshots: {
        ...documents.gatewaySnapshots,
        all: async () => {
          throw new Error('down');
        },
      },
    };
    const { clock } = setUp();
    const ports = { documents: down, ids: createIds(), clock, logger: createStrictLogger() };
    const one = createGatewaySnapshots(ports, false, async () => stateOf('a', 3));
    const { gateways, storeAnswers } = await one.all();
    expect([gateways.length, storeAnswers]).to.deep.equal([1, false]);
    expect((await create(false, async () => stateOf('a', 3)).all()).storeAnswers).to.equal(true);
  });

  it('are put together: rates add up, the slowest tells times, the fewest remaining tells who is near', () => {
    const gateway = { id: 'gwy_a', host: 'h', pid: 1, startedAt: AT, seenAt: AT };
    const gateways = [
      { ...gateway, state: stateOf('a', 3) },
      { ...gateway, id: 'gwy_b', state: stateOf('a', 9) },
    ];
    const traffic = mergeTraffic(gateways);
    expect(traffic).to.deep.include({
      requestsPerSecond: 12,
      byStatus: [{ name: '200', perSecond: 12 }],
      endpoints: [
        {
          endpoint: 'query',
          perSecond: 12,
          p50Ms: 9,
          p95Ms: null,
          p99Ms: null,
          refusedPerSecond: 2,
          failedPerSecond: 0,
        },
      ],
      refused: [{ code: 'RATE_LIMIT_EXCEEDED', endpoint: 'query', requests: 4 }],
    });
    expect(traffic.gateways.map(({ id }) => id)).to.deep.equal(['gwy_a', 'gwy_b']);
    const { limits, throttled, nearLimits } = mergeLimits(gateways);
    expect(limits).to.deep.equal([{ name: 'plan', perSecond: 2 }]);
    expect(throttled.map(({ refusals }) => refusals)).to.deep.equal([12]);
    expect(nearLimits.map(({ remaining }) => remaining)).to.deep.equal([3]);
    const service = { urls: ['http://a', 'http://b'] } as never;
    const [upstream] = mergeUpstreams({ query: service }, gateways);
    expect(upstream).to.deep.equal({
      service: 'query',
      requestsPerSecond: 12,
      failuresPerSecond: 2,
      addresses: [
        {
          ...{ address: 'http://a', isChecked: true, hasBreaker: true, gateways: 2 },
          ...{ unhealthyAt: 1, openAt: 1, failingAt: 1, outAt: 2 },
          ...{ inFlight: 12, requests: 200, failures: 14, retries: 4 },
        },
        {
          ...{ address: 'http://b', isChecked: false, hasBreaker: false, gateways: 2 },
          ...{ unhealthyAt: 0, openAt: 0, failingAt: 0, outAt: 0 },
          ...{ inFlight: 0, requests: 0, failures: 0, retries: 0 },
        },
      ],
    });
  });
});
