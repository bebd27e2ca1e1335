/** Reaches a service of this process by a call: no connection, and nothing written to be parsed again. */
import type { Dispatcher } from 'undici';
import { errors } from '../../services/shared/http/late-undici.ts';
import type { AnswerInProcess } from '../../services/shared/http/service-exchange.ts';
import { UnderWay } from '../../services/shared/turns/under-way.ts';
import { ProcessExchange } from './process-exchange.ts';
import type { Transport, TransportBounds, TransportRequest } from './transport.ts';

export class ProcessTransport implements Transport {
  readonly #answer: AnswerInProcess;
  readonly #timeoutMs: number;
  readonly #running = new UnderWay<ProcessExchange>();
  #isEnded = false;

  constructor(answer: AnswerInProcess, { timeoutMs }: Pick<TransportBounds, 'timeoutMs'>) {
    this.#answer = answer;
    this.#timeoutMs = timeoutMs;
  }

  dispatch(options: TransportRequest, handler: Dispatcher.DispatchHandler): void {
    const exchange = new ProcessExchange(options, handler, this.#timeoutMs, () =>
      this.#running.delete(exchange),
    );
    if (this.#isEnded) {
      exchange.abort(new errors.ClientDestroyedError());
      return;
    }
    this.#running.add(exchange);
    exchange.begin(this.#answer);
  }

  async destroy(): Promise<void> {
    this.#isEnded = true;
    for (const exchange of this.#running) exchange.abort(new errors.ClientDestroyedError());
  }
}
