/**
 * The HTTP server of a service. Express changes the prototype of every request and response, which makes V8 give up on
 * both and costs more than all else that a service does; here they are born with the prototypes that it wants.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';

/** As much of an express app as its server touches. */
export interface ServedApp {
  (req: IncomingMessage, res: ServerResponse): unknown;
  /** The prototypes that it gives to requests and responses. */
  request: object;
  response: object;
}

export interface ServiceServer {
  /** It listens nowhere yet, and answers 503 until there is something to serve. */
  readonly server: Server;
  /** Serves the app from now on; called once. */
  serve(app: ServedApp): void;
  /** From now on every answer, to requests under way too, ends its connection. */
  endConnections(): void;
}

/** @param maxHeaderSize largest head of a request, in bytes */
export function createServiceServer(maxHeaderSize: number): ServiceServer {
  class Req extends IncomingMessage {}
  class Res extends ServerResponse<Req> {}
  /** Those under way. */
  const open = new Set<Res>();
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
      // The app's own prototypes come between ours and node's, and ours take their place: setting them changes nothing.
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
