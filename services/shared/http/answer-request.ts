/** How a service answers: identity, route, rule, body, handler, and one shape for every error, whatever carried the request. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { GrantedCaller } from '../access/grant.ts';
import { ApiError } from '../errors/api-error.ts';
import { parseOrThrow, validationError } from '../errors/zod-details.ts';
import { IDENTITY_HEADER } from '../identity/identity-token.ts';
import { DEGRADED_HEADER } from './ask-status.ts';
import { createAnswerError } from './error-answer.ts';
import { HandlerInput } from './handler-input.ts';
import { type JsonBody, NO_JSON } from './json-body.ts';
import { pathOf } from './query-string.ts';
import { readQuery } from './read-query.ts';
import { notTheGateway, requireGrant } from './require-grant.ts';
import { requireReady } from './require-ready.ts';
import { type Route, type RouteInput, type RouteOutput, routeName } from './route.ts';
import { createMatchRoute, type RouteMatch } from './route-table.ts';
import { beginStream } from './send-stream.ts';
import type { ServiceAnswer, ServiceRequest } from './service-exchange.ts';
import type { ServiceAppOptions } from './service-options.ts';
import { type IsFresh, jsonAnswer, outputAnswer } from './success-answer.ts';
import { traceAnswer } from './trace-answer.ts';

/** A request with what reads its body. */
export interface ReadableRequest extends ServiceRequest {
  /** The body as JSON, of any media type: the gateway judged that. @throws ApiError */
  readJson(maxBytes: number): Promise<JsonBody> | JsonBody;
}

/** What is read from headers by express's own rules. */
export interface HeaderRules {
  accepts(headers: IncomingHttpHeaders, types: readonly string[]): string | false;
  readonly isFresh: IsFresh;
}

/** A request on its way, and what is known of it. */
interface Asked<Ports> {
  readonly request: ReadableRequest;
  readonly path: string;
  readonly requestId: string;
  /** Null until it is looked for, and where no path matches. */
  match: RouteMatch<Ports> | null;
}

/** What answers the requests of a service; it never rejects. A request without a valid identity token gets AUTH_REQUIRED on every path. */
export function createAnswerRequest<Ports>(
  options: ServiceAppOptions<Ports>,
  rules: HeaderRules,
): (request: ReadableRequest) => Promise<ServiceAnswer> {
  const { routes, ports, verifyIdentity, logger, recordWrite, tracing } = options;
  const matchRoute = createMatchRoute(routes);
  const names = new Map(routes.map((route) => [route, routeName(route)]));
  const errors = createAnswerError(routes, logger);

  async function answer(asked: Asked<Ports>): Promise<ServiceAnswer> {
    const { request, path, requestId } = asked;
    try {
      return await judged(asked);
    } catch (thrown) {
      return errors.answer(thrown, requestId, request.method, asked.match?.path ?? path);
    }
  }

  async function judged(asked: Asked<Ports>): Promise<ServiceAnswer> {
    const { request, path } = asked;
    const token = request.headers[IDENTITY_HEADER];
    const caller = await verifyIdentity(typeof token === 'string' ? token : undefined);
    if (!caller) throw notTheGateway();
    const match = matchRoute(request.method, path);
    asked.match = match;
    if (match === null) throw new ApiError('NOT_FOUND');
    const { route, params, allow } = match;
    if (route === null) throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
    requireGrant(route, names.get(route) ?? '', caller);
    return answerRoute(route, caller, params, asked);
  }

  async function answerRoute(
    route: Route<Ports>,
    caller: GrantedCaller,
    params: Readonly<Record<string, string>>,
    { request, requestId }: Asked<Ports>,
  ): Promise<ServiceAnswer> {
    const { target, headers } = request;
    const json = route.body === undefined ? NO_JSON : await request.readJson(route.body.maxBytes);
    const asked = bodyOf(route, json.value);
    const input = new HandlerInput(request, {
      caller,
      query: route.query && readQuery(route.query, target),
      params,
      requestId,
      accepts: (types) => rules.accepts(headers, types),
      receivedBytes: json.bytes + queryBytes(target),
      beginsWork: () => request.beginsWork(),
    });
    input.body =
      route.parse === undefined
        ? asked
        : await route.parse(asked, input as RouteInput<undefined, unknown>, ports);
    const output = await route.handler(input, ports);
    await record(route, output, caller, requestId, headers);
    const { stream } = output;
    const pieces =
      stream && (await beginStream(stream, (thrown) => errors.fault(thrown, requestId, request.signal)));
    return outputAnswer(route, output, pieces ?? null, request, rules.isFresh);
  }

  async function record(
    { audit, operationId }: Route<Ports>,
    { written }: RouteOutput,
    caller: GrantedCaller,
    requestId: string,
    headers: IncomingHttpHeaders,
  ): Promise<void> {
    if (audit === undefined || !recordWrite || written === null) return;
    if (!written) throw new TypeError(`${operationId} does not say what it wrote`);
    const address = addressOf(headers['x-forwarded-for']);
    await recordWrite({ ...written, action: audit, caller, address, requestId });
  }

  async function answerReady(request: ReadableRequest): Promise<ServiceAnswer> {
    try {
      await requireReady(options);
      const shown = options.shown?.() ?? {};
      const degraded: Record<string, string> =
        shown.degraded === undefined ? {} : { [DEGRADED_HEADER]: String(shown.degraded) };
      return jsonAnswer(200, { status: 'ok', ...shown }, degraded, request, rules.isFresh);
    } catch (thrown) {
      return errors.answer(thrown, requestIdOf(request), request.method, pathOf(request.target));
    }
  }

  return async function answerRequest(request) {
    const path = pathOf(request.target);
    if (isRead(request.method)) {
      if (path === '/health') return jsonAnswer(200, { status: 'ok' }, {}, request, rules.isFresh);
      if (path === '/health/ready') return answerReady(request);
    }
    const asked: Asked<Ports> = { request, path, requestId: requestIdOf(request), match: null };
    if (tracing === undefined) return answer(asked);
    return traceAnswer(
      tracing,
      request,
      () => asked.match?.path ?? null,
      () => answer(asked),
    );
  };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function queryBytes(target: string): number {
  const start = target.indexOf('?');
  return start === -1 ? 0 : target.length - start - 1;
}

/** The body parsed by its schema; unparsed where the route parses it itself. */
function bodyOf<Ports>({ body, parse }: Route<Ports>, value: unknown): unknown {
  if (body === undefined) return undefined;
  if (value === undefined && body.whenAbsent !== undefined) return body.whenAbsent;
  if (value === undefined) throw validationError([{ field: 'body', message: 'A JSON body is required.' }]);
  if (parse !== undefined || takesAnything(body.schema)) return value;
  return parseOrThrow(body.schema, value, Array.isArray(value) ? (body.arrayName ?? '') : '');
}

/** Whether a schema gives back any value as it came, as where the handler judges the elements of a list. */
function takesAnything(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown && !schema.def.checks?.length;
}

/** The client's address: the gateway rewrites this header, with one address in it. */
function addressOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}

function requestIdOf({ headers }: ServiceRequest): string {
  const header = headers['x-request-id'];
  return typeof header === 'string' ? header : '';
}
