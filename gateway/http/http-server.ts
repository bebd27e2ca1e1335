/** The gateway's own HTTP listener: strict parsing, request classes that express need not re-dress, JSON for parser faults. */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { GatewayRequest, RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { ExpressApp } from '../../services/shared/plugin/runtime.ts';
import type { ShownLimit } from '../../services/shared/rate-limit/shown-limit.ts';
import { MAX_HEADER_BYTES } from './limits.ts';
import { malformed, parserFault, rawReply, replyAndClose } from './raw-reply.ts';

/** How long the headers, and the whole request, may take to arrive, in milliseconds; longer is 408. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const IDLE_MS = 75_000;

export interface HttpServerOptions {
  onRequest(req: GatewayRequest, res: ServerResponse): void;
  newRequestId(): string;
  /** What the rate-limit headers show to an address that nothing was counted for. */
  shownLimit(address: string): ShownLimit;
  /** Told of each reply on the bare socket. */
  countRaw(status: number): void;
}

export interface GatewayHttpServer {
  readonly server: Server;
  /** Gives requests and responses express's methods, so that express leaves their prototypes alone. */
  dressForExpress(app: ExpressApp): void;
  /** Ends the connections that have no request at the moment. */
  cutSilent(): void;
}

/** The server, not yet listening. */
export function createHttpServer(options: HttpServerOptions): GatewayHttpServer {
  class Req extends IncomingMessage {
    context: RequestContext | null = null;
  }
  class Res extends ServerResponse<Req> {}

  const server = createServer({
    IncomingMessage: Req,
    ServerResponse: Res,
    insecureHTTPParser: false,
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: 5_000,
  });
  // Bounded by size already; a bound on lines would drop those behind it, the key among them, in silence.
  server.maxHeadersCount = 0;
  const sockets = new Set<Socket & { _httpMessage?: object | null }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const onRequest = options.onRequest as unknown as (req: IncomingMessage, res: ServerResponse) => void;
  server.on('request', onRequest);
  // Node would answer an unknown expectation itself, without our headers.
  server.on('checkExpectation', onRequest);

  const refuse = (socket: Duplex, error: ApiError): void => {
    // Node takes its own listener off a socket that asked to CONNECT: a client that is gone would end the process.
    socket.on('error', () => socket.destroy());
    const address = (socket as Socket).remoteAddress ?? 'unknown';
    options.countRaw(error.status);
    replyAndClose(socket, rawReply(error, options.newRequestId(), options.shownLimit(address)));
  };
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    const error = parserFault(fault);
    if (error) refuse(socket, error);
    else socket.destroy();
  });
  server.on('connect', (_req, socket) => {
    // Its target is no path: it is no request to anything here, so it is answered like other malformed ones, uncounted.
    refuse(socket, malformed('method', undefined, 'CONNECT is not answered: this is no forward proxy.'));
  });

  return {
    server,
    cutSilent() {
      for (const socket of sockets) {
        if (!socket._httpMessage) socket.destroy();
      }
    },
    dressForExpress(app) {
      Object.setPrototypeOf(Req.prototype, app.request);
      Object.setPrototypeOf(Res.prototype, app.response);
      app.request = Req.prototype;
      app.response = Res.prototype;
      // undici's destroy tests the constructor of what it is given as a body.
      Object.defineProperty(Req.prototype, 'constructor', {
        value: IncomingMessage,
        configurable: true,
        writable: true,
      });
    },
  };
}
