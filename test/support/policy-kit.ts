/** What a policy needs to run alone: a runtime over ports in memory, and a request with its context. */

import { randomBytes } from 'node:crypto';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  type GatewayRequest,
  type PolicyHandler,
  RequestContext,
} from '../../plugins/kit/request-context.ts';
import type { GatewayRuntime } from '../../plugins/kit/runtime.ts';
import { createMemoryRuntime } from '../../plugins/kit/testing/test-runtime.ts';
import { createPasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import { type PlansFile, plansFileSchema } from '../../services/shared/plans/plans.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
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

export { testEndpoint } from '../../plugins/kit/testing/test-request.ts';
export { TEST_ADDRESS } from '../../plugins/kit/testing/test-runtime.ts';

export function createTestRuntime(documents: DocumentStore, clock: Clock): GatewayRuntime {
  return createMemoryRuntime(clock, {
    logger: createStrictLogger(),
    documents,
    plans: TEST_PLANS,
    ids: createIds(),
    randomBytes,
    passwords: createPasswordHasher(),
    cookieKey: randomBytes(32),
    identityToken: () => 'token',
    backendToken: () => 'token',
  });
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
