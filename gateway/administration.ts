/** Serves the administration operations of a running server on a unix socket in DATA_DIR, which only its user may reach. */
import { once } from 'node:events';
import { chmodSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ApiError, toApiError } from '../services/shared/errors/api-error.ts';
import { errorBody } from '../services/shared/errors/error-body.ts';
import { validationError } from '../services/shared/errors/zod-details.ts';
import type { Administration } from './administration-operations.ts';
import { ADMINISTRATION_ROUTES } from './administration-routes.ts';
import { MAX_SOCKET_PATH_BYTES, probeSocket } from './administration-socket.ts';
import { closeServer } from './http/listen.ts';

export interface AdministrationServerOptions {
  readonly administration: Administration;
  /** Where it listens, absolute. */
  readonly socketPath: string;
  readonly logger: Logger;
}

export interface AdministrationServer {
  /** Stops accepting and removes the socket; resolves when what is in flight is answered. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 65_536;
/** How long an operator's command may still take when the server ends, in milliseconds. */
const GRACE_MS = 2_000;
/** The umask under which the socket is made: mode 0600 from its first moment. */
const OWNER_ONLY = 0o177;

/**
 * Listens on the socket. That of a dead server is replaced.
 * @throws Error when a server answers there already, or when there cannot be a socket.
 */
export async function startAdministrationServer(
  options: AdministrationServerOptions,
): Promise<AdministrationServer> {
  const { socketPath } = options;
  const length = Buffer.byteLength(socketPath);
  if (length > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `${socketPath} is ${length} bytes long, a unix socket may have ${MAX_SOCKET_PATH_BYTES}: set a shorter DATA_DIR`,
    );
  }
  const state = await probeSocket(socketPath);
  if (state === 'live')
    throw new Error(`a server runs in this DATA_DIR already: it answers on ${socketPath}`);
  if (state === 'stale') unlinkSync(socketPath);

  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      options.logger.error({ err: error }, 'the administration socket failed to answer');
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
  const umask = process.umask(OWNER_ONLY);
  try {
    // Node makes the socket before `listen` returns, so the umask holds for it and for nothing else.
    server.listen(socketPath);
  } finally {
    process.umask(umask);
  }
  await once(server, 'listening');
  chmodSync(socketPath, 0o600);
}

async function answer(
  { administration, logger }: AdministrationServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const data = await route(administration, request);
    send(response, 200, { success: true, data });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) logger.error({ err: error.cause ?? error }, error.message);
    send(response, error.status, errorBody(error, ''));
  }
}

async function route(administration: Administration, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://administration');
  const methods = Object.hasOwn(ADMINISTRATION_ROUTES, url.pathname)
    ? ADMINISTRATION_ROUTES[url.pathname]
    : undefined;
  if (!methods) throw new ApiError('NOT_FOUND');
  const found = methods[request.method ?? ''];
  if (!found) {
    throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: Object.keys(methods).join(', ') } });
  }
  const body = found.readsBody ? await readJson(request, found.maxBytes ?? MAX_BODY_BYTES) : undefined;
  return found.run(administration, body, url.searchParams);
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw validationError([{ field: 'body', message: 'The body is not valid JSON.' }]);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify(body));
}
