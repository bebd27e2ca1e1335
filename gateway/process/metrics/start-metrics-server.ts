/** The loopback listener for operators: `/metrics` and the health of this process, on a port that clients cannot reach. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ApiError, toApiError } from '../../../services/shared/errors/api-error.ts';
import { errorBody } from '../../../services/shared/errors/error-body.ts';
import { pathOf } from '../../../services/shared/http/query-string.ts';
import { closeServer, listen, originOf } from '../../serve/http/listen.ts';
import { createRequestIds } from '../../serve/http/request-id.ts';

/** The only address that it listens on (contract.md section 3, Rule per route). */
const LOOPBACK = '127.0.0.1';
/** Host names a client on this machine may use: a web page whose own name resolves to loopback must not read it. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
/** How long a scrape may go on while the server closes, in milliseconds. */
const CLOSE_MS = 1_000;

export interface MetricsServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** The metrics to scrape. */
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

export interface MetricsServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts it; rejects when the port is taken. */
export async function startMetricsServer({ port, metrics }: MetricsServerOptions): Promise<MetricsServer> {
  const newRequestId = createRequestIds();
  const answers = new Map<string, (res: ServerResponse) => Promise<void> | void>([
    ['/metrics', async (res) => send(res, metrics.contentType, await metrics.text())],
    ['/health', (res) => send(res, 'application/json; charset=utf-8', '{"status":"ok"}')],
  ]);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!OWN_HOST.test(req.headers.host ?? '')) {
      throw new ApiError('ACCESS_DENIED', { text: `Address this port as ${LOOPBACK} or localhost.` });
    }
    const found = answers.get(pathOf(req.url ?? ''));
    if (found === undefined) {
      throw new ApiError('NOT_FOUND', { text: `This port serves ${[...answers.keys()].join(', ')}.` });
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } });
    }
    await found(res);
  }

  const server = createServer((req, res) => {
    answer(req, res).catch((thrown: unknown) => {
      const error = toApiError(thrown);
      const text = JSON.stringify(errorBody(error, newRequestId()));
      res.writeHead(error.status, error.code, { 'Content-Type': 'application/json', ...error.headers });
      res.end(text);
    });
  });
  const origin = originOf(await listen(server, port, LOOPBACK, 'ADMIN_PORT'));
  return { origin, close: () => closeServer(server, CLOSE_MS) };
}

function send(res: ServerResponse, type: string, text: string): void {
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}
