/** Carries a service's response to the client: passes on back pressure, a client that leaves, and a service that dies. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Coding } from '../../services/shared/http/representation.ts';
import { RUNNING_TIME_HEADER, readRunningTime } from '../../services/shared/http/running-time-header.ts';
import { VARIES } from '../kit/answer-headers.ts';
import { namedInConnection, type PassesName } from '../kit/forwarded-headers.ts';
import { applyEdits } from '../kit/header-edits.ts';
import { pushCommonHeaders } from '../kit/reply.ts';
import type { GatewayRequest, Next } from '../kit/request-context.ts';
import {
  type AnswerHeaders,
  byName,
  type Compression,
  describeCoding,
  isCompressible,
  wantedCoding,
} from './compression.ts';
import { DayRefusal } from './day-refusal.ts';
import { identityRefusal, refusesGateway } from './refused-identity.ts';
import type { UpstreamFailures } from './upstream-measures.ts';

/**
 * A body up to this size, in bytes, is written as text (latin1 keeps every byte), which Node joins with the headers in
 * one write.
 */
const ONE_WRITE_BYTES = 16_384;

const NOT_MODIFIED = 304;
const REFUSES_FOR_NOW = 429;

/** The status by which an own service says that work begins which is charged by its time. */
const PROCESSING = 102;

/** What all exchanges with one service share. */
export interface RelayService {
  /** Which of its response headers pass. */
  readonly passes: PassesName;
  /** One of the product's own services, which refuses the gateway's identity only when something is wrong here. */
  readonly isOwn: boolean;
  /** One of the product's own services that keeps daily budgets, besides the limits that are decided here. */
  readonly keepsDays: boolean;
  readonly failures: UpstreamFailures;
  readonly compression: Compression;
  /** Called before the head of a successful answer is sent; null for nothing to do. */
  readonly beforeSuccess: ((req: GatewayRequest) => void) | null;
}

/** An answer that is collected to be compressed. */
interface Held {
  readonly coding: Coding;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly headers: string[];
  /** How much room it takes. */
  readonly bytes: number;
  readonly chunks: Buffer[];
}

/** undici's handler of one exchange; a retried request keeps its handler. */
export class RelayResponse implements Dispatcher.DispatchHandler {
  protected readonly req: GatewayRequest;
  protected readonly res: ServerResponse;
  readonly #next: Next;
  readonly #service: RelayService;
  /** Bytes still to come, as announced; NaN when nothing was announced. */
  #missing = Number.NaN;
  /** The chunk that completes the body, held until the end, so that a small response is written at once. */
  #last: Buffer | null = null;
  #ended = false;
  /** The head was given to Node, and nothing of a body whose length nobody announced. */
  #awaitsBody = false;
  /** The answer while it is collected for compression; null when it is not. */
  #held: Held | null = null;
  /** The refusal while it is collected; null when there is none. */
  #refusal: DayRefusal | null = null;
  /** When an own service said that work begins which is charged by time; null while it has not. */
  #runsSinceMs: number | null = null;
  /** Controls the connection that the request was last written to; null before. */
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
      this.res.on('close', () => {
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
    if (statusCode < 200) {
      if (statusCode === PROCESSING && this.#service.isOwn) this.#runsSinceMs = performance.now();
      return;
    }
    if (this.#service.isOwn) this.#chargeRunning(headers[RUNNING_TIME_HEADER]);
    if (this.#service.isOwn && refusesGateway(statusCode, headers, this.req)) {
      this.#service.failures.identity.add();
      throw new ApiError('UPSTREAM_UNAVAILABLE', { cause: identityRefusal(statusCode, this.origin()) });
    }
    if (statusCode === REFUSES_FOR_NOW && this.#service.keepsDays) {
      this.#refusal = DayRefusal.of(this.req, headers);
      if (this.#refusal !== null) return;
    }
    const out = this.passed(headers);
    if (statusCode < 300) this.#service.beforeSuccess?.(this.req);
    const sent = this.req.context.answerEdits === null ? headers : byName(out);
    const coding = this.#codingOf(statusCode, headers, sent);
    if (coding !== null && this.req.method === 'HEAD') describeCoding(out, coding, null);
    else if (coding !== null && this.#service.compression.take(Number(headers['content-length']))) {
      const bytes = Number(headers['content-length']);
      this.#held = {
        coding,
        statusCode,
        statusMessage: statusMessage ?? '',
        headers: out,
        bytes,
        chunks: [],
      };
      return;
    }
    pushCommonHeaders(out, this.req.context);
    this.#missing = Number(headers['content-length'] ?? Number.NaN);
    this.res.writeHead(statusCode, statusMessage ?? '', out);
    if (Number.isNaN(this.#missing)) {
      this.#awaitsBody = true;
      setImmediate(() => this.#flushHead());
    }
  }

  /** Node holds the head back until the body begins, which in a stream may be long after. */
  #flushHead(): void {
    if (this.#awaitsBody && !this.#ended && !this.res.destroyed) this.res.flushHeaders();
  }

  /** The headers of the answer that pass to the client, as name, value, with the changes of the pipeline. */
  protected passed(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
    const { connection } = headers;
    const named = connection === undefined ? null : namedInConnection(String(connection));
    const out: string[] = [];
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined || !this.#service.passes(name) || named?.has(name)) continue;
      if (typeof value === 'string') out.push(name, value);
      else for (const each of value) out.push(name, each);
    }
    applyEdits(this.req.context.answerEdits, out, this.req.context);
    return out;
  }

  /** The connection carries another protocol now, and ends without this exchange. */
  protected leaveHttp(): void {
    this.#ended = true;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held !== null) {
      this.#held.chunks.push(chunk);
      return;
    }
    if (this.#refusal !== null) {
      this.#refusal.chunks.push(chunk);
      return;
    }
    this.#awaitsBody = false;
    this.#missing -= chunk.length;
    if (this.#missing === 0) this.#last = chunk;
    else if (!this.res.write(chunk) && this.res.listenerCount('drain') === 0) {
      controller.pause();
      this.res.once('drain', () => controller.resume());
    }
  }

  onResponseEnd(): void {
    this.#ended = true;
    if (this.#refusal !== null) void this.#endRefused(this.#refusal);
    else if (this.#held !== null) void this.#endHeld(this.#held);
    else if (this.#last === null) this.res.end();
    else this.#endWith(this.#last);
  }

  async #endRefused(refusal: DayRefusal): Promise<void> {
    const error = await refusal.told(this.req).catch(upstreamError);
    if (!this.res.destroyed) this.#next(error);
  }

  #endWith(last: Buffer): void {
    if (last.length <= ONE_WRITE_BYTES) endInOneWrite(this.res, last.toString('latin1'));
    else this.res.end(last);
  }

  /** The encoding of this answer; null: none. If it could be encoded, caches learn that it depends on that. */
  #codingOf(status: number, headers: AnswerHeaders, sent: AnswerHeaders): Coding | null {
    // A 304 updates a cached answer, which may be a compressed one.
    if (status === NOT_MODIFIED) this.req.context.varies |= VARIES.encoding;
    if (!isCompressible(this.req, status, headers, sent)) return null;
    this.req.context.varies |= VARIES.encoding;
    return wantedCoding(this.req);
  }

  async #endHeld({ coding, statusCode, statusMessage, headers, bytes, chunks }: Held): Promise<void> {
    const { compression } = this.#service;
    const plain = Buffer.concat(chunks);
    const compressed = await compression.compress(plain, coding).catch(() => null);
    compression.give(bytes);
    this.#held = null;
    if (this.res.destroyed) return;
    if (compressed !== null) describeCoding(headers, coding, compressed.length);
    pushCommonHeaders(headers, this.req.context);
    this.res.writeHead(statusCode, statusMessage, headers);
    this.#endWith(compressed ?? plain);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, fault: Error): void {
    this.#ended = true;
    if (this.#held !== null) this.#service.compression.give(this.#held.bytes);
    this.#held = null;
    this.#count(fault);
    this.#chargeRunning(undefined);
    if (this.res.headersSent) {
      if (!this.res.writableEnded) this.res.destroy();
    } else if (!this.res.destroyed) this.#next(upstreamError(fault));
  }

  /** Where the request was sent last; null before. */
  protected origin(): string | null {
    return null;
  }

  /** Ends the exchange with the service, which fails with `reason`. */
  protected abort(reason: Error): void {
    this.#controller?.abort(reason);
  }

  /**
   * The time that the service states, else the time since it said that work began. Called once: nothing more for an
   * answer that breaks off.
   */
  #chargeRunning(told: string | readonly string[] | undefined): void {
    const sinceMs = this.#runsSinceMs;
    const ranMs = readRunningTime(told) ?? (sinceMs === null ? null : performance.now() - sinceMs);
    this.#runsSinceMs = null;
    const charge = this.req.context.chargeRunning;
    this.req.context.chargeRunning = null;
    if (ranMs !== null) charge?.(ranMs);
  }

  /** A client that left, and an internal error, are not failures of the service. */
  #count(fault: Error): void {
    if (this.res.destroyed || fault instanceof ApiError) return;
    const { failures } = this.#service;
    if (isTimeout(fault)) failures.timeout.add();
    else failures.broken.add();
  }
}

/**
 * Ends the answer with `body` as latin1. Given to `end`, Node writes it together with an empty last chunk, which the system
 * gathers; corked around `write`, headers and body leave as one text, with 4 % less CPU per request.
 */
function endInOneWrite(res: ServerResponse, body: string): void {
  // Null while an earlier answer of the connection is under way.
  const { socket } = res;
  socket?.cork();
  res.write(body, 'latin1');
  socket?.uncork();
  res.end();
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/** A service that answers late is 504; one that refused or broke the connection is 502 (contract.md section 2). */
function upstreamError(fault: Error): ApiError {
  if (fault instanceof ApiError) return fault;
  return new ApiError(isTimeout(fault) ? 'TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { cause: fault });
}

/** Whether the service kept the gateway waiting for too long. */
export function isTimeout(fault: Error): boolean {
  return 'code' in fault && TIMEOUT_CODES.has(String(fault.code));
}
