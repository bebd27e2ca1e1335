/** An exchange whose answer is told to a recorder while it passes, such as to be kept. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AnswerRecorder, BackendHeaders } from '../kit/kept-answer.ts';
import type { GatewayRequest, Next } from '../kit/request-context.ts';
import { Exchange, type ExchangeService } from './exchange.ts';
import type { QueuePlace } from './full-queues.ts';
import type { TransportRequest } from './transport.ts';

export class RecordedExchange extends Exchange {
  readonly #recorder: AnswerRecorder;
  #hasBegun = false;

  constructor(
    req: GatewayRequest,
    res: ServerResponse,
    next: Next,
    to: ExchangeService,
    options: TransportRequest,
    place: QueuePlace | null,
    key: number | null,
    recorder: AnswerRecorder,
  ) {
    super(req, res, next, to, options, place, key);
    this.#recorder = recorder;
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: BackendHeaders,
    statusMessage?: string,
  ): void {
    super.onResponseStart(controller, status, headers as Record<string, string>, statusMessage);
    if (status < 200) return;
    this.#hasBegun = true;
    this.#recorder.begin(status, headers);
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#recorder.data(chunk);
    super.onResponseData(controller, chunk);
  }

  override onResponseEnd(): void {
    super.onResponseEnd();
    this.#recorder.end();
  }

  override onResponseError(controller: Dispatcher.DispatchController | null, fault: Error): void {
    if (this.#hasBegun) this.#recorder.fail();
    super.onResponseError(controller, fault);
  }
}
