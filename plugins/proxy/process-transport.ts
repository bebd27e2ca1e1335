/** Reaches a service of this process by a call: no connection, and nothing written to be parsed again. */
import { type Dispatcher, errors } from 'undici';
import type { AnswerInProcess } from '../../services/shared/http/service-exchange.ts';
import { ProcessExchange } from './process-exchange.ts';
import type { Transport, TransportBounds, TransportRequest } from './transport.ts';

export class ProcessTransport implements Transport {
  readonly #answer: AnswerInProcess;
  readonly #bounds: TransportBounds;
  readonly #running = new Set<ProcessExchange>();
  /** In their order. */
  readonly #waiting = new Set<ProcessExchange>();
  #isEnded = false;

  constructor(answer: AnswerInProcess, bounds: TransportBounds) {
    this.#answer = answer;
    this.#bounds = bounds;
  }

  dispatch(options: TransportRequest, handler: Dispatcher.DispatchHandler): void {
    const exchange = new ProcessExchange(options, handler, this.#bounds.timeoutMs, () =>
      this.#over(exchange),
    );
    if (this.#isEnded) exchange.abort(new errors.ClientDestroyedError());
    else if (this.#running.size < this.#bounds.connections) this.#begin(exchange);
    else this.#waiting.add(exchange);
  }

  async destroy(): Promise<void> {
    this.#isEnded = true;
    for (const exchange of [...this.#waiting, ...this.#running])
      exchange.abort(new errors.ClientDestroyedError());
  }

  #begin(exchange: ProcessExchange): void {
    this.#running.add(exchange);
    exchange.begin(this.#answer);
  }

  #over(exchange: ProcessExchange): void {
    this.#waiting.delete(exchange);
    if (!this.#running.delete(exchange)) return;
    const [next] = this.#waiting;
    if (next === undefined || this.#isEnded) return;
    this.#waiting.delete(next);
    this.#begin(next);
  }
}
