/**
 * A client that asks to leave HTTP for WebSocket (RFC 6455). Its request passes the policies like any other; the one that
 * answers may take the connection over.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface ClientUpgrade {
  /** What the client sent behind its request. */
  readonly head: Buffer;
  /** Whether the connection was taken over: it no longer speaks HTTP. */
  readonly isTaken: boolean;
  /** Takes the connection over; from now on nothing else may answer. `end` is called when the gateway closes. */
  take(end: () => void): Socket;
}

/** Whether a request asks for it by its method and headers: a GET without a body, `Upgrade: websocket` alone. */
export function asksForWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  );
}
