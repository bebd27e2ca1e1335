/** A backend that answers byte by byte, for what no HTTP server would send; and one exchange with it by the gateway's own client. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Transport } from '../../plugins/proxy/transport.ts';
import { RecordingHandler } from './transport-service.ts';

/** `request`: what arrived, its head whole; `connection`: how many were opened before this one. */
type AnswerRaw = (socket: Socket, request: string, connection: number) => void;

export interface RawBackend {
  readonly origin: string;
  /** Called for each head of a request. */
  answer: AnswerRaw;
  /** Connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startRawBackend(answer: AnswerRaw = () => {}): Promise<RawBackend> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    const connection = connections++;
    let request = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      request += bytes.toString('latin1');
      if (!request.includes('\r\n\r\n')) return;
      const whole = request;
      request = '';
      backend.answer(socket, whole, connection);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const backend = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer,
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return backend;
}

/** Sends a request and waits for what becomes of it. */
export function exchange(
  transport: Transport,
  asked: Partial<Dispatcher.DispatchOptions> = {},
  handler = new RecordingHandler(),
): Promise<RecordingHandler> {
  transport.dispatch({ method: 'GET', path: '/', headers: [], body: null, reset: false, ...asked }, handler);
  return handler.over;
}
