/** Which pages may read the answers of a pipeline, where a policy says it in place of the endpoints' own `cors`. */
import type { GatewayRequest, PolicyHandler } from './request-context.ts';

/** Methods that pages may use where nothing else is said. */
export const CORS_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Headers that pages may send where nothing else is said. */
export const CORS_REQUEST_HEADERS: readonly string[] = [
  'x-api-key',
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  'X-Share-Ticket',
  'databuddy-client-id',
  'databuddy-sdk-name',
  'databuddy-sdk-version',
];
/** Headers of the gateway that pages may read. */
export const CORS_EXPOSED_HEADERS: readonly string[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'ETag',
  'Location',
  'X-Query-Failed',
  'X-Truncated',
  'X-Next-Cursor',
  'Content-Disposition',
];
/** How long a browser may keep the answer to a preflight, in seconds. */
export const PREFLIGHT_SECONDS = 600;

export interface CorsRule {
  /** Adds the headers of an answer, errors too; returns whether the page may read it. */
  addTo(req: GatewayRequest): boolean;
  /** Adds the headers of the answer to a preflight. */
  addToPreflight(req: GatewayRequest): void;
}

const RULE = Symbol('cors rule');

/** A policy that is a rule: it is compiled into the table, and no request passes it. */
export function corsHandler(rule: CorsRule): PolicyHandler {
  const handler: PolicyHandler = (_req, _res, next) => next();
  return Object.assign(handler, { [RULE]: rule });
}

/** The rule of such a policy; null for any other. */
export function corsRuleOf(handler: PolicyHandler): CorsRule | null {
  return (handler as { readonly [RULE]?: CorsRule })[RULE] ?? null;
}
