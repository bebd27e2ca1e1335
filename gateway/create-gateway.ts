/** Assembles a gateway of a checked configuration and its ports: listener, engine, health, and an orderly end. */
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Endpoint } from '../services/shared/plugin/endpoint.ts';
import { sendError, uncountedLimit } from '../services/shared/plugin/reply.ts';
import { type GatewayRequest, RequestContext } from '../services/shared/plugin/request-context.ts';
import type { ExpressApp, GatewayRuntime } from '../services/shared/plugin/runtime.ts';
import type { Bus } from '../services/shared/ports/bus.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { CounterStore } from '../services/shared/ports/counter-store.ts';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import { createClientAddress } from './client-address.ts';
import type { Configuration } from './configuration/configuration.ts';
import { endpointRule } from './engine/dispatch-table.ts';
import { runChain, startEngine } from './engine/engine.ts';
import { createHealth } from './health.ts';
import { createHttpServer } from './http/http-server.ts';
import { closeServer, listen } from './http/listen.ts';
import { createRequestIds, keptRequestId } from './http/request-id.ts';
import { framingFault, isAmbiguous, originForm, pathOf } from './http/request-target.ts';
import type { IdentitySigner } from './identity.ts';

export interface GatewayOptions {
  readonly configuration: Configuration;
  readonly documents: DocumentStore;
  readonly counters: CounterStore;
  readonly bus: Bus;
  readonly identity: IdentitySigner;
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

/** Rules of what is answered before any endpoint is matched. */
const OWN_ENDPOINT: Endpoint = {
  name: 'gateway',
  access: 'public',
  roles: [],
  scopes: [],
  class: 'other',
  allow: null,
};

/** A gateway that answers once it listens. Rejects on any fault of its configuration: it never starts half. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { configuration, logger } = options;
  const closers: (() => Promise<void> | void)[] = [];
  let app: ExpressApp | null = null;
  const runtime: GatewayRuntime = {
    logger,
    clock: options.clock,
    documents: options.documents,
    counters: options.counters,
    bus: options.bus,
    plans: configuration.plans,
    serviceEndpoints: configuration.serviceEndpoints,
    endpoints: new Map(configuration.endpoints.map((endpoint) => [endpoint.name, endpointRule(endpoint)])),
    openApiText: options.openApiText,
    jwksText: JSON.stringify(options.identity.publicKeys),
    addressOf: createClientAddress(options.trustedProxies),
    identityToken: (principal, audience) => options.identity.token(principal, audience),
    captureExpress: (captured) => {
      app = captured;
    },
    policyInstances: new Map(),
    onClose: (close) => closers.push(close),
  };

  const { table, express } = await startEngine(configuration, runtime, () => app);
  const health = createHealth(runtime);
  const newRequestId = createRequestIds();
  /** Connections on which a request could not be told from the next: what stands behind it there is no request. */
  const broken = new WeakSet<Socket>();

  function onRequest(req: GatewayRequest, res: ServerResponse): void {
    if (broken.has(req.socket)) return;
    const requestId = keptRequestId(req.headers['x-request-id']) ?? newRequestId();
    const context = new RequestContext(runtime, requestId, OWN_ENDPOINT, req);
    req.context = context;
    const fault = framingFault(req);
    if (fault !== null) {
      res.shouldKeepAlive = false;
      broken.add(req.socket);
      sendError(req, res, fault);
      return;
    }
    req.url = originForm(req.url);
    const path = pathOf(req.url);
    const own = health.get(path);
    if (own !== undefined) {
      own(req, res);
      return;
    }
    const chain = isAmbiguous(path) ? table.unmatched : table.match(req.method, path);
    if (chain === null && express !== null) {
      express(req, res);
      return;
    }
    const matched = chain ?? table.unmatched;
    context.endpoint = matched.endpoint;
    runChain(matched, req, res);
  }

  const { server, dressForExpress } = createHttpServer({
    onRequest,
    newRequestId,
    shownLimit: (address) => uncountedLimit(runtime, address),
  });
  if (app !== null) dressForExpress(app);

  return {
    listen: (port, host) => listen(server, port, host),
    async close(graceMs) {
      await closeServer(server, graceMs);
      for (const close of closers.reverse()) await close();
    },
  };
}
