/** What a service is made of besides its ports: its routes, whom it believes, and where its faults, spans and records go. */
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import type { VerifyIdentity } from '../identity/verify-identity.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { Route, Written } from './route.ts';

export interface ServiceAppOptions<Ports> {
  readonly routes: readonly Route<Ports>[];
  readonly ports: Ports;
  readonly verifyIdentity: VerifyIdentity;
  readonly logger: Logger;
  /** Whether the process is about to end and should get no new requests; never when absent. */
  readonly isDraining?: () => boolean;
  /** Spans of its requests, and what they begin with; absent: tracing is off. */
  readonly tracing?: { readonly tracer: Tracer; readonly service: string } | undefined;
  /** Stores the record of a write; needed by a service that has routes with an `audit`. */
  readonly recordWrite?: RecordWrite;
  /** Rejects while the service cannot work; `GET /health/ready`, which needs no identity, calls it. */
  health(): Promise<unknown>;
  /** What `GET /health/ready` shows besides its status, which says nothing of any organization; `degraded` names what is wrong although it works. */
  readonly shown?: () => Readonly<Record<string, unknown>>;
}

/** Stores who wrote what. When it rejects, the write is answered with that fault. */
export type RecordWrite = (
  write: Written & {
    readonly action: string;
    readonly caller: Caller;
    readonly address: string | null;
    readonly requestId: string;
  },
) => Promise<void>;

/** What a `create…Service` function gets besides the ports. */
export interface ServiceOptions
  extends Pick<ServiceAppOptions<unknown>, 'verifyIdentity' | 'logger' | 'isDraining' | 'shown' | 'tracing'> {
  /** Where the service's measurements go; cells are made at construction. */
  readonly metrics: Metrics;
}
