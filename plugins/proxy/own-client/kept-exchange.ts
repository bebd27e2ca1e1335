/** One request and what its handler is told of it, in undici's order and with undici's faults. */
import type { Dispatcher } from 'undici';
import type { TransportBounds, TransportRequest } from '../transport.ts';
import type { ResponseHead } from './response-head.ts';

/** What it is written to. */
interface Carrier {
  /** Its handler has room again. */
  goOn(): void;
  close(fault: Error): void;
}

export class KeptExchange implements Dispatcher.DispatchController {
  readonly head: string;
  readonly body: Buffer | null;
  readonly isHead: boolean;
  /** In milliseconds; 0: without end. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  paused = false;
  reason: Error | null = null;
  /** The handler was told the end, or a fault. */
  isOver = false;
  readonly #handler: Dispatcher.DispatchHandler;
  #connection: Carrier | null = null;

  constructor(
    head: string,
    options: TransportRequest,
    handler: Dispatcher.DispatchHandler,
    { timeoutMs }: TransportBounds,
  ) {
    this.head = head;
    this.body = (options.body as Buffer | null | undefined) ?? null;
    this.isHead = options.method === 'HEAD';
    this.headersTimeout = options.headersTimeout ?? timeoutMs;
    this.bodyTimeout = options.bodyTimeout ?? timeoutMs;
    this.#handler = handler;
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    if (!this.isOver) this.#connection?.goOn();
  }

  abort(reason: Error): void {
    if (this.isOver) return;
    this.reason = reason;
    this.fail(reason);
    this.#connection?.close(reason);
  }

  /** Is about to be written to `connection`. False: its handler ended it, and it must not be. */
  start(connection: Carrier): boolean {
    try {
      this.#handler.onRequestStart?.(this, {});
    } catch (fault) {
      this.abort(asError(fault));
    }
    this.#connection = connection;
    return !this.isOver;
  }

  /** The first byte of an answer, or of what precedes it, is there. */
  beginAnswer(): void {
    this.#handler.onResponseStarted?.();
  }

  answer({ status, headers, statusMessage }: ResponseHead): void {
    try {
      this.#handler.onResponseStart?.(this, status, headers, statusMessage);
    } catch (fault) {
      this.abort(asError(fault));
    }
  }

  give(chunk: Buffer): void {
    try {
      this.#handler.onResponseData?.(this, chunk);
    } catch (fault) {
      this.abort(asError(fault));
    }
  }

  end(): void {
    this.isOver = true;
    try {
      this.#handler.onResponseEnd?.(this, {});
    } catch (fault) {
      this.#handler.onResponseError?.(this, asError(fault));
    }
  }

  fail(fault: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#handler.onResponseError?.(this, fault);
  }
}

function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault));
}
