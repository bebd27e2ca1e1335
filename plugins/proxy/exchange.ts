/**
 * One request on its way to an address that answers it: counted at each address, and retried only where that repeats
 * nothing.
 */
import type { ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { errors } from '../../services/shared/http/late-undici.ts';
import type { Count } from '../../services/shared/ports/metrics.ts';
import type { GatewayRequest, Next } from '../kit/request-context.ts';
import { isQueueFull, type QueuePlace } from './full-queues.ts';
import { isTimeout, RelayResponse, type RelayService } from './relay-response.ts';
import type { StandingStreams } from './standing-streams.ts';
import type { TransportRequest } from './transport.ts';
import type { Upstream } from './upstream.ts';
import type { UpstreamAddress } from './upstream-address.ts';
import type { Waiter, WaitingLine } from './waiting-line.ts';

const WAITED_IN_VAIN =
  'The service is busy, and the request waited in vain for its turn there; try again shortly.';

/** What all exchanges of one proxy step share. */
export interface ExchangeService extends RelayService {
  readonly upstream: Upstream;
  /** Where requests wait for each of its addresses, in their order. */
  readonly lines: readonly WaitingLine[];
  /** How often a request is retried at most. */
  readonly retries: number;
  /**
   * How long all attempts together may take until an answer begins, in milliseconds, besides what they wait for their
   * turns; and how long, from its start, a request may wait for one.
   */
  readonly timeoutMs: number;
  readonly retried: Count;
  readonly streams: StandingStreams;
}

export class Exchange extends RelayResponse implements Waiter {
  readonly #to: ExchangeService;
  readonly #next: Next;
  readonly #options: TransportRequest;
  #address: UpstreamAddress | null = null;
  /** Where it has to say that it is over; null while it waits, and once it has. */
  #line: WaitingLine | null = null;
  #retries = 0;
  /** When it last began to wait for its turn, by `performance.now()`, and how long it waited in all, in milliseconds. */
  #waitsSinceMs = 0;
  #waitedMs = 0;
  /** The bit of each address that it was sent to. */
  #tried = 0;
  /** Its first byte was written to a connection: the service may have acted on it. */
  #wasSent = false;
  /** The first byte of an answer arrived. */
  #hasBegun = false;
  /** The answer is one that never has a body. */
  #isBodiless = false;
  /** Ends the wait of a retried request for its answer; null where none is under way. */
  #deadline: NodeJS.Timeout | null = null;
  /** The client was told that it took too long. */
  #gaveUp = false;
  /** Its place among the requests of its organization until it is over; null where none is kept. */
  #place: QueuePlace | null;
  /** The hash of what stays with one address; null: the load alone decides. */
  readonly #key: number | null;
  #wasRefused = false;

  constructor(
    req: GatewayRequest,
    res: ServerResponse,
    next: Next,
    to: ExchangeService,
    options: TransportRequest,
    place: QueuePlace | null,
    key: number | null,
  ) {
    super(req, res, next, to);
    this.#to = to;
    this.#next = next;
    this.#options = options;
    this.#place = place;
    this.#key = key;
  }

  send(): void {
    const { upstream, lines, timeoutMs } = this.#to;
    const address = upstream.pick(this.#tried, this.#key);
    if (address === null) {
      this.#refuse(upstream.waitMs(), { cause: new Error('every address of the service failed lately') });
      return;
    }
    const { context } = this.req;
    this.#address = address;
    context.upstream = address.origin;
    if (context.upstreamSinceMs === 0) context.upstreamSinceMs = performance.now();
    this.#wasSent = false;
    address.sent();
    this.#waitsSinceMs = performance.now();
    (lines[address.index] as WaitingLine).enter(this, context, this.res, context.startedAtMs + timeoutMs);
  }

  begin(line: WaitingLine): void {
    this.#line = line;
    this.#waitedMs += performance.now() - this.#waitsSinceMs;
    if (this.#retries > 0) {
      const leftMs = Math.max(1, Math.ceil(this.#remainingMs()));
      this.#options.headersTimeout = leftMs;
      this.#deadline = setTimeout(() => this.#giveUp(), leftMs);
    }
    line.transport.dispatch(this.#options, this);
  }

  /** That is no failure of the address. */
  turnAway(): void {
    this.#address?.ended();
    if (this.res.destroyed) this.#leave();
    else this.#refuse(0, { text: WAITED_IN_VAIN });
  }

  override onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#gaveUp) {
      controller.abort(new Error('the request took too long'));
      return;
    }
    this.#wasSent = true;
    super.onRequestStart(controller);
  }

  /** undici calls this when the first byte of an answer arrives. */
  onResponseStarted(): void {
    this.#hasBegun = true;
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void {
    this.#address?.answered();
    this.#place?.answers(statusCode, headers);
    this.#wasRefused = isQueueFull(statusCode, headers);
    this.#clearDeadline();
    this.#isBodiless = statusCode === 204 || statusCode === 304;
    const sent = this.#isBodiless ? withoutLength(headers) : headers;
    super.onResponseStart(controller, statusCode, sent, statusMessage);
    if (statusCode >= 200 && isEventStream(headers))
      this.#to.streams.hold(this.req, this.res, (reason) => this.abort(reason));
  }

  /** The address agreed to another protocol on its connection: the request is over when that ends. */
  protected switched(connection: Duplex): void {
    this.#address?.answered();
    this.#clearDeadline();
    this.#leaveLine();
    this.leaveHttp();
    connection.once('close', () => this.#address?.ended());
  }

  protected override origin(): string | null {
    return this.#address?.origin ?? null;
  }

  override onResponseEnd(): void {
    this.#address?.ended();
    this.#leaveLine();
    this.#leave();
    super.onResponseEnd();
  }

  override onResponseError(controller: Dispatcher.DispatchController | null, fault: Error): void {
    // A 304 may tell the length that 200 would have (RFC 9110, 8.6); undici waits for as many bytes.
    if (this.#isBodiless && fault instanceof errors.ResponseContentLengthMismatchError) {
      this.onResponseEnd();
      return;
    }
    const isTheirs = this.#isTheirs(fault);
    if (isTheirs) this.#address?.failed();
    else this.#address?.ended();
    this.#leaveLine();
    this.#clearDeadline();
    if (this.#gaveUp) {
      this.#leave();
      return;
    }
    if (isTheirs && this.#maySendAnew(fault)) this.#sendAnew();
    else {
      this.#leave();
      super.onResponseError(controller, fault);
    }
  }

  /** A client that left, and an internal error, are not failures of the address. */
  #isTheirs(fault: Error): boolean {
    return !(
      this.#gaveUp ||
      this.res.destroyed ||
      fault instanceof ApiError ||
      fault instanceof errors.InvalidArgumentError
    );
  }

  /**
   * A request that was never sent is retried whatever its method; otherwise only a safe method, while no answer has
   * begun.
   */
  #maySendAnew(fault: Error): boolean {
    if (this.#retries === this.#to.retries || this.#hasBegun || this.#remainingMs() <= 0) return false;
    if (!this.#wasSent) return isWhole(this.#options.body);
    const { method } = this.req;
    return (method === 'GET' || method === 'HEAD') && !isTimeout(fault) && !isNoHttp(fault);
  }

  #sendAnew(): void {
    this.#retries++;
    this.req.context.retries++;
    this.#to.retried.add();
    if (this.#address !== null) {
      this.#address.retries++;
      this.#tried |= 1 << this.#address.index;
    }
    // Not from within undici, which is still clearing the queue of the broken connection.
    setImmediate(() => {
      if (this.res.destroyed) this.#leave();
      else this.send();
    });
  }

  #remainingMs(): number {
    return this.req.context.startedAtMs + this.#waitedMs + this.#to.timeoutMs - performance.now();
  }

  #giveUp(): void {
    if (this.res.destroyed || this.res.headersSent) return;
    const fault = new errors.HeadersTimeoutError();
    if (this.#wasSent) this.abort(fault);
    else {
      // Its connection is being opened; it is dropped when that is done.
      this.#gaveUp = true;
      super.onResponseError(null, fault);
    }
  }

  /** Another one may begin. */
  #leaveLine(): void {
    this.#line?.leave();
    this.#line = null;
  }

  #leave(): void {
    this.req.context.upstreamUntilMs = performance.now();
    this.#place?.leave(this.#wasRefused);
    this.#place = null;
  }

  #clearDeadline(): void {
    if (this.#deadline === null) return;
    clearTimeout(this.#deadline);
    this.#deadline = null;
  }

  #refuse(waitMs: number, why: { readonly text?: string; readonly cause?: Error }): void {
    this.#leave();
    letGo(this.#options.body, this.req);
    this.#to.failures.unavailable.add();
    const headers = { 'Retry-After': `${Math.max(1, Math.ceil(waitMs / 1000))}` };
    this.#next(new ApiError('SERVICE_UNAVAILABLE', { ...why, headers }));
  }
}

/** Nobody reads it any more; the client's own stream is left to who answers. */
function letGo(body: Dispatcher.DispatchOptions['body'], req: GatewayRequest): void {
  if (body instanceof Readable && body !== req) body.destroy();
}

function withoutLength({
  'content-length': _length,
  ...headers
}: Record<string, string | string[] | undefined>): Record<string, string | string[] | undefined> {
  return headers;
}

/** Whether events come for as long as both sides stay (WHATWG HTML, Server-sent events). */
function isEventStream(headers: Record<string, string | string[] | undefined>): boolean {
  if (headers['content-length'] !== undefined) return false;
  return /^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''));
}

/** Whether a body can be sent from its beginning: a stream only while nobody has read from it. */
function isWhole(body: Dispatcher.DispatchOptions['body']): boolean {
  return !(body instanceof Readable) || !(body.destroyed || body.readableDidRead);
}

/** The answer was not HTTP: something answered, and did so wrongly. */
function isNoHttp(fault: Error): boolean {
  return 'code' in fault && String(fault.code).startsWith('HPE_');
}
