/** Says which web pages may read an answer, and answers their preflights (contract.md section 3, CORS; Fetch standard, 3.3). */
import { isOwnOrigin, type OwnDomains } from '../../services/shared/access/origin-rule.ts';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';
import type { GatewayRequest } from '../../services/shared/plugin/request-context.ts';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = [
  'x-api-key',
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  'databuddy-client-id',
  'databuddy-sdk-name',
  'databuddy-sdk-version',
].join(', ');
const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'ETag',
  'Location',
].join(', ');
/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_SECONDS = '600';

/** The method that a preflight asks for, or null when the request is none. */
export function preflightMethod(req: GatewayRequest): string | null {
  if (req.method !== 'OPTIONS' || req.headers.origin === undefined) return null;
  return req.headers['access-control-request-method'] ?? null;
}

/** Adds the headers of an answer; whatever answers carries them, errors too. */
export function addCorsHeaders(req: GatewayRequest, endpoint: Endpoint, domains: OwnDomains): void {
  if (addOrigin(req, endpoint, domains)) {
    req.context.addHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  }
}

/** Adds the headers of the answer to a preflight for `endpoint`. */
export function addPreflightHeaders(req: GatewayRequest, endpoint: Endpoint, domains: OwnDomains): void {
  if (!addOrigin(req, endpoint, domains)) return;
  const { context } = req;
  context.addHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
  context.addHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
  context.addHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}

/** Whether the page may read the answer: one of the own domains with its credentials, any other on open endpoints without. */
function addOrigin(req: GatewayRequest, endpoint: Endpoint, domains: OwnDomains): boolean {
  const { context } = req;
  const { origin } = req.headers;
  const open = endpoint.cors === 'open';
  // Without an origin no page asks, but a cache may keep the answer for one.
  if (origin === undefined && (!open || (req.method !== 'GET' && req.method !== 'HEAD'))) return false;
  if (open) context.addHeader('Vary', 'Origin');
  if (origin !== undefined && isOwnOrigin(origin, domains)) {
    context.addHeader('Access-Control-Allow-Origin', origin);
    context.addHeader('Access-Control-Allow-Credentials', 'true');
    if (!open) context.addHeader('Vary', 'Origin');
    return true;
  }
  if (open) context.addHeader('Access-Control-Allow-Origin', '*');
  return open;
}
