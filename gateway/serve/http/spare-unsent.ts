/** Keeps Node from closing connections whose answers are still on their way. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as SecureServer } from 'node:tls';
import { UnderWay } from '../../../services/shared/turns/under-way.ts';

/** A connection, and the answer that Node writes to it; null between two. */
export type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * From now on `closeIdleConnections` of this server, which its `close` calls, leaves connections open on which an answer is not
 * sent whole, or others wait behind it. Node takes a connection for idle once its answer is given, however much of that the
 * client has still to read. To be called before it listens.
 */
export function spareUnsent(server: Server): void {
  const sockets = new UnderWay<HttpSocket>();
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: HttpSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdle = server.closeIdleConnections;
  function closeSent(): void {
    const unsent = Array.from(sockets).filter(isSending);
    // Only Node's parser knows which requests have begun to arrive, so it judges the others.
    for (const socket of unsent) socket.destroy = stay;
    closeIdle.call(server);
    for (const socket of unsent) Reflect.deleteProperty(socket, 'destroy');
  }
  server.closeIdleConnections = closeSent;
}

function stay(this: HttpSocket): HttpSocket {
  return this;
}

function isSending(socket: HttpSocket): boolean {
  return Boolean(socket._httpMessage) || socket.writableLength > 0;
}
