/** What a policy needs to run alone: a runtime over ports in memory, and a request with its context. */

import { randomBytes } from 'node:crypto';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createPasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';
import { type PlansFile, plansFileSchema } from '../../services/shared/plugin/plans.ts';
import {
  type GatewayRequest,
  type PolicyHandler,
  RequestContext,
} from '../../services/shared/plugin/request-context.ts';
import type { GatewayRuntime } from '../../services/shared/plugin/runtime.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { createStrictLogger } from './log-watch.ts';

export const TEST_PLANS: PlansFile = plansFileSchema.parse({
  plans: { free: { per10Seconds: 50, perMinute: 300 }, pro: { per10Seconds: 200, perMinute: 1200 } },
  limits: {
    public: { limit: 100, windowSeconds: 60, override: 'publicPerMinute' },
    login: { limit: 30, windowSeconds: 60, per: 'address' },
    refresh: { limit: 30, windowSeconds: 60, per: 'session' },
    'custom-sql': { limit: 30, windowSeconds: 60, override: 'customSqlPerMinute' },
    'batch-datasets': {
      limit: 6000,
      windowSeconds: 60,
      cost: 'datasets',
      override: 'batchDatasetsPerMinute',
    },
    'batch-events': { limit: 60_000, windowSeconds: 60, cost: 'events', override: 'batchEventsPerMinute' },
  },
});

/** The address that every request of the kit comes from. */
export const TEST_ADDRESS = '192.0.2.7';

export function createTestRuntime(documents: DocumentStore, clock: Clock): GatewayRuntime {
  return {
    logger: createStrictLogger(),
    clock,
    documents,
    counters: new MemoryCounterStore(clock),
    metrics: new PrometheusMetrics(),
    plans: TEST_PLANS,
    serviceEndpoints: {},
    endpoints: new Map(),
    ids: createIds(),
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: { serviceDomain: 'localhost', originPorts: [] },
    cookieKey: randomBytes(32),
    bus: new MemoryBus(),
    jwksText: '{}',
    openApiText: '{}',
    addressOf: () => TEST_ADDRESS,
    isFromTrustedProxy: () => false,
    identityToken: () => 'token',
    captureExpress: () => {},
    isDraining: () => false,
    policyInstances: new Map(),
    onClose: () => {},
  };
}

/** An endpoint that needs read:data, unless told otherwise. */
export function testEndpoint(own: Partial<Endpoint> = {}): Endpoint {
  return {
    name: 'test',
    access: 'scoped',
    roles: [],
    scopes: ['read:data'],
    class: 'other',
    limits: [],
    cost: 'request',
    cors: 'own',
    endedSession: 'refused',
    allow: null,
    ...own,
  };
}

/** A request with these raw headers, names and values in turn. */
export function testRequest(
  runtime: GatewayRuntime,
  endpoint: Endpoint,
  rawHeaders: readonly string[] = [],
): GatewayRequest {
  const req = new IncomingMessage(new Socket());
  req.rawHeaders = [...rawHeaders];
  const context = new RequestContext(runtime, 'req_test', endpoint, req);
  return Object.assign(req, { url: '/', method: 'GET', context });
}

/** Runs the policy to its `next`; what it gave to it. */
export function passThrough(policy: PolicyHandler, req: GatewayRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const running = policy(req, {} as ServerResponse, resolve);
    if (running instanceof Promise) running.catch(reject);
  });
}
