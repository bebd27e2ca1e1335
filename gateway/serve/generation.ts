/** One configuration in use: its engine, its rules and its policies' resources. A reload creates the next one and retires this one. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientUpgrade } from '../../plugins/kit/client-upgrade.ts';
import { sendError, sendNothing } from '../../plugins/kit/reply.ts';
import { type GatewayRequest, RequestContext } from '../../plugins/kit/request-context.ts';
import { runChain } from '../../plugins/kit/run-chain.ts';
import type { ExpressApp, GatewayRuntime } from '../../plugins/kit/runtime.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { isAmbiguous } from '../../services/shared/http/ambiguous-path.ts';
import { pathOf } from '../../services/shared/http/query-string.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { ActivityCounter } from '../../services/shared/usage/activity-counter.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { formatFault } from '../configuration/faults.ts';
import type { AccessLog } from './access-log/access-log.ts';
import { type Closer, closeAll } from './close-all.ts';
import { limitNames, MeasuredCounterStore } from './counters/measured-counter-store.ts';
import { type Chain, endpointRule } from './engine/dispatch-table.ts';
import { startEngine } from './engine/engine.ts';
import { runOnExpress } from './engine/express-bridge.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createHealth, type Health } from './health.ts';
import { addCorsHeaders, addPreflightHeaders, preflightMethod } from './http/cors.ts';
import { keptRequestId } from './http/request-id.ts';
import { framingFault, originForm } from './http/request-target.ts';
import { createRequestMeasures } from './request-measures.ts';
import type { NearLimits } from './traffic/near-limits.ts';

/** Rules for requests answered before any endpoint is matched. */
const OWN_ENDPOINT: Endpoint = {
  name: 'gateway',
  access: 'public',
  roles: [],
  scopes: [],
  class: 'other',
  limits: [],
  cost: 'request',
  countedList: null,
  cors: 'own',
  endedSession: 'refused',
  allow: null,
};

/** What all generations of a gateway share. */
export interface GenerationParts
  extends Pick<
    GatewayRuntime,
    'jwksText' | 'kept' | 'addressOf' | 'isFromTrustedProxy' | 'isDraining' | 'platform'
  > {
  readonly options: Omit<GatewayOptions, 'configuration'>;
  readonly accessLog: AccessLog;
  readonly activity: ActivityCounter;
  readonly nearLimits: NearLimits;
  newRequestId(): string;
  /** As on the readiness path: the gateway is shutting down, and clients should leave. */
  isLeaving(): boolean;
  /** Connections on which the end of a request is unclear: the bytes after it are not parsed as a request. */
  readonly broken: WeakSet<Socket>;
}

export interface Generation {
  readonly configuration: Configuration;
  readonly runtime: GatewayRuntime;
  /** How long it has been in use, in whole seconds. */
  ageSeconds(): number;
  /** Whether what it depends on is ready. */
  readonly checks: Health['checks'];
  /** EG's app. */
  readonly app: ExpressApp | null;
  /** `upgrade`: the client asks for a WebSocket on this connection. */
  onRequest(req: GatewayRequest, res: ServerResponse, upgrade?: ClientUpgrade): void;
  /** Called when a reply was written to the raw socket. */
  countRaw(status: number): void;
  /** Resolves when every request of this generation is answered, immediately if there is none. */
  idle(): Promise<void>;
  /** Closes its policies' resources: pools, timers, subscriptions. Never rejects. */
  close(): Promise<void>;
}

/** Rejects on any fault in the configuration, and leaves nothing behind: a generation never starts partially. */
export async function startGeneration(
  configuration: Configuration,
  { options, newRequestId, broken, isLeaving, accessLog, activity, nearLimits, ...common }: GenerationParts,
): Promise<Generation> {
  const { clock, logger, metrics } = options;
  const tracer = options.tracer ?? null;
  const startedAtMs = clock.now();
  const ageSeconds = (): number => Math.max(0, Math.floor((clock.now() - startedAtMs) / 1_000));
  for (const warning of configuration.warnings) logger.warn(`configuration: ${formatFault(warning)}`);
  const closers: Closer[] = [];
  let app: ExpressApp | null = null;
  const runtime: GatewayRuntime = {
    ...common,
    logger,
    clock,
    documents: options.documents,
    counters: new MeasuredCounterStore(options.counters, metrics, limitNames(configuration.plans)),
    metrics,
    ids: options.ids,
    randomBytes: options.randomBytes,
    passwords: options.passwords,
    ownDomains: options.ownDomains,
    cookieKey: options.cookieKey,
    bus: options.bus,
    tracer,
    plans: configuration.plans,
    serviceEndpoints: configuration.serviceEndpoints,
    servicesInProcess: options.servicesInProcess ?? new Map(),
    upstreamClient: options.upstreamClient ?? 'own',
    scopes: configuration.scopes,
    endpoints: new Map(configuration.endpoints.map((endpoint) => [endpoint.name, endpointRule(endpoint)])),
    openApiText: () => options.openApiText(configuration),
    hsts: configuration.https?.hstsSeconds ? `max-age=${configuration.https.hstsSeconds}` : null,
    identityToken: (principal, audience, endpoint) => options.identity.token(principal, audience, endpoint),
    backendToken: (principal, audience, isSingle) =>
      options.identity.backendToken(principal, audience, isSingle),
    captureExpress: (captured) => {
      app = captured;
    },
    policyInstances: new Map(),
    onClose: (close) => closers.push(close),
  };
  const close = (): Promise<void> => closeAll(closers, logger);

  const { table, express } = await startEngine(configuration, runtime, () => app).catch(async (fault) => {
    await close();
    throw fault;
  });
  const { answers: health, checks } = createHealth(runtime, {
    countersAreDegraded: options.countersAreDegraded ?? (() => false),
    isLeaving,
    inForce: () => ({
      hash: configuration.hash,
      ageSeconds: ageSeconds(),
      ...(configuration.pinned !== null && { pinned: configuration.pinned }),
    }),
  });
  const measures = createRequestMeasures(metrics, runtime.endpoints.keys(), OWN_ENDPOINT.name, {
    log: accessLog,
    activity,
    nearLimits,
    templateOf({ url }) {
      const path = pathOf(url);
      if (health.has(path)) return path;
      return isAmbiguous(path) ? null : table.templateOf(path);
    },
  });

  const matchedChain = (method: string, path: string): Chain | null =>
    isAmbiguous(path) ? table.unmatched : table.match(method, path);

  function onRequest(req: GatewayRequest, res: ServerResponse, upgrade: ClientUpgrade | null = null): void {
    if (broken.has(req.socket)) return;
    const requestId = keptRequestId(req.headers['x-request-id']) ?? newRequestId();
    const context = new RequestContext(runtime, requestId, OWN_ENDPOINT, req);
    req.context = context;
    context.upgrade = upgrade;
    if (tracer !== null) {
      const isTrusted = req.headers.traceparent !== undefined && runtime.isFromTrustedProxy(req);
      context.span = tracer.receive('gateway', req.headers, isTrusted);
    }
    measures.begin(res);
    const fault = framingFault(req);
    if (fault !== null) {
      res.shouldKeepAlive = false;
      broken.add(req.socket);
      sendError(req, res, fault);
      return;
    }
    req.url = originForm(req.url);
    const path = pathOf(req.url);
    const preflight = preflightMethod(req);
    if (preflight !== null) {
      const asked = matchedChain(preflight, path);
      if (asked !== null && asked.cors !== null) asked.cors.addToPreflight(req);
      else addPreflightHeaders(req, asked?.endpoint ?? OWN_ENDPOINT, runtime.ownDomains);
      sendNothing(req, res);
      return;
    }
    const own = health.get(path);
    if (own !== undefined) {
      addCorsHeaders(req, OWN_ENDPOINT, runtime.ownDomains);
      own(req, res);
      return;
    }
    const chain = matchedChain(req.method, path);
    if (chain === null && express !== null) {
      addCorsHeaders(req, OWN_ENDPOINT, runtime.ownDomains);
      runOnExpress(express, req, res);
      return;
    }
    const matched = chain ?? table.unmatched;
    context.endpoint = matched.endpoint;
    const mayRead =
      matched.cors === null
        ? addCorsHeaders(req, matched.endpoint, runtime.ownDomains)
        : matched.cors.addTo(req);
    if (upgrade !== null && req.headers.origin !== undefined && !mayRead) context.refuse(foreignPage());
    runChain(matched, req, res);
  }

  const { countRaw, idle } = measures;
  return { configuration, runtime, ageSeconds, checks, app, onRequest, countRaw, idle, close };
}

/** No browser asks before it opens a WebSocket, nor keeps what arrives there from the page; so the rule is applied here. */
function foreignPage(): ApiError {
  const text =
    'Pages of this Origin may not read the answers of this endpoint, so they open no WebSocket here.';
  return new ApiError('ACCESS_DENIED', { text });
}
