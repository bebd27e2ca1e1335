/** Assembles a gateway of a checked configuration and its ports: listener, engine, health, and an orderly end. */
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OwnDomains } from '../services/shared/access/origin-rule.ts';
import type { RandomBytes } from '../services/shared/credentials/api-key-text.ts';
import type { PasswordHasher } from '../services/shared/credentials/password-hasher.ts';
import type { Endpoint } from '../services/shared/plugin/endpoint.ts';
import { sendError, sendNothing, uncountedLimit } from '../services/shared/plugin/reply.ts';
import { type GatewayRequest, RequestContext } from '../services/shared/plugin/request-context.ts';
import type { ExpressApp, GatewayRuntime } from '../services/shared/plugin/runtime.ts';
import type { Bus } from '../services/shared/ports/bus.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { CounterStore } from '../services/shared/ports/counter-store.ts';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import type { Ids } from '../services/shared/ports/ids.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import { limitNames, MeasuredCounterStore } from '../services/shared/rate-limit/measured-counter-store.ts';
import { createClientAddress, createIsFromTrustedProxy } from './client-address.ts';
import type { Configuration } from './configuration/configuration.ts';
import { type Chain, endpointRule } from './engine/dispatch-table.ts';
import { runChain, startEngine } from './engine/engine.ts';
import { runOnExpress } from './engine/express-bridge.ts';
import { createHealth } from './health.ts';
import { addCorsHeaders, addPreflightHeaders, preflightMethod } from './http/cors.ts';
import { createHttpServer } from './http/http-server.ts';
import { closeServer, listen } from './http/listen.ts';
import { createRequestIds, keptRequestId } from './http/request-id.ts';
import { framingFault, isAmbiguous, originForm, pathOf } from './http/request-target.ts';
import type { IdentitySigner } from './identity.ts';
import { createRequestMeasures } from './request-measures.ts';

export interface GatewayOptions {
  readonly configuration: Configuration;
  readonly documents: DocumentStore;
  readonly counters: CounterStore;
  /** Whether these decide without the store that all processes share; never when absent. */
  readonly countersAreDegraded?: () => boolean;
  readonly metrics: Metrics;
  readonly bus: Bus;
  readonly identity: IdentitySigner;
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
  readonly passwords: PasswordHasher;
  readonly ownDomains: OwnDomains;
  /** Key that signs session cookies, 32 bytes. */
  readonly cookieKey: Uint8Array;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openApiText: string;
  readonly trustedProxies: readonly string[];
}

export interface Gateway {
  /** Listens; the address that it got. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Stops accepting, finishes what is in flight for at most `graceMs`, then closes. */
  close(graceMs: number): Promise<void>;
}

/** How long kept connections may still ask while the gateway closes, in milliseconds. */
const LAST_ANSWERS_MS = 300;

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

/** A gateway that answers once it listens. Rejects on any fault of its configuration: it never starts half. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { configuration, logger, metrics } = options;
  const closers: (() => Promise<void> | void)[] = [];
  let app: ExpressApp | null = null;
  let draining = false;
  const runtime: GatewayRuntime = {
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
    openApiText: options.openApiText,
    addressOf: createClientAddress(options.trustedProxies, logger),
    isFromTrustedProxy: createIsFromTrustedProxy(options.trustedProxies),
    jwksText: JSON.stringify(options.identity.publicKeys),
    identityToken: (principal, audience) => options.identity.token(principal, audience),
    captureExpress: (captured) => {
      app = captured;
    },
    isDraining: () => draining,
    policyInstances: new Map(),
    onClose: (close) => closers.push(close),
  };

  const { table, express } = await startEngine(configuration, runtime, () => app);
  const health = createHealth(runtime, options.countersAreDegraded ?? (() => false));
  const newRequestId = createRequestIds();
  const measures = createRequestMeasures(metrics, runtime.endpoints.keys(), OWN_ENDPOINT.name);
  /** Connections on which a request could not be told from the next: what stands behind it there is no request. */
  const broken = new WeakSet<Socket>();

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

  const { server, dressForExpress, cutSilent } = createHttpServer({
    onRequest,
    newRequestId,
    shownLimit: (address) => uncountedLimit(runtime, address),
    countRaw: measures.countRaw,
  });
  if (app !== null) dressForExpress(app);

  return {
    listen: (port, host) => listen(server, port, host, 'PORT, HOST'),
    async close(graceMs) {
      // Kept connections learn from their next answer that they end; then those without a request are cut.
      draining = true;
      await delay(server.listening ? Math.min(LAST_ANSWERS_MS, graceMs) : 0);
      const closed = closeServer(server, graceMs);
      cutSilent();
      await closed;
      for (const close of closers.reverse()) await close();
    },
  };
}
