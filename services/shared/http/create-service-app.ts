/** Makes the express app of a service from its routes: identity, body, rule, handler, and one shape for every error. */
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import { missingScope } from '../access/scope-rule.ts';
import { ApiError, toApiError } from '../errors/api-error.ts';
import { errorBody } from '../errors/error-body.ts';
import { fieldPath, parseOrThrow, validationError } from '../errors/zod-details.ts';
import { IDENTITY_HEADER } from '../identity/identity-token.ts';
import type { VerifyIdentity } from '../identity/verify-identity.ts';
import type { Metrics } from '../ports/metrics.ts';
import { scanJson } from './json-bounds.ts';
import type { Route, RouteInput, Written } from './route.ts';

export interface ServiceAppOptions<Ports> {
  readonly routes: readonly Route<Ports>[];
  readonly ports: Ports;
  readonly verifyIdentity: VerifyIdentity;
  readonly logger: Logger;
  /** Whether the process is about to end, and not ready for anything new; never when absent. */
  readonly isDraining?: () => boolean;
  /** Stores the record of a write; needed by a service that has routes with an `audit`. */
  readonly recordWrite?: RecordWrite;
  /** Rejects while the service cannot do its work; asked by `GET /health/ready`, which needs no identity. */
  health(): Promise<unknown>;
}

/** Stores who wrote what; rejects when it cannot, and the write is then answered with that fault. */
export type RecordWrite = (
  write: Written & {
    readonly action: string;
    readonly caller: Caller;
    readonly address: string | null;
    readonly requestId: string;
  },
) => Promise<void>;

/** What the composer of a service gives its `create…Service` besides the ports. */
export interface ServiceOptions
  extends Pick<ServiceAppOptions<unknown>, 'verifyIdentity' | 'logger' | 'isDraining'> {
  /** Where the service's measurements go; cells are made at construction. */
  readonly metrics: Metrics;
}

/** The app; it listens nowhere. A request without a valid identity token is AUTH_REQUIRED on every path. */
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

  app.get('/health', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/health/ready', async (_req, res) => {
    await requireReady(options);
    res.json({ status: 'ok' });
  });

  app.use(async (req, res, next) => {
    const header = req.headers[IDENTITY_HEADER];
    const caller = await verifyIdentity(typeof header === 'string' ? header : undefined);
    if (!caller) {
      throw new ApiError('AUTH_REQUIRED', {
        text: 'This service answers the gateway only.',
        // Tells a gateway that it is refused itself, and not its client.
        headers: { [IDENTITY_HEADER]: 'refused' },
      });
    }
    res.locals.caller = caller;
    next();
  });

  for (const path of new Set(routes.map((route) => route.path))) {
    const siblings = routes.filter((route) => route.path === path);
    for (const route of siblings) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
      const readBody = route.body ? [jsonBody(route.body.maxBytes)] : [];
      app[method](path, ...readBody, (req, res) => answer(route, options, req, res));
    }
    // A path that is a parameter as a whole has no methods of its own: another one is an unknown path.
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

/** How long the stores may take to answer, in milliseconds. */
const READY_MS = 2_000;

/** @throws ApiError SERVICE_UNAVAILABLE when a store does not answer in time, or when the process ends */
async function requireReady<Ports>({
  health,
  isDraining = () => false,
}: Pick<ServiceAppOptions<Ports>, 'health' | 'isDraining'>): Promise<void> {
  if (isDraining()) throw new ApiError('SERVICE_UNAVAILABLE', { text: 'The service is stopping.' });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${READY_MS} ms`)), READY_MS);
  });
  try {
    await Promise.race([health(), late]);
  } catch (fault) {
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: fault });
  } finally {
    clearTimeout(timer);
  }
}

/** Express's JSON reader, for any media type: the gateway judged the type already, a missing one is JSON. */
function jsonBody(maxBytes: number) {
  return express.json({ limit: maxBytes, strict: false, type: () => true, verify: refuseBoundless });
}

/** The reader writes a status on what is thrown here, so the error that is meant goes inside. */
function refuseBoundless(_req: unknown, _res: unknown, body: Buffer): void {
  const { refusal } = scanJson(body);
  if (refusal !== null) throw new Error('the body passes the bounds of JSON', { cause: refusal });
}

async function answer<Ports>(
  route: Route<Ports>,
  { ports, recordWrite }: ServiceAppOptions<Ports>,
  req: Request,
  res: Response,
): Promise<void> {
  const caller = res.locals.caller as Caller;
  requireRule(route.rule, caller, req.originalUrl);
  const aborted = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) aborted.abort(new ApiError('REQUEST_TIMEOUT', { text: 'The client left.' }));
  });
  const output = await route.handler(
    {
      method: req.method,
      caller,
      body: route.body ? parseBody(route.body, req.body) : undefined,
      query: route.query ? parseOrThrow(route.query, req.query) : undefined,
      params: req.params as Record<string, string>,
      headers: req.headers,
      requestId: requestIdOf(req),
      signal: aborted.signal,
    } satisfies RouteInput<unknown, unknown>,
    ports,
  );
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
  res.status(output.status ?? route.success.status);
  for (const [name, value] of Object.entries(output.headers ?? {})) res.setHeader(name, value);
  if (output.bytes !== undefined) {
    res.setHeader('Content-Type', route.success.mediaType ?? 'application/json; charset=utf-8');
    res.setHeader('Content-Length', output.bytes.length);
    res.end(output.bytes);
  } else if (output.body === undefined) res.end();
  else res.json(output.body);
}

function parseBody(body: NonNullable<Route<unknown>['body']>, value: unknown): unknown {
  if (value === undefined && body.whenAbsent !== undefined) return body.whenAbsent;
  if (value === undefined) throw validationError([{ field: 'body', message: 'A JSON body is required.' }]);
  if (body.judgedBy === 'handler') return value;
  return parseOrThrow(body.schema, value, Array.isArray(value) ? (body.arrayName ?? '') : '');
}

/** The gateway judged the rule already; a service that is reached through a faulty configuration still refuses. */
function requireRule(rule: Route<unknown>['rule'], caller: Caller, url: string): void {
  if (rule === 'public') return;
  if (caller.kind === 'public') {
    if ('scopes' in rule && rule.keyless === true) return;
    throw new ApiError('AUTH_REQUIRED');
  }
  if ('roles' in rule) {
    if (caller.kind === 'session' && caller.role !== null && rule.roles.includes(caller.role)) return;
    throw new ApiError('ACCESS_DENIED', {
      text: `This needs a session with role ${rule.roles.join(' or ')}.`,
    });
  }
  const missing = missingScope(rule, caller.scopes, url);
  if (missing !== null)
    throw new ApiError('INSUFFICIENT_SCOPE', { text: `The scope ${missing} is required.` });
}

/** The client's address: the gateway writes this header anew, with one address in it. */
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
    if (error.status >= 500) logger.error({ requestId, err: error.cause ?? error }, error.message);
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

/** Faults of express's body reader (http-errors with a `type`) in our own words; anything else is not its fault. */
function fromBodyReader(thrown: unknown): ApiError | null {
  const type = thrown instanceof Error && 'type' in thrown ? thrown.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      return validationError([{ field: fieldPath(['body']), message: 'The body is not valid JSON.' }]);
    case 'entity.verify.failed':
      return toApiError(thrown instanceof Error ? thrown.cause : thrown);
    case 'entity.too.large':
      return new ApiError('PAYLOAD_TOO_LARGE', { cause: thrown });
    case 'charset.unsupported':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', { text: 'Send JSON in UTF-8.', cause: thrown });
    case 'encoding.unsupported':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
        text: 'Send the body plain, or with Content-Encoding gzip, deflate or br.',
        cause: thrown,
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('VALIDATION_ERROR', { text: 'The body ended early.', cause: thrown });
    default:
      return isInflateFault(thrown)
        ? validationError([{ field: 'body', message: 'The body is not what its Content-Encoding says.' }])
        : null;
  }
}

/** zlib's faults carry a code such as Z_DATA_ERROR or ERR__ERROR_FORMAT_PADDING_1 (brotli), and body-parser's status 400. */
function isInflateFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('status' in thrown)) return false;
  return thrown.status === 400 && /^(?:Z_|ERR_|ERR__)/.test(String(thrown.code));
}
