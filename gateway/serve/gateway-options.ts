/** What a gateway is assembled from: a checked configuration, its ports, and its bounds. */
import type { Logger } from 'pino';
import type { OwnDomains } from '../../services/shared/access/origin-rule.ts';
import type { RandomBytes } from '../../services/shared/credentials/api-key-text.ts';
import type { PasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import type { ServicesInProcess } from '../../services/shared/http/service-exchange.ts';
import type { UpstreamClient } from '../../services/shared/plans/service-endpoint.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import type { Ids } from '../../services/shared/ports/ids.ts';
import type { Metrics } from '../../services/shared/ports/metrics.ts';
import type { Tracer } from '../../services/shared/ports/tracer.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { AccessLog } from './access-log/access-log.ts';
import type { ConnectionLimits } from './http/connection-bounds.ts';
import type { IdentitySigner } from './identity.ts';
import type { LoadRecord } from './platform/configuration-changes.ts';
import type { TrafficRecord } from './traffic/traffic-record.ts';

/** How a gateway stops serving its connections. */
export interface Drain {
  /** How long it keeps answering, each answer ending its connection, before it closes silent connections, in milliseconds. */
  readonly noticeMs: number;
  /** Whether /health/ready reports the shutdown, so that balancers leave; not where other workers keep serving the port. */
  readonly isReported: boolean;
}

/** Where no balancer has to learn of the end: the embedded server, alone at its port. */
export const SHORT_DRAIN: Drain = { noticeMs: 300, isReported: false };

export interface GatewayOptions {
  readonly configuration: Configuration;
  readonly documents: DocumentStore;
  readonly counters: CounterStore;
  /** Whether the counters decide without the shared store; absent: they never do. */
  readonly countersAreDegraded?: () => boolean;
  readonly metrics: Metrics;
  /** Everything measured, in Prometheus' text format; absent: operators see no rates. */
  metricsText?(): Promise<string>;
  /** Takes the requests of organizations, as they are written; absent: nobody does. */
  readonly traffic?: Pick<TrafficRecord, 'countOrganizations'>;
  /** Loads a configuration of the history, to compare it; absent: none can be. */
  readonly loadRecord?: LoadRecord;
  /** Whether other gateway processes may use the same stores: they then tell each other what they do. Absent: none do. */
  readonly isShared?: boolean;
  /** Told of each request that ended; absent: refused ones are kept, and no line is written. */
  readonly accessLog?: AccessLog;
  /** Absent: tracing is off. */
  readonly tracer?: Tracer | null;
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
  /** The OpenAPI document of what a configuration serves, as JSON text. */
  openApiText(configuration: Configuration): string;
  readonly trustedProxies: readonly string[];
  /** Services of this process, which are asked without a connection; absent: none is. */
  readonly servicesInProcess?: ServicesInProcess;
  /** What asks backends by HTTP without TLS; absent: the gateway's own client. */
  readonly upstreamClient?: UpstreamClient;
  /** Bounds on the connections of clients; absent: those of `connectionLimits`. */
  readonly connections?: ConnectionLimits;
  /**
   * How long a client may take nothing of its answer before that is broken off, in milliseconds; absent: three minutes.
   */
  readonly unreadMs?: number;
  /** How it shuts down: read once, when shutdown begins. Absent: {@link SHORT_DRAIN}. */
  drain?(): Drain;
  /**
   * How long requests in flight, and WebSockets, may still take with a configuration that a reload replaced, in
   * milliseconds; absent: two minutes.
   */
  readonly retiredMs?: number;
}
