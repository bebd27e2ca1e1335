/** One connection to a backend: it carries one exchange at a time, and none after anything that was not expected on it. */
import { connect, type Socket } from 'node:net';
import { errors } from '../../../services/shared/http/late-undici.ts';
import { ChunkedBody } from './chunked-body.ts';
import type { KeptExchange } from './kept-exchange.ts';
import {
  type Framing,
  MOST_HEAD_BYTES,
  noHttp,
  type ResponseHead,
  readHead,
  refuseBeginning,
} from './response-head.ts';

/** How much is read at once, in bytes; each connection keeps as much. */
const READ_BYTES = 16_384;
/** A body up to this size, in bytes, is written as text (latin1 keeps every byte) in one piece with the head. */
const ONE_WRITE_BYTES = 12_288;
const KEEP_ALIVE_PROBE_MS = 60_000;
/** What the other side says of its patience is taken for so much less, since its end takes time to arrive. */
const MARGIN_MS = 2_000;
const END_OF_HEAD = '\r\n\r\n';

export interface ConnectionSettings {
  readonly host: string;
  readonly port: number;
  readonly connectMs: number;
  /** How long it is kept idle at most, in milliseconds. */
  readonly idleMs: number;
}

/** What it tells whoever keeps it. */
export interface ConnectionKeeper {
  /** It can carry another exchange. */
  freed(connection: KeptConnection): void;
  /** It can carry none any more. */
  ended(connection: KeptConnection): void;
}

export class KeptConnection {
  isClosed = false;
  readonly #socket: Socket;
  readonly #keeper: ConnectionKeeper;
  readonly #idleMs: number;
  readonly #connecting: NodeJS.Timeout;
  #exchange: KeptExchange | null;
  /** What arrived of a head that is not whole; null between heads. */
  #partial: Buffer | null = null;
  /** How the body is framed that is being read; null: a head is awaited. */
  #framing: Framing | null = null;
  /** Bytes that a body by length lacks. */
  #missing = 0;
  #chunked: ChunkedBody | null = null;
  /** The other side lets it carry another exchange. */
  #keeps = true;
  #keepsMs: number;
  /** When it is given up: an answer is due, or it was idle for long enough. */
  #dueAtMs = Number.POSITIVE_INFINITY;

  /** Opens it for `exchange`. */
  constructor(settings: ConnectionSettings, exchange: KeptExchange, keeper: ConnectionKeeper) {
    const { host, port, connectMs, idleMs } = settings;
    this.#keeper = keeper;
    this.#exchange = exchange;
    this.#idleMs = idleMs;
    this.#keepsMs = idleMs;
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (bytes: number): boolean => {
      this.#onBytes(buffer.subarray(0, bytes));
      return true;
    };
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
      onread: { buffer, callback },
    });
    this.#connecting = setTimeout(
      () => this.close(new errors.ConnectTimeoutError(`Connect Timeout Error (${host}:${port})`)),
      connectMs,
    );
    this.#socket.once('connect', () => {
      clearTimeout(this.#connecting);
      if (!this.isClosed) this.begin(exchange);
    });
    this.#socket.on('error', (fault) => this.close(fault));
    this.#socket.on('end', () => this.#onEnd());
    this.#socket.on('close', () => this.close(new errors.SocketError('closed')));
  }

  /** Writes the request, if its handler still wants it. */
  begin(exchange: KeptExchange): void {
    this.#exchange = null;
    if (!exchange.start(this)) {
      // Nothing was written: it is as good as before.
      this.#idle();
      return;
    }
    this.#exchange = exchange;
    this.#await(exchange.headersTimeout);
    const { head, body } = exchange;
    const socket = this.#socket;
    if (body === null) socket.write(head, 'latin1');
    else if (body.length <= ONE_WRITE_BYTES) socket.write(head + body.toString('latin1'), 'latin1');
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
  }

  /** The handler has room again. */
  goOn(): void {
    if (this.isClosed) return;
    this.#await(this.#exchange?.bodyTimeout ?? 0);
    this.#socket.resume();
  }

  /** Ends it where it waits for too long. */
  checkTime(nowMs: number): void {
    if (nowMs < this.#dueAtMs) return;
    const exchange = this.#exchange;
    if (exchange?.paused) return;
    if (exchange === null) this.close(new errors.InformationalError('socket idle timeout'));
    else
      this.close(this.#framing === null ? new errors.HeadersTimeoutError() : new errors.BodyTimeoutError());
  }

  /** Ends it; an exchange under way fails with `fault`. */
  close(fault: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.#connecting);
    this.#socket.destroy();
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#keeper.ended(this);
    exchange?.fail(fault);
  }

  #await(timeoutMs: number): void {
    this.#dueAtMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  }

  #onBytes(bytes: Buffer): void {
    if (this.isClosed) return;
    const exchange = this.#exchange;
    if (exchange === null) {
      // Nobody asked: it could be taken for the answer to the next request.
      this.close(new errors.SocketError('bad response'));
      return;
    }
    try {
      this.#read(exchange, bytes);
    } catch (fault) {
      this.close(fault as Error);
    }
    if (exchange.paused && !exchange.isOver) this.#socket.pause();
  }

  #read(exchange: KeptExchange, bytes: Buffer): void {
    let rest = bytes;
    while (this.#framing === null) {
      if (rest.length === 0) return;
      const behind = this.#readHead(exchange, rest);
      if (behind === null || exchange.isOver) return;
      rest = behind;
    }
    if (this.#framing === 'length') this.#readByLength(exchange, rest);
    else if (this.#framing === 'none') this.#done(exchange, rest.length === 0);
    else if (this.#framing === 'chunked') this.#readChunked(exchange, rest);
    else if (rest.length > 0) this.#give(exchange, rest);
  }

  /** What stands behind the head; null: it is not whole yet. */
  #readHead(exchange: KeptExchange, bytes: Buffer): Buffer | null {
    const partial = this.#partial;
    if (partial === null) exchange.beginAnswer();
    const all = partial === null ? bytes : Buffer.concat([partial, bytes]);
    const known = Math.max(0, (partial?.length ?? 0) - END_OF_HEAD.length + 1);
    const end = all.indexOf(END_OF_HEAD, known, 'latin1');
    const length = end < 0 ? all.length : end + END_OF_HEAD.length;
    if (length > MOST_HEAD_BYTES) throw new errors.HeadersOverflowError();
    if (end < 0) {
      refuseBeginning(all.toString('latin1'));
      // What was read lies where the next bytes will.
      this.#partial = partial === null ? Buffer.from(all) : all;
      return null;
    }
    this.#partial = null;
    this.#answered(exchange, readHead(all.toString('latin1', 0, length), exchange.isHead));
    return all.subarray(length);
  }

  #answered(exchange: KeptExchange, head: ResponseHead): void {
    const { status } = head;
    if (status === 100 || status === 101)
      throw new errors.SocketError(status === 100 ? 'bad response' : 'bad upgrade');
    // What precedes an answer puts its time-out off no further: it may come without end.
    if (status >= 200) {
      this.#framing = head.framing;
      this.#missing = head.length;
      this.#chunked = head.framing === 'chunked' ? new ChunkedBody() : null;
      this.#keeps = head.keeps;
      this.#keepsMs = head.keepsMs === null ? this.#idleMs : Math.min(head.keepsMs - MARGIN_MS, this.#idleMs);
      this.#await(exchange.bodyTimeout);
    }
    exchange.answer(head);
  }

  #readByLength(exchange: KeptExchange, bytes: Buffer): void {
    const length = Math.min(this.#missing, bytes.length);
    this.#missing -= length;
    if (length > 0) this.#give(exchange, length === bytes.length ? bytes : bytes.subarray(0, length));
    if (this.#missing === 0) this.#done(exchange, length === bytes.length);
  }

  #readChunked(exchange: KeptExchange, bytes: Buffer): void {
    const body = this.#chunked as ChunkedBody;
    const read = body.read(bytes, (from, to) => {
      this.#give(exchange, bytes.subarray(from, to));
      return !exchange.isOver;
    });
    if (body.isOver) this.#done(exchange, read === bytes.length);
  }

  #give(exchange: KeptExchange, bytes: Buffer): void {
    this.#await(exchange.bodyTimeout);
    exchange.give(Buffer.from(bytes));
  }

  /** `isClean`: nothing stands behind the answer. */
  #done(exchange: KeptExchange, isClean: boolean): void {
    if (exchange.isOver) return;
    this.#exchange = null;
    this.#framing = null;
    this.#chunked = null;
    const isUsable = isClean && this.#keeps && this.#keepsMs > 0 && this.#socket.writableLength === 0;
    exchange.end();
    if (!isUsable) this.close(new errors.InformationalError('reset'));
    else {
      if (exchange.paused) this.#socket.resume();
      this.#idle();
    }
  }

  #idle(): void {
    if (this.isClosed) return;
    this.#await(this.#keepsMs);
    this.#keeper.freed(this);
  }

  #onEnd(): void {
    const exchange = this.#exchange;
    if (exchange !== null && this.#framing === 'rest') this.#done(exchange, true);
    else if (this.#partial !== null) this.close(noHttp('Incomplete head', 'INVALID_EOF_STATE'));
    else this.close(new errors.SocketError('other side closed'));
  }
}
