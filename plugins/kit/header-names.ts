/** Header names that belong to the gateway, in both directions: neither clients and services nor configuration set them. */
import { QUEUE_FULL_HEADER } from '../../services/shared/http/queue-full-header.ts';
import { RUNNING_TIME_HEADER } from '../../services/shared/http/running-time-header.ts';

/** Headers of one hop (RFC 9110, 7.6.1), and `expect`, which Node answers itself. */
export const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** Where a client proves who it is; that ends at the gateway. */
export const CREDENTIALS: readonly string[] = ['authorization', 'x-api-key', 'cookie'];

/** Request headers that the gateway sets itself, or that services must not see from clients. */
export const REPLACED_IN_REQUEST: readonly string[] = [
  'host',
  'content-length',
  ...CREDENTIALS,
  'x-request-id',
  'x-forwarded-for',
  'x-real-ip',
  'true-client-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
];

/** Response headers that only the gateway sets. */
export const REPLACED_IN_RESPONSE: readonly string[] = [
  'x-request-id',
  RUNNING_TIME_HEADER,
  QUEUE_FULL_HEADER,
  'x-powered-by',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-shadow',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'access-control-max-age',
];

/** One spelling for a name: backends that read headers by CGI names treat all that is no letter and no digit as one. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
}
