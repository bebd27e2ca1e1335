/** The gateway's own HTTP listener: strict parsing, request classes that already have express's prototypes, JSON for parser errors. */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { asksForWebSocket, type ClientUpgrade } from '../../../plugins/kit/client-upgrade.ts';
import type { GatewayRequest, RequestContext } from '../../../plugins/kit/request-context.ts';
import type { ExpressApp } from '../../../plugins/kit/runtime.ts';
import type { ShownLimit } from '../../../plugins/kit/shown-limit.ts';
import type { ApiError } from '../../../services/shared/errors/api-error.ts';
import { UnderWay } from '../../../services/shared/turns/under-way.ts';
import { FIRST_BYTE_MS } from './connection-bounds.ts';
import { MAX_HEADER_BYTES } from './limits.ts';
import { readWhatCame } from './listen.ts';
import { PipelinedAnswers } from './pipelined-answers.ts';
import { malformed, parserFault, rawReply, replyAndClose } from './raw-reply.ts';
import type { HttpSocket } from './spare-unsent.ts';
import { UnreadAnswers } from './unread-answers.ts';
import { Upgrades } from './upgrades.ts';

/** How long the headers, and the whole request, may take to arrive, in milliseconds; then the answer is 408. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const IDLE_MS = 75_000;

export interface HttpServerOptions {
  /** Certificate and key; null: it speaks plain HTTP. */
  readonly secure: SecureContextOptions | null;
  onRequest(req: GatewayRequest, res: ServerResponse, upgrade?: ClientUpgrade): void;
  newRequestId(): string;
  /** Whether a new connection may stay; if not, it was answered and closed. */
  admit(socket: Socket): boolean;
  /** The rate-limit headers of an answer for which nothing was counted. */
  shownLimit(address: string): ShownLimit;
  /** Called for each reply on the raw socket. */
  countRaw(status: number): void;
  /** Called for each connection that is closed because its client took nothing of an answer for too long. */
  countUnread(): void;
  /** How long that is, in milliseconds; absent: three minutes. */
  readonly unreadMs?: number;
}

export interface GatewayHttpServer {
  readonly server: Server;
  /** Gives requests and responses express's methods, so that express does not change their prototypes. */
  dressForExpress(app: ExpressApp): void;
  /**
   * From now on closes connections on which, for so long, nothing came and no answer was under way: one that was just
   * accepted may still send its first request. Returns what ends this.
   */
  cutSilent(silentMs: number): () => void;
  /** New connections get this certificate; open ones keep theirs. */
  renew(secure: SecureContextOptions): void;
  /** Ends what left HTTP, in good order. */
  endUpgraded(): void;
  /** Breaks off every connection. */
  cut(): void;
}

/** The server, not yet listening. */
export function createHttpServer(options: HttpServerOptions): GatewayHttpServer {
  class Req extends IncomingMessage {
    context: RequestContext | null = null;
    declare saysUpgrade: boolean;

    /**
     * What the parser found is asked for by Node before it lets the connection leave HTTP. Only a WebSocket may, and none
     * while an earlier answer is under way there; anything else, such as the h2c of Java's client, stays a request.
     */
    get upgrade(): boolean {
      if (this.method === 'CONNECT') return this.saysUpgrade;
      return this.saysUpgrade && asksForWebSocket(this) && !(this.socket as HttpSocket)._httpMessage;
    }

    set upgrade(said: boolean | null) {
      this.saysUpgrade = said === true;
    }
  }
  class Res extends ServerResponse<Req> {}

  const settings = {
    IncomingMessage: Req,
    ServerResponse: Res,
    insecureHTTPParser: false,
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: 5_000,
  };
  const secureServer =
    options.secure === null
      ? null
      : createSecureServer({
          ...settings,
          ...options.secure,
          handshakeTimeout: FIRST_BYTE_MS,
          ALPNProtocols: ['http/1.1'],
        });
  const server: Server = secureServer ?? createServer(settings);
  // The size is already bounded; a bound on lines would silently drop the rest, perhaps the key.
  server.maxHeadersCount = 0;
  const sockets = new UnderWay<HttpSocket>();
  const upgrades = new Upgrades();
  const pipelined = new PipelinedAnswers(options.countUnread, options.unreadMs);
  const unread = new UnreadAnswers(options.countUnread, options.unreadMs);
  /** Connections below TLS. */
  const handshakes = new UnderWay<Socket>();
  secureServer?.on('secureConnection', (socket: TLSSocket) => {
    hold(sockets, socket);
    const timer = setTimeout(() => {
      if (!asked.has(socket)) socket.destroy();
    }, FIRST_BYTE_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  // Replaces Node's own listeners, which would create a parser for a refused connection.
  const accept = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (!options.admit(socket)) return;
    unread.watch(socket);
    if (secureServer === null) hold(sockets, socket);
    else hold(handshakes, socket);
    for (const listener of accept) listener.call(server, socket);
  });
  /** Connections over TLS that asked for something. */
  const asked = new WeakSet<Socket>();
  const answer: HttpServerOptions['onRequest'] =
    secureServer === null
      ? options.onRequest
      : (req, res, upgrade) => {
          asked.add(req.socket);
          options.onRequest(req, res, upgrade);
        };
  /** The request behind which nothing on a connection is a request: the parser lost bytes where it said an upgrade. */
  const last = new WeakMap<Duplex, Req>();
  /** What came behind that all the same, and is not answered. */
  const dropped = new WeakSet<IncomingMessage>();
  const onRequest = (req: Req, res: ServerResponse): void => {
    if (last.has(req.socket)) {
      dropped.add(req);
      return;
    }
    if (res.socket === null) pipelined.add(req.socket, res);
    if (req.saysUpgrade) {
      last.set(req.socket, req);
      res.shouldKeepAlive = false;
    }
    answer(req as unknown as GatewayRequest, res);
  };
  server.on('request', onRequest);
  // Otherwise Node would answer an unknown expectation itself, without our headers.
  server.on('checkExpectation', onRequest);

  server.on('upgrade', (incoming: Req, socket: Socket, head: Buffer) => {
    const res = new Res(incoming);
    sockets.delete(socket);
    answer(incoming as unknown as GatewayRequest, res, upgrades.begin(res, socket, head));
  });

  const refuse = (socket: Duplex, error: ApiError): void => {
    // Node removes its own listener from a CONNECT socket: the error of a client that is gone would end the process.
    socket.on('error', () => socket.destroy());
    const address = (socket as Socket).remoteAddress ?? 'unknown';
    options.countRaw(error.status);
    replyAndClose(socket, rawReply(error, options.newRequestId(), options.shownLimit(address)));
  };
  /** Once the answers under way are given, so that none of their clients takes this one for its own. */
  const refuseInTurn = (socket: HttpSocket, error: ApiError): void => {
    const res = socket._httpMessage;
    // A request whose own bytes are wrong, or late, is answered so.
    if (!res?.req.complete || dropped.has(res.req)) {
      refuse(socket, error);
      return;
    }
    last.set(socket, res.req as Req);
    res.once('finish', () => {
      if (socket.writable) refuseInTurn(socket, error);
    });
  };
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    const error = parserFault(fault);
    // Who ends in the middle of a request has left all that are under way, as who ends behind one.
    const hasLeft = (socket as HttpSocket).readableEnded && (socket as HttpSocket)._httpMessage?.req.complete;
    if (error === null || hasLeft) socket.destroy();
    // Such bytes are not judged: the answer under way ends the connection.
    else if (!last.get(socket)?.complete) refuseInTurn(socket as HttpSocket, error);
  });
  server.on('connect', (_req, socket: HttpSocket) => {
    // Node reads and writes nothing more for an answer that is under way there.
    if (socket._httpMessage) socket.destroy();
    // Its target is not a path, so it is answered like other malformed requests, uncounted.
    else
      refuse(
        socket,
        malformed('method', undefined, 'CONNECT is not supported: this is not a forward proxy.'),
      );
  });

  return {
    server,
    cutSilent(silentMs) {
      let before = bytesRead(sockets);
      const look = setInterval(async () => {
        await readWhatCame();
        for (const [socket, bytes] of before) {
          if (socket.bytesRead === bytes && !socket._httpMessage) socket.destroy();
        }
        before = bytesRead(sockets);
      }, silentMs);
      return () => clearInterval(look);
    },
    endUpgraded: () => upgrades.end(),
    cut() {
      server.closeAllConnections();
      upgrades.cut();
      for (const socket of handshakes) socket.destroy();
    },
    renew: (secure) => secureServer?.setSecureContext(secure),
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

function bytesRead(sockets: Iterable<HttpSocket>): Map<HttpSocket, number> {
  return new Map(Array.from(sockets, (socket) => [socket, socket.bytesRead]));
}

function hold<Held extends Socket>(set: UnderWay<Held>, socket: Held): void {
  set.add(socket);
  socket.once('close', () => set.delete(socket));
}
