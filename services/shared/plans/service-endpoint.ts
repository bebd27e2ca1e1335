/** A backend in the YAML's serviceEndpoints: where it listens, and how requests are spread over its addresses. */
import type { SecureContext } from 'node:tls';
import { z } from 'zod';
import type { ServiceName } from '../identity/identity-token.ts';

/** How the next address is chosen whatever is asked: the one with the fewest requests in flight, or each in turn. */
export const BALANCES = ['least-connections', 'round-robin'] as const;

/** What may stay with one address. */
export const HASH_KEYS = ['website', 'organization'] as const;
export type HashKey = (typeof HASH_KEYS)[number];

export const hashBalanceSchema = z.strictObject({
  hash: z
    .enum(HASH_KEYS)
    .describe(
      'What stays with one address while that takes requests and is not far busier than the others: website, the only one that a query names, else the organization of the caller; organization, that of the caller.',
    ),
});

/** By a rule that looks at the load alone, or by what is asked. */
export type Balance = (typeof BALANCES)[number] | z.output<typeof hashBalanceSchema>;

/** Most addresses of one service. */
export const MOST_ADDRESSES = 30;

const seconds = (most: number) => z.number().min(0.1).max(most);
const times = (most: number) => z.number().int().min(1).max(most);

export const healthCheckSchema = z.strictObject({
  path: z
    .string()
    .regex(/^\/[!-"$-~]*$/)
    .optional()
    .describe('Path that is asked with GET: 2xx is healthy. Default of own services /health/ready.'),
  intervalSeconds: seconds(3600).default(2).describe('From one question to the next. Default 2.'),
  timeoutSeconds: seconds(60).default(1).describe('How long the whole answer may take. Default 1.'),
  unhealthyAfter: times(100)
    .default(2)
    .describe('Failures in a row that take an address out; a 503 does so at once. Default 2.'),
  healthyAfter: times(100).default(1).describe('Successes in a row that bring it back. Default 1.'),
});

/** Probes each address independently of requests. */
export interface HealthCheck extends Required<z.output<typeof healthCheckSchema>> {}

export const breakerSchema = z.strictObject({
  failures: times(1000)
    .default(5)
    .describe(
      'Requests in a row that an address refuses, breaks or leaves waiting until it is out. Default 5.',
    ),
  openSeconds: seconds(3600)
    .default(2)
    .describe('How long it gets no request then; one trial decides what follows. Default 2.'),
});

/** Judges each address by its failed requests. */
export interface BreakerSettings extends z.output<typeof breakerSchema> {}

export const retriesSchema = z.number().int().min(0).max(5);

/** Names of audiences and such: what a JWT library compares as plain text. */
const AUDIENCE = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/;

export const tokenIdentitySchema = z.strictObject({
  audience: z
    .string()
    .regex(AUDIENCE, 'is not a name of letters, digits and . _ : / - (at most 100)')
    .describe(
      'Audience claim of the token, such as orders: the one that the backend accepts, and no other backend.',
    ),
  perRequest: z
    .boolean()
    .default(false)
    .describe(
      "Whether each request gets a token of its own, with a jti of its own. Default false: a caller's token serves all of its requests for some seconds.",
    ),
});

/** A signed token (contract.md, Identity towards the services), for a backend of the platform's own. */
export interface TokenIdentity extends z.output<typeof tokenIdentitySchema> {}

/** How a backend of the platform's own learns who calls: by a signed token, or by plain headers. */
export type BackendIdentity = TokenIdentity | 'headers';

/** The name of a request header, in lower case. */
export const headerNameSchema = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'is not the name of a header')
  .transform((name) => name.toLowerCase().replaceAll('_', '-'));

/** What asks backends by HTTP without TLS: the gateway's own client, or undici's pool. */
export const UPSTREAM_CLIENTS = ['own', 'undici'] as const;
export type UpstreamClient = (typeof UPSTREAM_CLIENTS)[number];

/** How the gateway speaks to a backend over TLS. */
export interface BackendTls {
  /** Which authorities it trusts, its own certificate, and the oldest version of the protocol. */
  readonly secureContext: SecureContext;
  /** The name that the certificate of the backend must have; null: the host of its address. */
  readonly servername: string | null;
}

/** The part of the options of a connection that an HTTP client takes; undefined for the defaults. */
export function connectOptions(tls: BackendTls | null): {
  secureContext?: SecureContext;
  servername?: string;
} {
  if (tls === null) return {};
  const { secureContext, servername } = tls;
  return { secureContext, ...(servername !== null && { servername }) };
}

export interface ServiceEndpoint {
  /** Its addresses: origins such as http://127.0.0.1:4001, at least one. */
  readonly urls: readonly string[];
  /** Which of our own services it is; null: a foreign backend. */
  readonly audience: ServiceName | null;
  /** What a foreign backend learns of the caller; null: nothing. Our own services always get their token. */
  readonly identity: BackendIdentity | null;
  /** Whether the gateway counts as not ready while it is down. */
  readonly required: boolean;
  /** Names of the request headers that a client may not send to it, in lower case. */
  readonly dropHeaders: readonly string[];
  readonly balance: Balance;
  /** Null: no address is probed. */
  readonly healthCheck: HealthCheck | null;
  /** Null: no address is taken out for failed requests. */
  readonly breaker: BreakerSettings | null;
  /** How often a request is retried where that is safe. */
  readonly retries: number;
  /** Null: as Node does, for addresses by https. */
  readonly tls: BackendTls | null;
}

/** The defaults: several addresses are watched, a single one is always tried. */
export function watchByDefault(
  urls: readonly string[],
  audience: ServiceName | null,
): Pick<ServiceEndpoint, 'healthCheck' | 'breaker'> {
  if (urls.length < 2) return { healthCheck: null, breaker: null };
  return {
    healthCheck: audience === null ? null : healthCheckOf({}, audience),
    breaker: breakerSchema.parse({}),
  };
}

/** Where the product's own services say whether they take requests. */
const OWN_PATH = '/health/ready';

/** A health check as written, with the defaults filled in; null when the path is missing that a foreign backend needs. */
export function healthCheckOf(
  written: z.input<typeof healthCheckSchema>,
  audience: ServiceName | null,
): HealthCheck | null {
  const { path = audience === null ? undefined : OWN_PATH, ...rest } = healthCheckSchema.parse(written);
  return path === undefined ? null : { path, ...rest };
}

export const DEFAULT_BALANCE: Balance = 'least-connections';
export const DEFAULT_RETRIES = 1;
