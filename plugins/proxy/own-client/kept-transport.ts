/** An HTTP/1.1 client of the gateway's own, over kept connections without TLS; what is not plain goes by undici's. */
import type { Dispatcher } from 'undici';
import { errors } from '../../../services/shared/http/late-undici.ts';
import type { Transport, TransportBounds, TransportRequest } from '../transport.ts';
import { type ConnectionSettings, KeptConnection } from './kept-connection.ts';
import { KeptExchange } from './kept-exchange.ts';
import { requestHead } from './request-head.ts';

/** How often it looks for what waits too long, in milliseconds. */
const LOOK_MS = 250;

/** A request for a connection that was idle. */
interface Start {
  readonly connection: KeptConnection;
  readonly exchange: KeptExchange;
}

export class KeptTransport implements Transport {
  readonly #settings: ConnectionSettings;
  readonly #hostHeader: string;
  readonly #bounds: TransportBounds;
  readonly #createOther: () => Transport;
  /** For streamed bodies, WebSockets and whatever else is not plain; null until there was one. */
  #other: Transport | null = null;
  readonly #connections = new Set<KeptConnection>();
  /** Those without an exchange; the one used last comes first. */
  readonly #free: KeptConnection[] = [];
  #starts: Start[] = [];
  /** Those whose connection was looked at since. */
  #due: Start[] = [];
  #looks: NodeJS.Timeout | null = null;
  #isEnded = false;

  /** `origin` is by http. */
  constructor(
    origin: string,
    bounds: TransportBounds,
    times: Pick<ConnectionSettings, 'connectMs' | 'idleMs'>,
    createOther: () => Transport,
  ) {
    const { hostname, port, host } = new URL(origin);
    this.#settings = { ...times, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
    this.#hostHeader = host;
    this.#bounds = bounds;
    this.#createOther = createOther;
  }

  dispatch(options: TransportRequest, handler: Dispatcher.DispatchHandler): void {
    const head = requestHead(options, this.#hostHeader);
    if (this.#isEnded)
      new KeptExchange('', options, handler, this.#bounds).fail(new errors.ClientDestroyedError());
    else if (head !== null) this.#place(new KeptExchange(head, options, handler, this.#bounds));
    else {
      this.#other ??= this.#createOther();
      this.#other.dispatch(options, handler);
    }
  }

  async destroy(): Promise<void> {
    this.#isEnded = true;
    const fault = new errors.ClientDestroyedError();
    const unsent = [...this.#due, ...this.#starts].map(({ exchange }) => exchange);
    this.#due = [];
    this.#starts = [];
    for (const connection of [...this.#connections]) connection.close(fault);
    for (const exchange of unsent) exchange.fail(fault);
    await this.#other?.destroy();
  }

  /** A connection is free. */
  freed(connection: KeptConnection): void {
    this.#free.push(connection);
  }

  /** A connection is no more. */
  ended(connection: KeptConnection): void {
    this.#connections.delete(connection);
    const index = this.#free.indexOf(connection);
    if (index >= 0) this.#free.splice(index, 1);
    if (this.#connections.size === 0 && this.#looks !== null) {
      clearInterval(this.#looks);
      this.#looks = null;
    }
  }

  #place(exchange: KeptExchange): void {
    const connection = this.#free.pop();
    if (connection !== undefined) {
      if (this.#starts.length === 0 && this.#due.length === 0) setImmediate(this.#start);
      this.#starts.push({ connection, exchange });
      return;
    }
    this.#connections.add(new KeptConnection(this.#settings, exchange, this));
    this.#looks ??= setInterval(this.#look, LOOK_MS).unref();
  }

  /**
   * Writes after a whole turn of the event loop: what the other side sent unasked until then, its end above all, is read
   * before, so that it meets no request.
   */
  readonly #start = (): void => {
    const due = this.#due;
    this.#due = this.#starts;
    this.#starts = [];
    if (this.#due.length > 0) setImmediate(this.#start);
    for (const { connection, exchange } of due) {
      // Nothing of it was sent: another connection may carry it.
      if (connection.isClosed) this.#place(exchange);
      else connection.begin(exchange);
    }
  };

  readonly #look = (): void => {
    const nowMs = performance.now();
    for (const connection of [...this.#connections]) connection.checkTime(nowMs);
  };
}
