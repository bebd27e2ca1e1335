/** How the gateway itself answers: headers collected and written once, with the request id and the rate-limit triple. */
import type { ServerResponse } from 'node:http';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { errorBody } from '../../services/shared/errors/error-body.ts';
import { addressSubject, publicLimitUses } from '../../services/shared/plans/public-limit.ts';
import { completeHeaders } from './answer-headers.ts';
import { drainBody } from './drain-body.ts';
import type { GatewayRequest, RequestContext } from './request-context.ts';
import type { GatewayRuntime } from './runtime.ts';
import { type ShownLimit, showState } from './shown-limit.ts';

/**
 * Adds the headers of every response after its own: X-Request-Id, the three of the rate limit (spec.md, Limits) and
 * those of {@link completeHeaders}.
 */
export function pushCommonHeaders(headers: string[], context: RequestContext): void {
  context.hasCommonHeaders = true;
  if (context.endsConnection) headers.push('Connection', 'close');
  const shown = context.shownLimit ?? uncountedLimit(context.gateway, context.address);
  headers.push(
    'X-Request-Id',
    context.requestId,
    'X-RateLimit-Limit',
    `${shown.limit}`,
    'X-RateLimit-Remaining',
    `${shown.remaining}`,
    'X-RateLimit-Reset',
    `${shown.resetSeconds}`,
  );
  if (context.addedHeaders !== null) headers.push(...context.addedHeaders);
  completeHeaders(headers, context);
}

/** What an uncounted response shows: the public limit of the address as this process last knew it. */
export function uncountedLimit(runtime: GatewayRuntime, address: string): ShownLimit {
  const use = publicLimitUses(runtime.plans).other;
  return showState(runtime.counters.peek(addressSubject(address), use));
}

/** Answers with JSON text. */
export function sendJson(req: GatewayRequest, res: ServerResponse, status: number, text: string): void {
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${Buffer.byteLength(text)}`,
  ];
  pushCommonHeaders(headers, req.context);
  res.writeHead(status, headers);
  res.end(text);
}

/** Answers 204. */
export function sendNothing(req: GatewayRequest, res: ServerResponse): void {
  const headers: string[] = [];
  pushCommonHeaders(headers, req.context);
  res.writeHead(204, headers);
  res.end();
}

/**
 * Answers with an error, with its code as reason phrase. Internal errors are logged with their cause. If the response
 * has already begun, it is broken off, so that the client does not take a part for the whole.
 */
export function sendError(req: GatewayRequest, res: ServerResponse, error: ApiError): void {
  const { context } = req;
  context.answered = error;
  if (error.status >= 500 && error.cause !== undefined) {
    context.gateway.logger.error({ requestId: context.requestId, err: error.cause }, error.message);
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = errorBody(error, context.requestId);
  const text = JSON.stringify(context.endpoint.class === 'ingest' ? { ...body, status: 'error' } : body);
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${Buffer.byteLength(text)}`,
  ];
  if (error.status === 401) headers.push('WWW-Authenticate', 'Bearer');
  for (const name in error.headers) headers.push(name, error.headers[name] ?? '');
  const isLeft = context.leavesBodyUnread && !req.complete;
  if (isLeft && !context.endsConnection) headers.push('Connection', 'close');
  pushCommonHeaders(headers, context);
  if (!isLeft && !req.complete) drainBody(req);
  res.writeHead(error.status, error.code, headers);
  if (isLeft) endUnread(res, text);
  else res.end(text);
}

/** How long a client may take to read its refusal, in milliseconds, before its connection, with the body unread, is cut. */
const TOLD_MS = 500;

/** Ending the response would make Node read the body, or reset the connection; a reset may overtake the answer. */
function endUnread(res: ServerResponse, text: string): void {
  res.write(text);
  const timer = setTimeout(() => res.end(), TOLD_MS);
  res.once('close', () => clearTimeout(timer));
}
