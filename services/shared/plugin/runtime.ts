/** What the gateway gives its plugins: ports and checked configuration, one object per running gateway. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { OwnDomains } from '../access/origin-rule.ts';
import type { Principal } from '../access/principal.ts';
import type { RandomBytes } from '../credentials/api-key-text.ts';
import type { PasswordHasher } from '../credentials/password-hasher.ts';
import type { ServiceName } from '../identity/identity-token.ts';
import type { Bus } from '../ports/bus.ts';
import type { Clock } from '../ports/clock.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { DocumentStore } from '../ports/document-store.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Endpoint } from './endpoint.ts';
import type { PlansFile } from './plans.ts';
import type { ServiceEndpoint } from './service-endpoint.ts';

/** The little that Tidegate uses of EG's express app, which serves what the dispatch table cannot. */
export interface ExpressApp {
  (req: IncomingMessage, res: ServerResponse): void;
  use(handler: (...parameters: never[]) => void): unknown;
  request: object;
  response: object;
}

export interface GatewayRuntime {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly documents: DocumentStore;
  readonly counters: CounterStore;
  readonly metrics: Metrics;
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
  readonly passwords: PasswordHasher;
  /** The domains whose pages session cookies count for. */
  readonly ownDomains: OwnDomains;
  /** Key that signs session cookies, 32 bytes. */
  readonly cookieKey: Uint8Array;
  /** Tells what must be forgotten. */
  readonly bus: Bus;
  readonly plans: PlansFile;
  readonly serviceEndpoints: Readonly<Record<string, ServiceEndpoint>>;
  /** The rules of the apiEndpoints by name. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The OpenAPI document as JSON text. */
  readonly openApiText: string;
  /** Whether the gateway is closing: responses then end their connections. */
  isDraining(): boolean;
  /** The public identity keys (JWKS) as JSON text. */
  readonly jwksText: string;
  /** The client's address, seen through trusted proxies only. */
  addressOf(req: IncomingMessage): string;
  /** Whether the peer that sent the request is one of TRUSTED_PROXIES. */
  isFromTrustedProxy(req: IncomingMessage): boolean;
  /** An identity token for `audience`; a promise only when one must be signed. */
  identityToken(principal: Principal, audience: ServiceName): string | Promise<string>;
  /** Called with EG's express app before its pipelines are mounted. */
  captureExpress(app: ExpressApp): void;
  /** Policy instances by name and parameters, so that no pool or cache is made twice. */
  readonly policyInstances: Map<string, unknown>;
  /** Runs when the gateway closes: pools and timers of policies end here. */
  onClose(close: () => Promise<void> | void): void;
}

const RUNTIME = Symbol.for('tidegate.runtime');

/** Puts the runtime where EG hands it to plugins: on its configuration object. */
export function attachRuntime(egConfig: object, runtime: GatewayRuntime): void {
  Object.defineProperty(egConfig, RUNTIME, { value: runtime });
}

/** The runtime of the gateway whose configuration this is. @throws Error when a plugin runs outside Tidegate. */
export function runtimeOf(egConfig: object): GatewayRuntime {
  const runtime = (egConfig as Record<symbol, unknown>)[RUNTIME];
  if (!runtime) throw new Error('this plugin runs inside the Tidegate gateway only');
  return runtime as GatewayRuntime;
}
