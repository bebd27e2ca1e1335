/** Decides which web pages may read an answer, and answers their preflights (contract.md section 3, CORS; Fetch standard, 3.3). */

import { VARIES } from '../../../plugins/kit/answer-headers.ts';
import {
  CORS_EXPOSED_HEADERS,
  CORS_METHODS,
  CORS_REQUEST_HEADERS,
  PREFLIGHT_SECONDS,
} from '../../../plugins/kit/cors-rule.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import { isOwnOrigin, type OwnDomains } from '../../../services/shared/access/origin-rule.ts';
import type { Endpoint } from '../../../services/shared/plans/endpoint.ts';

const ALLOWED_METHODS = CORS_METHODS.join(', ');
const ALLOWED_HEADERS = CORS_REQUEST_HEADERS.join(', ');
const EXPOSED_HEADERS = CORS_EXPOSED_HEADERS.join(', ');

/** The method that a preflight asks for; null if the request is not a preflight. */
export function preflightMethod(req: GatewayRequest): string | null {
  if (req.method !== 'OPTIONS' || req.headers.origin === undefined) return null;
  return req.headers['access-control-request-method'] ?? null;
}

/** Adds the headers of an answer, which errors carry too; returns whether the page may read it. */
export function addCorsHeaders(req: GatewayRequest, endpoint: Endpoint, domains: OwnDomains): boolean {
  if (!addOrigin(req, endpoint, domains)) return false;
  req.context.addHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  return true;
}

/** Adds the headers of the answer to a preflight for `endpoint`. */
export function addPreflightHeaders(req: GatewayRequest, endpoint: Endpoint, domains: OwnDomains): void {
  if (!addOrigin(req, endpoint, domains)) return;
  const { context } = req;
  context.addHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
  context.addHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
  context.addHeader('Access-Control-Max-Age', `${PREFLIGHT_SECONDS}`);
}

/** Whether the page may read the answer: one of the own domains with its credentials, any other on open endpoints without. */
function addOrigin(req: GatewayRequest, endpoint: Endpoint, domains: OwnDomains): boolean {
  const { context } = req;
  const { origin } = req.headers;
  const open = endpoint.cors === 'open';
  // A request without Origin is not from a page, but a cache may keep its answer for one.
  if (origin === undefined && (!open || (req.method !== 'GET' && req.method !== 'HEAD'))) return false;
  if (open) context.varies |= VARIES.origin;
  if (origin !== undefined && isOwnOrigin(origin, domains)) {
    context.addHeader('Access-Control-Allow-Origin', origin);
    context.addHeader('Access-Control-Allow-Credentials', 'true');
    if (!open) context.varies |= VARIES.origin;
    return true;
  }
  if (open) context.addHeader('Access-Control-Allow-Origin', '*');
  return open;
}
