/** Serves the administration operations of a running server on a unix socket in DATA_DIR that only its user can open. */
import { once } from 'node:events';
import { chmodSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ApiError, toApiError } from '../../services/shared/errors/api-error.ts';
import { errorBody } from '../../services/shared/errors/error-body.ts';
import { badJson } from '../../services/shared/http/json-fault.ts';
import { pathOf, queryOf } from '../../services/shared/http/query-string.ts';
import { closeServer } from '../serve/http/listen.ts';
import { spareUnsent } from '../serve/http/spare-unsent.ts';
import type { AdministrationRoutes } from './routes.ts';
import { MAX_SOCKET_PATH_BYTES, probeSocket } from './socket.ts';

export interface OperatorServerOptions<Operations> {
  readonly administration: Operations;
  /** What of it can be asked. */
  readonly routes: AdministrationRoutes<Operations>;
  /** The absolute path it listens on. */
  readonly socketPath: string;
  readonly logger: Logger;
}

export interface OperatorServer {
  /** Stops accepting and removes the socket; resolves when requests in flight are answered. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 65_536;
/** How long an operator's command may still take when the server shuts down, in milliseconds. */
const GRACE_MS = 2_000;
/** The umask under which the socket is created: mode 0600 from the start. */
const OWNER_ONLY = 0o177;

/**
 * Listens on the socket, replacing the socket of a dead server.
 * @throws Error when a server already answers there, or when no socket can be created.
 */
export async function startOperatorServer<Operations>(
  options: OperatorServerOptions<Operations>,
): Promise<OperatorServer> {
  const { socketPath } = options;
  const length = Buffer.byteLength(socketPath);
  if (length > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `${socketPath} is ${length} bytes long, and a unix socket's path may have at most ${MAX_SOCKET_PATH_BYTES}: set a shorter DATA_DIR`,
    );
  }
  const state = await probeSocket(socketPath);
  if (state === 'live')
    throw new Error(`a server already runs in this DATA_DIR: it answers on ${socketPath}`);
  if (state === 'stale') unlinkSync(socketPath);

  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      options.logger.error({ err: error }, 'the operator socket failed to answer');
      response.destroy();
    });
  });
  await listenPrivately(server, socketPath);
  return {
    async close() {
      await closeServer(server, GRACE_MS);
    },
  };
}

async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  spareUnsent(server);
  const umask = process.umask(OWNER_ONLY);
  try {
    // Node creates the socket before `listen` returns, so the umask applies to it and to nothing else. A worker of several
    // gateways listens itself: its first process would share one socket among all, and take that for the port.
    server.listen({ path: socketPath, exclusive: true });
  } finally {
    process.umask(umask);
  }
  await once(server, 'listening');
  chmodSync(socketPath, 0o600);
}

async function answer<Operations>(
  { administration, routes, logger }: OperatorServerOptions<Operations>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const data = await route(administration, routes, request);
    send(response, 200, { success: true, data });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) logger.error({ err: error.cause ?? error }, error.message);
    send(response, error.status, errorBody(error, ''));
  }
}

async function route<Operations>(
  administration: Operations,
  routes: AdministrationRoutes<Operations>,
  request: IncomingMessage,
): Promise<unknown> {
  const { url = '/' } = request;
  const path = pathOf(url);
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (!methods) throw new ApiError('NOT_FOUND');
  const found = methods[request.method ?? ''];
  if (!found) {
    throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: Object.keys(methods).join(', ') } });
  }
  const body = found.readsBody ? await readJson(request, found.maxBytes ?? MAX_BODY_BYTES) : undefined;
  return found.run(administration, body, queryOf(url));
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw badJson(text);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify(body));
}
