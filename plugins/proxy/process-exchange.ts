/** One request to a service of this process: time, back pressure, and its end from either side, as over a connection. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { LateSignal } from '../../services/shared/http/late-signal.ts';
import { errors } from '../../services/shared/http/late-undici.ts';
import { leaveStream } from '../../services/shared/http/send-stream.ts';
import {
  type AnswerInProcess,
  isStreamed,
  type Piece,
  type ProcessRequest,
  type ServiceAnswer,
} from '../../services/shared/http/service-exchange.ts';
import { CarriedBody } from './carried-body.ts';
import { processHeaders } from './process-headers.ts';
import type { TransportRequest } from './transport.ts';

const PROCESSING = 102;

export class ProcessExchange implements Dispatcher.DispatchController, ProcessRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ProcessRequest['headers'];
  readonly parsed: ProcessRequest['parsed'];
  body: ProcessRequest['body'] = null;
  paused = false;
  reason: Error | null = null;
  readonly #sent: Dispatcher.DispatchOptions['body'];
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #timeoutMs: number;
  readonly #over: () => void;
  readonly #left = new LateSignal();
  #timer: NodeJS.Timeout | null = null;
  #hasHead = false;
  #isOver = false;
  #resumed: (() => void) | null = null;

  /** `over` is called once, when nothing more comes of it. */
  constructor(
    options: TransportRequest,
    handler: Dispatcher.DispatchHandler,
    timeoutMs: number,
    over: () => void,
  ) {
    this.method = options.method;
    this.target = options.path;
    this.headers = processHeaders(options);
    this.parsed = options.parsed ?? null;
    this.#sent = options.body;
    this.#handler = handler;
    this.#timeoutMs = options.headersTimeout ?? timeoutMs;
    this.#over = over;
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  begin(answer: AnswerInProcess): void {
    this.#handler.onRequestStart?.(this, null);
    if (this.#isOver) return;
    this.#timer = setTimeout(() => this.#tookTooLong(), this.#timeoutMs);
    const sent = this.#sent;
    if (Buffer.isBuffer(sent)) this.body = sent;
    else if (sent instanceof Readable) {
      this.body = new CarriedBody(sent, {
        moved: () => this.#timer?.refresh(),
        failed: (fault) => this.abort(fault),
      });
    }
    answer(this).then(
      (made) => this.#answered(made),
      (fault: unknown) => this.#broken(fault),
    );
  }

  beginsWork(): void {
    if (this.#isOver || this.#hasHead) return;
    this.#timer?.refresh();
    this.#tell(() => this.#handler.onResponseStart?.(this, PROCESSING, {}, 'Processing'));
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#timer?.refresh();
    this.#resumed?.();
    this.#resumed = null;
  }

  abort(reason: Error): void {
    if (this.#isOver) return;
    this.reason = reason;
    this.#end();
    this.#left.abort();
    this.#handler.onResponseError?.(this, reason);
  }

  #answered(answer: ServiceAnswer): void {
    const { status, statusMessage, headers, body } = answer;
    if (this.#isOver) {
      if (isStreamed(body)) void leaveStream(body);
      return;
    }
    this.#hasHead = true;
    this.#handler.onResponseStarted?.();
    const isTaken = this.#tell(() => this.#handler.onResponseStart?.(this, status, headers, statusMessage));
    if (isStreamed(body)) void (isTaken ? this.#carry(body) : leaveStream(body));
    else if (isTaken) {
      if (body === null || body.length === 0 || this.#data(body)) this.#done();
    }
  }

  /** Asks for the next piece once the handler has room for it. */
  async #carry(pieces: AsyncIterable<Piece>): Promise<void> {
    try {
      for await (const piece of pieces) {
        this.#timer?.refresh();
        if (this.#isOver || (piece.length > 0 && !this.#data(piece))) return;
        if (this.paused) await this.#room();
        if (this.#isOver) return;
      }
    } catch (fault) {
      this.#broken(fault);
      return;
    }
    this.#done();
  }

  /** False: the handler could not take it, and the exchange is over. */
  #data(piece: Piece): boolean {
    const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece as string);
    return this.#tell(() => this.#handler.onResponseData?.(this, chunk));
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#resumed = resolve;
    });
  }

  /** What the handler throws ends the exchange, as with undici. */
  #tell(event: () => void): boolean {
    try {
      event();
    } catch (fault) {
      this.abort(fault instanceof Error ? fault : new Error(String(fault)));
    }
    return !this.#isOver;
  }

  #done(): void {
    if (this.#isOver) return;
    this.#end();
    this.#handler.onResponseEnd?.(this, {});
  }

  #broken(fault: unknown): void {
    this.abort(Object.assign(new errors.SocketError('the service broke its answer off'), { cause: fault }));
  }

  #tookTooLong(): void {
    if (this.#isOver) return;
    // A client that takes its time to read or to send is bounded by the listener.
    if (this.paused || (!this.#hasHead && isUnderWay(this.body))) this.#timer?.refresh();
    else this.abort(this.#hasHead ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError());
  }

  #end(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#resumed?.();
    if (this.body instanceof CarriedBody) this.body.leave();
    this.#over();
  }
}

function isUnderWay(body: ProcessRequest['body']): boolean {
  return body instanceof CarriedBody && body.isUnderWay;
}
