/** A request for a WebSocket: the backend's answer decides; 101 joins both connections, any other passes as it came. */
import { type IncomingHttpHeaders, type ServerResponse, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { pushCommonHeaders } from '../kit/reply.ts';
import type { GatewayRequest, Next } from '../kit/request-context.ts';
import { Exchange, type ExchangeService } from './exchange.ts';
import type { TransportRequest } from './transport.ts';
import type { WebSockets } from './web-sockets.ts';

export class WebSocketExchange extends Exchange {
  readonly #sockets: WebSockets;

  constructor(
    req: GatewayRequest,
    res: ServerResponse,
    next: Next,
    to: ExchangeService,
    options: TransportRequest,
    key: number | null,
    sockets: WebSockets,
  ) {
    super(req, res, next, to, { ...options, upgrade: 'websocket' }, null, key);
    this.#sockets = sockets;
  }

  /** @throws what becomes the error answer; undici then closes the backend's connection */
  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _statusCode: number,
    headers: IncomingHttpHeaders,
    backend: Duplex,
  ): void {
    const { req, res } = this;
    if (res.destroyed || req.socket.destroyed) throw new Error('the client left');
    if (String(headers.upgrade).toLowerCase() !== 'websocket')
      throw new Error(`the backend switched to ${JSON.stringify(headers.upgrade)}, not to websocket`);
    // No 101 has a body (RFC 9110, 8.6 and 6.4.1).
    const { 'content-length': _length, 'transfer-encoding': _coding, ...bodiless } = headers;
    const out = this.passed(bodiless);
    pushCommonHeaders(out, req.context);
    out.push('Connection', 'Upgrade', 'Upgrade', 'websocket');
    this.#sockets.open(req, res, backend as Socket, headText(out));
    this.switched(backend);
  }
}

/** @throws TypeError for a value that no header can have */
function headText(headers: readonly string[]): string {
  let text = 'HTTP/1.1 101 Switching Protocols\r\n';
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string];
    validateHeaderValue(name, value);
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
