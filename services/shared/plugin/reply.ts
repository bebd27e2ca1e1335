/** How the gateway itself answers: headers collected and written once, with the request id and the rate-limit triple. */
import type { ServerResponse } from 'node:http';
import type { ApiError } from '../errors/api-error.ts';
import { errorBody } from '../errors/error-body.ts';
import { addressSubject, publicLimitUses } from '../rate-limit/public-limit.ts';
import { type ShownLimit, showState } from '../rate-limit/shown-limit.ts';
import type { GatewayRequest, RequestContext } from './request-context.ts';
import type { GatewayRuntime } from './runtime.ts';

/** Adds the headers that every response carries: X-Request-Id and the three of the rate limit (spec.md, Limits). */
export function pushCommonHeaders(headers: string[], context: RequestContext): void {
  context.hasCommonHeaders = true;
  if (context.runtime.isDraining()) headers.push('Connection', 'close');
  const shown = context.shownLimit ?? uncountedLimit(context.runtime, context.address);
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
}

/** What a response that counts nowhere shows: the public limit of the address as this process last knew it. */
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
 * Answers with an error, its code as reason phrase. A fault of ours goes to the log with its cause. When the response
 * has begun it is broken off, so that the client does not take a part for the whole.
 */
export function sendError(req: GatewayRequest, res: ServerResponse, error: ApiError): void {
  const { context } = req;
  if (error.status >= 500 && error.cause !== undefined) {
    context.runtime.logger.error({ requestId: context.requestId, err: error.cause }, error.message);
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
  pushCommonHeaders(headers, context);
  if (error.status === 401) headers.push('WWW-Authenticate', 'Bearer');
  for (const name in error.headers) headers.push(name, error.headers[name] ?? '');
  if (!req.complete) boundDrain(req);
  res.writeHead(error.status, error.code, headers);
  res.end(text);
}

/** What Node reads and drops of a body that nobody wants, before the connection is cut. */
const DRAINED_BYTES = 8_388_608;
const DRAINED_CHUNKS = 4_096;

/** A client learns of its refusal while it still sends; one that sends without end, or in crumbs, is cut. */
function boundDrain(req: GatewayRequest): void {
  let bytes = 0;
  let chunks = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks++;
    if (bytes > DRAINED_BYTES || chunks > DRAINED_CHUNKS) req.socket.destroy();
  });
}
