/** What the gateway gives its own plugins: ports and checked configuration, one object per running gateway. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OwnDomains } from '../../services/shared/access/origin-rule.ts';
import type { Principal } from '../../services/shared/access/principal.ts';
import type { ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import type { RandomBytes } from '../../services/shared/credentials/api-key-text.ts';
import type { PasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import type { ServicesInProcess } from '../../services/shared/http/service-exchange.ts';
import type { ServiceName } from '../../services/shared/identity/identity-token.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { ServiceEndpoint, UpstreamClient } from '../../services/shared/plans/service-endpoint.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import type { Ids } from '../../services/shared/ports/ids.ts';
import type { Tracer } from '../../services/shared/ports/tracer.ts';
import type { PlatformViews } from './platform-views.ts';
import type { PolicyRuntime } from './policy.ts';

/** The little that Tidegate uses of EG's express app, which serves what the dispatch table cannot. */
export interface ExpressApp {
  (req: IncomingMessage, res: ServerResponse): void;
  use(handler: (...parameters: never[]) => void): unknown;
  request: object;
  response: object;
}

/** All of it: third parties see only {@link PolicyRuntime}. */
export interface GatewayRuntime extends PolicyRuntime {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
  readonly passwords: PasswordHasher;
  /** The domains whose pages session cookies count for. */
  readonly ownDomains: OwnDomains;
  /** Key that signs session cookies, 32 bytes. */
  readonly cookieKey: Uint8Array;
  /** Announces what caches must forget. */
  readonly bus: Bus;
  readonly serviceEndpoints: Readonly<Record<string, ServiceEndpoint>>;
  /** What answers for the services of this process, by their addresses. */
  readonly servicesInProcess: ServicesInProcess;
  /** What asks backends by HTTP without TLS. */
  readonly upstreamClient: UpstreamClient;
  /** The scopes in force. */
  readonly scopes: ScopeCatalogue;
  /** The rules of the apiEndpoints by name. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Null: tracing is off. */
  readonly tracer: Tracer | null;
  /** What operators may look at. */
  readonly platform: PlatformViews;
  /** The OpenAPI document as JSON text: made anew each time it is asked for. */
  openApiText(): string;
  /** Whether the gateway is closing: the last response of each connection then ends it. */
  isDraining(): boolean;
  /** The value of Strict-Transport-Security; null: the listener speaks plain HTTP, or says nothing. */
  readonly hsts: string | null;
  /** The public identity keys (JWKS) as JSON text. */
  readonly jwksText: string;
  /** The client's address; only trusted proxies may state another one. */
  addressOf(req: IncomingMessage): string;
  /** Whether the request comes directly from one of TRUSTED_PROXIES. */
  isFromTrustedProxy(req: IncomingMessage): boolean;
  /**
   * An identity token for `audience` with what the endpoint grants; a promise only when one must be signed.
   */
  identityToken(principal: Principal, audience: ServiceName, endpoint: Endpoint): string | Promise<string>;
  /** As {@link identityToken}, for a backend of the platform's own; `isSingle`: for one request alone. */
  backendToken(principal: Principal, audience: string, isSingle: boolean): string | Promise<string>;
  /** Called with EG's express app before its pipelines are mounted. */
  captureExpress(app: ExpressApp): void;
  /** What policies keep over reloads, by a name of their own. */
  readonly kept: Map<string, unknown>;
  /** Policy instances by name and parameters, so that no pool or cache is created twice. */
  readonly policyInstances: Map<string, unknown>;
}

const RUNTIME = Symbol.for('tidegate.runtime');

/** Attaches the runtime to EG's configuration object, which EG passes to plugins. */
export function attachRuntime(egConfig: object, runtime: GatewayRuntime): void {
  Object.defineProperty(egConfig, RUNTIME, { value: runtime });
}

/** The runtime of the gateway with this configuration. @throws Error when a plugin runs outside Tidegate. */
export function runtimeOf(egConfig: object): GatewayRuntime {
  const runtime = (egConfig as Record<symbol, unknown>)[RUNTIME];
  if (!runtime) throw new Error('this plugin runs inside the Tidegate gateway only');
  return runtime as GatewayRuntime;
}
