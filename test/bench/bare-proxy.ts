/** The least code that is a correct proxy on node and undici: the floor that the gateway's cost is compared with. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

/** Headers that belong to one connection (RFC 9110 section 7.6.1); `expect` was answered by this server already. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
/** Bodies up to this many bytes are read whole, which is cheaper than a stream; larger ones are streamed. */
const BUFFERED_BYTES = 65_536;
const KEEP_ALIVE = /^\s*(?:keep-alive)?\s*$/i;

function text(part: string | Buffer | undefined): string {
  return typeof part === 'string' ? part : (part?.toString('latin1') ?? '');
}

/** Raw header pairs without those of the connection. */
function endToEnd(raw: readonly (string | Buffer)[], connection: string | string[] | undefined): string[] {
  const named =
    connection === undefined || KEEP_ALIVE.test(String(connection))
      ? null
      : new Set(
          String(connection)
            .toLowerCase()
            .split(/\s*,\s*/),
        );
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = text(raw[i]);
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue;
    kept.push(name, text(raw[i + 1]));
  }
  return kept;
}

function dispatch(
  pool: Pool,
  req: IncomingMessage,
  res: ServerResponse,
  body: Buffer | IncomingMessage | null,
) {
  let controller: Dispatcher.DispatchController | undefined;
  res.on('close', () => {
    if (!res.writableFinished) controller?.abort(new Error('the client left'));
  });
  const options = {
    path: req.url ?? '/',
    method: req.method ?? 'GET',
    headers: endToEnd(req.rawHeaders, req.headers.connection),
    body,
  };
  pool.dispatch(options, {
    onRequestStart(started) {
      controller = started;
    },
    onResponseStart(started, status, headers) {
      if (status >= 200) {
        res.writeHead(status, endToEnd((started.rawHeaders ?? []) as Buffer[], headers.connection));
      }
    },
    onResponseData(started, chunk) {
      if (res.write(chunk)) return;
      started.pause();
      res.once('drain', () => started.resume());
    },
    onResponseEnd() {
      res.end();
    },
    onResponseError() {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    },
  });
}

/** Serves `upstream` on the loopback `port`. */
function listen(port: number, upstream: string): void {
  const pool = new Pool(upstream);
  const server = http.createServer((req, res) => {
    const length = req.headers['content-length'];
    if (length === undefined && req.headers['transfer-encoding'] === undefined) {
      dispatch(pool, req, res, null);
    } else if (length === undefined || Number(length) > BUFFERED_BYTES) {
      dispatch(pool, req, res, req);
    } else {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        dispatch(pool, req, res, chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks));
      });
    }
  });
  server.listen(port, '127.0.0.1');
}

listen(Number(process.argv[2]), String(process.argv[3]));
// An orderly end, so that a CPU profile is written.
process.on('SIGTERM', () => process.exit(0));
