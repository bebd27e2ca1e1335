/** One configuration at work: its engine, its rules and what its policies hold. A reload makes the next one and retires this. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Endpoint } from '../services/shared/plugin/endpoint.ts';
import { sendError, sendNothing } from '../services/shared/plugin/reply.ts';
import { type GatewayRequest, RequestContext } from '../services/shared/plugin/request-context.ts';
import type { ExpressApp, GatewayRuntime } from '../services/shared/plugin/runtime.ts';
import { limitNames, MeasuredCounterStore } from '../services/shared/rate-limit/measured-counter-store.ts';
import type { Configuration } from './configuration/configuration.ts';
import type { GatewayOptions } from './create-gateway.ts';
import { type Chain, endpointRule } from './engine/dispatch-table.ts';
import { runChain, startEngine } from './engine/engine.ts';
import { runOnExpress } from './engine/express-bridge.ts';
import { createHealth } from './health.ts';
import { addCorsHeaders, addPreflightHeaders, preflightMethod } from './http/cors.ts';
import { keptRequestId } from './http/request-id.ts';
import { framingFault, isAmbiguous, originForm, pathOf } from './http/request-target.ts';
import { createRequestMeasures } from './request-measures.ts';

/** Rules of what is answered before any endpoint is matched. */
const OWN_ENDPOINT: Endpoint = {
  name: 'gateway',
  access: 'public',
  roles: [],
  scopes: [],
  class: 'other',
  limits: [],
  cost: 'request',
  cors: 'own',
  endedSession: 'refused',
  allow: null,
};

/** What all generations of a gateway have in common. */
export interface GenerationParts
  extends Pick<GatewayRuntime, 'jwksText' | 'addressOf' | 'isFromTrustedProxy' | 'isDraining'> {
  readonly options: Omit<GatewayOptions, 'configuration'>;
  newRequestId(): string;
  /** As of the readiness path: it ends, and is to be left. */
  isLeaving(): boolean;
  /** Connections on which a request could not be told from the next: what stands behind it there is no request. */
  readonly broken: WeakSet<Socket>;
}

export interface Generation {
  readonly configuration: Configuration;
  readonly runtime: GatewayRuntime;
  /** EG's app, whatever it serves. */
  readonly app: ExpressApp | null;
  onRequest(req: GatewayRequest, res: ServerResponse): void;
  /** A reply was written on the bare socket. */
  countRaw(status: number): void;
  /** Resolves when every request that this generation took is answered, at once when there is none. */
  idle(): Promise<void>;
  /** Ends what its policies hold: pools, timers, subscriptions. */
  close(): Promise<void>;
}

/** Rejects on any fault of the configuration, and leaves nothing behind: a generation never starts half. */
export async function startGeneration(
  configuration: Configuration,
  { options, newRequestId, broken, isLeaving, ...common }: GenerationParts,
): Promise<Generation> {
  const { logger, metrics } = options;
  const closers: (() => Promise<void> | void)[] = [];
  let app: ExpressApp | null = null;
  const runtime: GatewayRuntime = {
    ...common,
    logger,
    clock: options.clock,
    documents: options.documents,
    counters: new MeasuredCounterStore(options.counters, metrics, limitNames(configuration.plans)),
    metrics,
    ids: options.ids,
    randomBytes: options.randomBytes,
    passwords: options.passwords,
    ownDomains: options.ownDomains,
    cookieKey: options.cookieKey,
    bus: options.bus,
    plans: configuration.plans,
    serviceEndpoints: configuration.serviceEndpoints,
    endpoints: new Map(configuration.endpoints.map((endpoint) => [endpoint.name, endpointRule(endpoint)])),
    openApiText: options.openApiText(configuration),
    identityToken: (principal, audience) => options.identity.token(principal, audience),
    captureExpress: (captured) => {
      app = captured;
    },
    policyInstances: new Map(),
    onClose: (close) => closers.push(close),
  };
  async function close(): Promise<void> {
    for (const each of closers.splice(0).reverse()) await each();
  }

  const { table, express } = await startEngine(configuration, runtime, () => app).catch(async (fault) => {
    await close();
    throw fault;
  });
  const health = createHealth(runtime, {
    countersAreDegraded: options.countersAreDegraded ?? (() => false),
    isLeaving,
  });
  const measures = createRequestMeasures(metrics, runtime.endpoints.keys(), OWN_ENDPOINT.name);

  const matchedChain = (method: string, path: string): Chain | null =>
    isAmbiguous(path) ? table.unmatched : table.match(method, path);

  function onRequest(req: GatewayRequest, res: ServerResponse): void {
    if (broken.has(req.socket)) return;
    const requestId = keptRequestId(req.headers['x-request-id']) ?? newRequestId();
    const context = new RequestContext(runtime, requestId, OWN_ENDPOINT, req);
    req.context = context;
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
      addPreflightHeaders(req, matchedChain(preflight, path)?.endpoint ?? OWN_ENDPOINT, runtime.ownDomains);
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
    addCorsHeaders(req, matched.endpoint, runtime.ownDomains);
    runChain(matched, req, res);
  }

  return { configuration, runtime, app, onRequest, countRaw: measures.countRaw, idle: measures.idle, close };
}
