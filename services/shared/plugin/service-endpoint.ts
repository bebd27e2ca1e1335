/** A backend of the YAML's serviceEndpoints: where it listens, and how requests are spread over its addresses. */
import { z } from 'zod';
import type { ServiceName } from '../identity/identity-token.ts';

/** How the next address is chosen: the one with the fewest requests under way, or each in turn. */
export const BALANCES = ['least-connections', 'round-robin'] as const;
export type Balance = (typeof BALANCES)[number];

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

/** Asks each address by itself, beside all requests. */
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

/** Judges each address by the requests that it fails. */
export interface BreakerSettings extends z.output<typeof breakerSchema> {}

export const retriesSchema = z.number().int().min(0).max(5);

export interface ServiceEndpoint {
  /** Its addresses: origins such as http://127.0.0.1:4001, at least one. */
  readonly urls: readonly string[];
  /** The service that the identity token is made for; null sends no identity (a foreign backend). */
  readonly audience: ServiceName | null;
  readonly balance: Balance;
  /** Null: no address is asked. */
  readonly healthCheck: HealthCheck | null;
  /** Null: no address is taken out for what it fails. */
  readonly breaker: BreakerSettings | null;
  /** How often a request is sent anew where that is safe. */
  readonly retries: number;
}

/** What is not written: several addresses are watched, a single one is always tried. */
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

/** Where own services say whether they take requests. */
const OWN_PATH = '/health/ready';

/** A health check as it is written, with the rest filled in; null when the path is missing that a foreign backend needs. */
export function healthCheckOf(
  written: z.input<typeof healthCheckSchema>,
  audience: ServiceName | null,
): HealthCheck | null {
  const { path = audience === null ? undefined : OWN_PATH, ...rest } = healthCheckSchema.parse(written);
  return path === undefined ? null : { path, ...rest };
}

export const DEFAULT_BALANCE: Balance = 'least-connections';
export const DEFAULT_RETRIES = 1;
