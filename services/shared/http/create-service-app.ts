/** Makes the express app of a service from its routes: identity, body, rule, handler, and one shape for every error. */

import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import type { GrantedCaller } from '../access/grant.ts';
import { ApiError, toApiError } from '../errors/api-error.ts';
import { type ErrorBody, errorBody } from '../errors/error-body.ts';
import { wrongEncoding, wrongType } from '../errors/media-faults.ts';
import { parseOrThrow, validationError } from '../errors/zod-details.ts';
import { IDENTITY_HEADER } from '../identity/identity-token.ts';
import type { VerifyIdentity } from '../identity/verify-identity.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Tracer } from '../ports/tracer.ts';
import { DEGRADED_HEADER } from './ask-status.ts';
import { scanJson } from './json-bounds.ts';
import { badJson } from './json-fault.ts';
import { queryOf } from './query-string.ts';
import { notTheGateway, requireGrant } from './require-grant.ts';
import { requireReady } from './require-ready.ts';
import { type Route, type RouteInput, routeName, type Written } from './route.ts';
import { beginStream, sendStream } from './send-stream.ts';
import { traceRequests } from './trace-requests.ts';

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

/** The app, which is not listening yet. A request without a valid identity token gets AUTH_REQUIRED on every path. */
export function createServiceApp<Ports>(options: ServiceAppOptions<Ports>): Express {
  const { routes, verifyIdentity, logger } = options;
  const unrecorded = routes.find((route) => route.audit !== undefined && !options.recordWrite);
  if (unrecorded)
    throw new TypeError(`${unrecorded.operationId} leaves audit records, but nothing stores them`);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  // A route gets the parameters that the gateway read too; express would use its own reader.
  app.set('query parser', false);

  app.get('/health', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/health/ready', async (_req, res) => {
    await requireReady(options);
    const shown = options.shown?.() ?? {};
    if (shown.degraded !== undefined) res.set(DEGRADED_HEADER, String(shown.degraded));
    res.json({ status: 'ok', ...shown });
  });

  const { tracing } = options;
  if (tracing !== undefined) app.use(traceRequests(tracing.tracer, tracing.service));

  app.use(async (req, res, next) => {
    const header = req.headers[IDENTITY_HEADER];
    const caller = await verifyIdentity(typeof header === 'string' ? header : undefined);
    if (!caller) throw notTheGateway();
    res.locals.caller = caller;
    next();
  });

  for (const path of new Set(routes.map((route) => route.path))) {
    const siblings = routes.filter((route) => route.path === path);
    for (const route of siblings) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
      const readBody = route.body ? [jsonBody(route.body.maxBytes)] : [];
      const name = routeName(route);
      app[method](
        path,
        (_req, res, next) => {
          requireGrant(route, name, res.locals.caller as GrantedCaller);
          next();
        },
        ...readBody,
        (req, res) => answer(route, options, req, res),
      );
    }
    // A path that is only a parameter has no methods of its own: with another method it is an unknown path.
    if (/^\/:[^/]+$/.test(path)) continue;
    const allow = siblings.map((route) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
    app.all(path, () => {
      throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
    });
  }
  app.use(() => {
    throw new ApiError('NOT_FOUND');
  });
  app.use(sendError(routes, logger));
  return app;
}

/** Express's JSON reader, for any media type: the gateway already judged the type, and a missing one means JSON. */
function jsonBody(maxBytes: number) {
  return express.json({ limit: maxBytes, strict: false, type: () => true, verify: refuseBoundless });
}

/** The length of the request body that a response answers. */
const bodyBytes = new WeakMap<object, number>();

function receivedBytes({ originalUrl }: Request, res: Response): number {
  const start = originalUrl.indexOf('?');
  return (bodyBytes.get(res) ?? 0) + (start === -1 ? 0 : originalUrl.length - start - 1);
}

/** The reader sets a status on what is thrown here, so the intended error goes inside. */
function refuseBoundless(_req: unknown, res: object, body: Buffer): void {
  bodyBytes.set(res, body.length);
  const { refusal } = scanJson(body);
  if (refusal !== null) throw new Error('the body passes the bounds of JSON', { cause: refusal });
}

async function answer<Ports>(
  route: Route<Ports>,
  { ports, recordWrite, logger }: ServiceAppOptions<Ports>,
  req: Request,
  res: Response,
): Promise<void> {
  const caller = res.locals.caller as GrantedCaller;
  const aborted = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) aborted.abort(new ApiError('REQUEST_TIMEOUT', { text: 'The client left.' }));
  });
  const input = {
    method: req.method,
    caller,
    body: bodyOf(route, req.body),
    query: route.query ? parseOrThrow(route.query, queryOf(req.originalUrl)) : undefined,
    params: req.params as Record<string, string>,
    headers: req.headers,
    requestId: requestIdOf(req),
    accepts: (types) => req.accepts([...types]) as string | false,
    receivedBytes: receivedBytes(req, res),
    signal: aborted.signal,
    beginsWork() {
      if (!res.headersSent && !res.destroyed) res.writeProcessing();
    },
  } satisfies RouteInput<unknown, unknown>;
  if (route.parse !== undefined)
    input.body = await route.parse(input.body, { ...input, body: undefined }, ports);
  const output = await route.handler(input, ports);
  if (route.audit !== undefined && recordWrite && output.written !== null) {
    if (!output.written) throw new TypeError(`${route.operationId} does not say what it wrote`);
    const address = addressOf(req.headers['x-forwarded-for']);
    await recordWrite({
      ...output.written,
      action: route.audit,
      caller,
      address,
      requestId: requestIdOf(req),
    });
  }
  const { stream } = output;
  const begun = stream && (await beginStream(stream, (thrown) => faultOf(thrown, requestIdOf(req), logger)));
  res.status(output.status ?? route.success.status);
  if (route.success.holdsSecret) res.setHeader('Cache-Control', 'private, no-store, no-transform');
  for (const [name, value] of Object.entries(output.headers ?? {})) res.setHeader(name, value);
  if (begun !== undefined) await sendStream(res, begun, aborted.signal);
  else if (output.bytes !== undefined) {
    res.setHeader('Content-Type', route.success.mediaType ?? 'application/json; charset=utf-8');
    res.setHeader('Content-Length', output.bytes.length);
    res.end(output.bytes);
  } else if (output.body === undefined) res.end();
  else res.json(output.body);
}

/** The body parsed by its schema; unparsed where the route parses it itself. */
function bodyOf<Ports>({ body, parse }: Route<Ports>, value: unknown): unknown {
  if (body === undefined) return undefined;
  if (value === undefined && body.whenAbsent !== undefined) return body.whenAbsent;
  if (value === undefined) throw validationError([{ field: 'body', message: 'A JSON body is required.' }]);
  if (parse !== undefined) return value;
  return parseOrThrow(body.schema, value, Array.isArray(value) ? (body.arrayName ?? '') : '');
}

/** The client's address: the gateway rewrites this header, with one address in it. */
function addressOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}

function requestIdOf(req: Request): string {
  const header = req.headers['x-request-id'];
  return typeof header === 'string' ? header : '';
}

function sendError<Ports>(routes: readonly Route<Ports>[], logger: Logger): ErrorRequestHandler {
  const extra = new Map(routes.map((route) => [`${route.method} ${route.path}`, route.errorFields ?? {}]));
  return (thrown: unknown, req, res, _next) => {
    const error = fromBodyReader(thrown) ?? toApiError(thrown);
    const requestId = requestIdOf(req);
    logFault(error, requestId, logger);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const fields = extra.get(`${req.method} ${req.route?.path ?? req.path}`) ?? {};
    if (error.status === 401) res.set('WWW-Authenticate', 'Bearer');
    res.statusMessage = error.code;
    res
      .status(error.status)
      .set(error.headers)
      .json({ ...errorBody(error, requestId), ...fields });
  };
}

/** The body of the error that ends a stream. */
function faultOf(thrown: unknown, requestId: string, logger: Logger): ErrorBody {
  const error = toApiError(thrown);
  logFault(error, requestId, logger);
  return errorBody(error, requestId);
}

function logFault(error: ApiError, requestId: string, logger: Logger): void {
  if (error.status >= 500) logger.error({ requestId, err: error.cause ?? error }, error.message);
}

/** Faults of express's body reader (http-errors with a `type`) in our own words; other errors are not its faults. */
function fromBodyReader(thrown: unknown): ApiError | null {
  const type = thrown instanceof Error && 'type' in thrown ? thrown.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      return badJson(textOf(thrown, 'body'));
    case 'entity.verify.failed':
      return toApiError(thrown instanceof Error ? thrown.cause : thrown);
    case 'entity.too.large':
      return new ApiError('PAYLOAD_TOO_LARGE', { cause: thrown });
    case 'charset.unsupported':
      return wrongType(`charset=${textOf(thrown, 'charset')}`, ['application/json']);
    case 'encoding.unsupported':
      return wrongEncoding(textOf(thrown, 'encoding'));
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('VALIDATION_ERROR', { text: 'The body ended early.', cause: thrown });
    default:
      return isInflateFault(thrown)
        ? validationError([{ field: 'body', message: 'The body is not what its Content-Encoding says.' }])
        : null;
  }
}

/** The fields that the body reader sets on its fault. */
function textOf(thrown: unknown, name: 'body' | 'charset' | 'encoding'): string {
  const value = (thrown as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

/**
 * zlib's faults carry a code such as Z_DATA_ERROR or ERR__ERROR_FORMAT_PADDING_1 (brotli), and status 400 from
 * body-parser.
 */
function isInflateFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('status' in thrown)) return false;
  return thrown.status === 400 && /^(?:Z_|ERR_|ERR__)/.test(String(thrown.code));
}
