/**
 * The HTTP server of a service. Express changes the prototype of every request and response, which makes V8 deoptimize
 * both and costs more than everything else in a service. Here they are created with the prototypes that express wants.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { UnderWay } from '../turns/under-way.ts';

/** The part of an express app that its server touches. */
export interface ServedApp {
  (req: IncomingMessage, res: ServerResponse): unknown;
  /** The prototypes for requests and responses. */
  request: object;
  response: object;
}

export interface ServiceServer {
  /** Does not listen yet, and answers 503 until there is an app to serve. */
  readonly server: Server;
  /** Serves the app from now on; called once. */
  serve(app: ServedApp): void;
  /** From now on every answer closes its connection, also for requests under way. */
  endConnections(): void;
}

/** @param maxHeaderSize largest head of a request, in bytes */
export function createServiceServer(maxHeaderSize: number): ServiceServer {
  class Req extends IncomingMessage {}
  class Res extends ServerResponse<Req> {}
  /** Requests under way. */
  const open = new UnderWay<Res>();
  let ending = false;
  let answer = (_req: Req, res: Res): unknown => res.writeHead(503).end();
  const server = createServer({ maxHeaderSize, IncomingMessage: Req, ServerResponse: Res }, (req, res) => {
    open.add(res);
    res.once('close', () => open.delete(res));
    if (ending) res.shouldKeepAlive = false;
    return answer(req, res);
  });
  return {
    server,
    serve(app) {
      // The app's own prototypes are put between ours and node's, then ours replace them: setting them again changes
      // nothing.
      Object.setPrototypeOf(Req.prototype, app.request);
      Object.setPrototypeOf(Res.prototype, app.response);
      app.request = Req.prototype;
      app.response = Res.prototype;
      answer = app;
    },
    endConnections() {
      ending = true;
      for (const res of open) res.shouldKeepAlive = false;
    },
  };
}
