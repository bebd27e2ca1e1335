/** Carries a service's response to the client: pressure back, the client's leaving forward, the service's death at once. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { pushCommonHeaders } from '../../services/shared/plugin/reply.ts';
import type { GatewayRequest, Next } from '../../services/shared/plugin/request-context.ts';
import { namedInConnection, type PassesName } from './forwarded-headers.ts';
import type { UpstreamFailures } from './upstream-measures.ts';

/** A body up to this size, in bytes, leaves as text (latin1 keeps every byte), which Node joins with the headers in one write. */
const ONE_WRITE_BYTES = 16_384;

/** Statuses of an own service that no client can mend: it does not believe the identity token, or cannot read one so long. */
const REFUSES_IDENTITY = 401;
const REFUSES_LENGTH = 431;

/** What is the same for all exchanges with one service. */
export interface RelayService {
  /** Which of its response headers pass. */
  readonly passes: PassesName;
  /** A service of ours, which refuses the gateway's identity only when something is wrong here. */
  readonly isOwn: boolean;
  readonly failures: UpstreamFailures;
  /** Called before the head of a success leaves; null for nothing to do. */
  readonly beforeSuccess: ((req: GatewayRequest) => void) | null;
}

/** undici's handler of one exchange; a request that is sent anew keeps its handler. */
export class RelayResponse implements Dispatcher.DispatchHandler {
  protected readonly req: GatewayRequest;
  protected readonly res: ServerResponse;
  readonly #next: Next;
  readonly #service: RelayService;
  /** Bytes still to come, as announced; NaN when nothing was announced. */
  #missing = Number.NaN;
  /** The chunk that completes the body, held for the end, so that a small response leaves in one write. */
  #last: Buffer | null = null;
  #ended = false;
  /** Of the connection that the request was written to last; null before. */
  #controller: Dispatcher.DispatchController | null = null;

  constructor(req: GatewayRequest, res: ServerResponse, next: Next, service: RelayService) {
    this.req = req;
    this.res = res;
    this.#next = next;
    this.#service = service;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.res.destroyed) {
      controller.abort(new Error('the client left'));
      return;
    }
    if (this.#controller === null) {
      this.res.once('close', () => {
        if (!this.#ended) this.#controller?.abort(new Error('the client left'));
      });
    }
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void {
    if (statusCode < 200) return;
    if (this.#service.isOwn && refusesGateway(statusCode, headers, this.req)) {
      this.#service.failures.identity.add();
      throw new ApiError('UPSTREAM_UNAVAILABLE', { cause: refusal(statusCode, this.origin()) });
    }
    const connection = headers.connection;
    const named = typeof connection === 'string' ? namedInConnection(connection) : null;
    const out: string[] = [];
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined || !this.#service.passes(name) || named?.has(name)) continue;
      if (typeof value === 'string') out.push(name, value);
      else for (const each of value) out.push(name, each);
    }
    if (statusCode < 300) this.#service.beforeSuccess?.(this.req);
    pushCommonHeaders(out, this.req.context);
    this.#missing = Number(headers['content-length'] ?? Number.NaN);
    this.res.writeHead(statusCode, statusMessage ?? '', out);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#missing -= chunk.length;
    if (this.#missing === 0) this.#last = chunk;
    else if (!this.res.write(chunk)) {
      controller.pause();
      this.res.once('drain', () => controller.resume());
    }
  }

  onResponseEnd(): void {
    this.#ended = true;
    const last = this.#last;
    if (last === null) this.res.end();
    else if (last.length <= ONE_WRITE_BYTES) this.res.end(last.toString('latin1'), 'latin1');
    else this.res.end(last);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, fault: Error): void {
    this.#ended = true;
    this.#count(fault);
    if (this.res.headersSent) this.res.destroy();
    else if (!this.res.destroyed) this.#next(upstreamError(fault));
  }

  /** Where the request was sent last; null before. */
  protected origin(): string | null {
    return null;
  }

  /** Ends the exchange with the service, which fails with `reason`. */
  protected abort(reason: Error): void {
    this.#controller?.abort(reason);
  }

  /** A client that left, and an error of our own, are no failure of the service. */
  #count(fault: Error): void {
    if (this.res.destroyed || fault instanceof ApiError) return;
    const { failures } = this.#service;
    if (isTimeout(fault)) failures.timeout.add();
    else failures.broken.add();
  }
}

/**
 * The credential and the headers of the client were judged here, so an own service that refuses them refuses the gateway.
 * It says so by the header of the identity, without which its 401 may be for the client.
 */
function refusesGateway(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  req: GatewayRequest,
): boolean {
  if (status === REFUSES_LENGTH) return true;
  return status === REFUSES_IDENTITY && (headers[IDENTITY_HEADER] !== undefined || !isJudgedByService(req));
}

/** What an operator reads of it: most often the processes were set up differently. */
function refusal(status: number, origin: string | null): Error {
  const reason =
    status === REFUSES_LENGTH
      ? 'it is too long for it'
      : 'it may be another service than the setting says, have other keys (SECRETS_FILE, IDENTITY_JWKS_URL), or another time';
  return new Error(`the service at ${origin} answered ${status} to the identity of the gateway: ${reason}`);
}

/** Whom the gateway let through as nobody in particular: the service says whether that is enough, and 401 when it is not. */
function isJudgedByService({ context }: GatewayRequest): boolean {
  return context.endpoint.access === 'keyless' && context.principal?.caller.kind === 'public';
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/** A service that answers late is 504; one that refused or broke the connection 502 (contract.md section 2). */
function upstreamError(fault: Error): ApiError {
  if (fault instanceof ApiError) return fault;
  return new ApiError(isTimeout(fault) ? 'TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { cause: fault });
}

/** Whether the service let the gateway wait for too long. */
export function isTimeout(fault: Error): boolean {
  return 'code' in fault && TIMEOUT_CODES.has(String(fault.code));
}
