/** A runtime over ports in memory, for policies under test. */
import { pino } from 'pino';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { plansFileSchema } from '../../../services/shared/plans/plans.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import type { GatewayRuntime } from '../runtime.ts';

/** The address that requests come from. */
export const TEST_ADDRESS = '192.0.2.7';

/** Small round numbers, with no limit that an endpoint would have to name. */
export const SMALL_PLANS = plansFileSchema.parse({
  plans: { free: { per10Seconds: 50, perMinute: 300 }, pro: { per10Seconds: 200, perMinute: 1200 } },
  limits: { public: { limit: 100, windowSeconds: 60 } },
});

/** A port that the test did not provide: using it throws with a clear message, so that no test passes by chance. */
function absent<Name extends keyof GatewayRuntime>(name: Name): GatewayRuntime[Name] {
  const refuse = (): never => {
    throw new Error(`this test gave its gateway no ${name}`);
  };
  return new Proxy(refuse, { get: refuse, apply: refuse }) as unknown as GatewayRuntime[Name];
}

/** Everything that policies may use; what needs a store, a key or a network must be given in `own`. */
export function createMemoryRuntime(clock: Clock, own: Partial<GatewayRuntime> = {}): GatewayRuntime {
  return {
    logger: pino({ level: 'silent' }),
    clock,
    counters: new MemoryCounterStore(clock),
    metrics: new PrometheusMetrics(),
    plans: SMALL_PLANS,
    bus: new MemoryBus(),
    serviceEndpoints: {},
    servicesInProcess: new Map(),
    upstreamClient: 'own',
    scopes: SHIPPED_CATALOGUE,
    endpoints: new Map(),
    ownDomains: { serviceDomain: 'localhost', originPorts: [] },
    documents: absent('documents'),
    ids: absent('ids'),
    randomBytes: absent('randomBytes'),
    passwords: absent('passwords'),
    platform: absent('platform'),
    tracer: null,
    cookieKey: new Uint8Array(32),
    jwksText: '{}',
    openApiText: () => '{}',
    hsts: null,
    addressOf: () => TEST_ADDRESS,
    isFromTrustedProxy: () => false,
    identityToken: absent('identityToken'),
    backendToken: absent('backendToken'),
    captureExpress: () => {},
    isDraining: () => false,
    kept: new Map(),
    policyInstances: new Map(),
    onClose: () => {},
    ...own,
  };
}
