/** Sends judged requests to one backend, by connections or within the process, with what it learns of their caller. */
import type { Dispatcher } from 'undici';
import type { Principal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { callerHeaders } from '../../services/shared/identity/caller-headers.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { TRACE_HEADERS } from '../../services/shared/ports/tracer.ts';
import { applyPolicies } from '../kit/changed-headers.ts';
import { createForwardedHeaders } from '../kit/forwarded-headers.ts';
import type { GatewayRequest, GatewayResponse, Next } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { createKeyOf } from './balance-key.ts';
import { createTokenOf } from './caller-identity.ts';
import { compressionOf } from './compression.ts';
import { createTransport } from './create-transport.ts';
import { Exchange, type ExchangeService } from './exchange.ts';
import { FullQueues } from './full-queues.ts';
import { addOriginHeaders } from './origin-headers.ts';
import { RecordedExchange } from './recorded-exchange.ts';
import { RelayResponse } from './relay-response.ts';
import { discardedResponse, replayAnswer } from './replay-answer.ts';
import { announcedLength, bodyOf, isSafe } from './request-body.ts';
import { StandingStreams } from './standing-streams.ts';
import { traceHeaders } from './trace-headers.ts';
import { upstreamOf } from './upstream.ts';
import {
  createUpstreamFailures,
  createUpstreamRequests,
  createUpstreamRetries,
} from './upstream-measures.ts';
import { WaitingLine } from './waiting-line.ts';
import { WebSocketExchange } from './web-socket-exchange.ts';
import type { WebSockets } from './web-sockets.ts';

/** How requests are sent, whichever backend gets them. */
export interface SendingSettings {
  readonly timeoutSeconds: number;
  readonly connections: number;
  readonly forgetsAfterWrites: boolean;
  readonly remembersFullQueues: boolean;
}

/** Hands a request to the backend, on behalf of `principal`. */
export type SendToBackend = (
  req: GatewayRequest,
  res: GatewayResponse,
  next: Next,
  principal: Principal,
) => void;

/** What sends to the serviceEndpoint `name`; `webSockets`: those of the step, null where it takes none. @throws Error when the configuration has none of that name */
export function createSendToBackend(
  name: string,
  settings: SendingSettings,
  runtime: GatewayRuntime,
  webSockets: WebSockets | null,
): SendToBackend {
  const service = runtime.serviceEndpoints[name];
  if (!service) throw new Error(`no serviceEndpoint "${name}"`);
  const { audience, identity, retries } = service;
  const isOwn = audience !== null;
  const isToldPlainly = identity === 'headers';
  const tokenOf = createTokenOf(service, runtime);
  const timeoutMs = settings.timeoutSeconds * 1000;
  const isTraced = runtime.tracer !== null;
  const dropped = isTraced ? [...service.dropHeaders, ...TRACE_HEADERS] : service.dropHeaders;
  const forwarded = createForwardedHeaders(runtime.isFromTrustedProxy, dropped);
  const upstream = upstreamOf(runtime, name, service);
  const { connections } = settings;
  const lines = upstream.addresses.map(
    ({ origin }) =>
      new WaitingLine(createTransport(origin, service, { connections, timeoutMs }, runtime), connections),
  );
  runtime.onClose(() => Promise.all(lines.map((each) => each.destroy())).then(() => undefined));
  // One of several addresses knows only its own queue.
  const remembers = settings.remembersFullQueues && isOwn && upstream.addresses.length === 1;
  const fullQueues = remembers ? new FullQueues() : null;
  const keyOf = createKeyOf(service);
  const requests = createUpstreamRequests(runtime.metrics, name);
  const to: ExchangeService = {
    upstream,
    lines,
    retries,
    timeoutMs,
    retried: createUpstreamRetries(runtime.metrics, name),
    streams: new StandingStreams(runtime),
    passes: forwarded.responseName,
    isOwn,
    keepsDays: audience === 'tracking',
    compression: compressionOf(runtime),
    failures: createUpstreamFailures(runtime.metrics, Object.keys(runtime.serviceEndpoints), name),
    beforeSuccess: settings.forgetsAfterWrites
      ? ({ method }) => {
          if (!isSafe(method)) runtime.bus.publishHere({ kind: 'everything' });
        }
      : null,
  };

  function send(
    req: GatewayRequest,
    res: GatewayResponse,
    next: Next,
    principal: Principal,
    token: string | null,
  ): void {
    const { context } = req;
    const { recorder } = context;
    const headers = forwarded.request(req, context.isInflated);
    applyPolicies(headers, req);
    headers.push('x-request-id', context.requestId, 'x-forwarded-for', context.address);
    if (isTraced) headers.push(...traceHeaders(req, name));
    if (token !== null) headers.push(IDENTITY_HEADER, token);
    if (isToldPlainly) headers.push(...callerHeaders(principal.caller));
    if (!isOwn) addOriginHeaders(headers, req, context.address, runtime.isFromTrustedProxy);
    const body = bodyOf(req);
    const length = announcedLength(req, body);
    if (length !== null) headers.push('content-length', length);
    const options = {
      path: context.target ?? req.url,
      method: req.method as Dispatcher.HttpMethod,
      headers,
      body,
      parsed: context.parsedBody,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      // A body after the answer to HEAD, sent by mistake, would be read as the answer to whoever is next on the connection.
      reset: req.method === 'HEAD',
    };
    const { organizationId } = principal.caller;
    const key = keyOf === null ? null : keyOf(req, principal.caller);
    const place = organizationId === null ? null : (fullQueues?.enter(organizationId) ?? null);
    if (place instanceof ApiError) next(place);
    else if (context.upgrade !== null && webSockets !== null)
      new WebSocketExchange(req, res, next, to, options, key, webSockets).send();
    else if (recorder !== null)
      new RecordedExchange(req, res, next, to, options, place, key, recorder).send();
    else new Exchange(req, res, next, to, options, place, key).send();
  }

  function ask(req: GatewayRequest, res: GatewayResponse, next: Next, principal: Principal): void {
    requests.add();
    const token = tokenOf(principal, req.context);
    if (token instanceof Promise) token.then((signed) => send(req, res, next, principal, signed)).catch(next);
    else send(req, res, next, principal, token);
  }

  return function sendToBackend(req, res, next, principal) {
    const { context } = req;
    const { replay, renewal } = context;
    if (replay === null) {
      ask(req, res, next, principal);
      return;
    }
    replayAnswer(new RelayResponse(req, res, next, to), replay);
    if (renewal === null) return;
    context.recorder = renewal;
    ask(req, discardedResponse(), () => renewal.fail(), principal);
  };
}
