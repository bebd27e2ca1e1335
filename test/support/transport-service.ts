/** A service whose routes do what transports must carry: echoes, streams, faults, waits; and what a transport tells its handler. */
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { GrantedCaller } from '../../services/shared/access/grant.ts';
import { createServiceApp, type ServiceApp } from '../../services/shared/http/create-service-app.ts';
import { defineRoute, type Route, type RouteOutput, routeName } from '../../services/shared/http/route.ts';
import { createLogWatch } from './log-watch.ts';

/** What the routes saw. */
export interface Seen {
  /** Pieces of streams that were made. */
  pieces: number;
  /** Streams that ended, however. */
  ended: number;
  /** Handlers whose signal was aborted. */
  left: number;
  /** Handlers that began. */
  begun: number;
}

const MAX_BYTES = 300_000;
const PIECE = 'x'.repeat(65_536);
/** Of `/long`: far more than any buffer on the way holds. */
export const LONG_PIECES = 1_000;

type Answer = (
  input: Parameters<Route<Seen>['handler']>[0],
  seen: Seen,
) => Promise<RouteOutput> | RouteOutput;

function route(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  answer: Answer,
  takesJson = false,
): Route<Seen> {
  return defineRoute<Seen, unknown>({
    operationId: `${method}${path}`,
    method,
    path,
    rule: 'public',
    summary: path,
    description: path,
    tags: [],
    ...(takesJson && { body: { schema: z.unknown(), maxBytes: MAX_BYTES, example: {} } }),
    success: { status: 200, schema: z.unknown(), example: {} },
    errors: [],
    handler: async (input, seen) => {
      seen.begun++;
      return answer(input as Parameters<Answer>[0], seen);
    },
  });
}

async function* pieces(seen: Seen, count: number, failsAt = Number.POSITIVE_INFINITY, until?: AbortSignal) {
  try {
    for (let index = 0; index < count; index++) {
      if (index === failsAt) throw new Error('a piece failed');
      if (index > 0 && until !== undefined) await aborted(until);
      seen.pieces++;
      yield count === LONG_PIECES ? PIECE : `piece ${index}\n`;
    }
  } finally {
    seen.ended++;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

const stream = (made: AsyncIterable<string>): RouteOutput => ({
  stream: { mediaType: 'text/plain', pieces: made },
});

const ROUTES: readonly Route<Seen>[] = [
  route(
    'POST',
    '/echo',
    ({ body, query, params, receivedBytes, headers }) => {
      const { cookie, 'user-agent': agent, 'x-twice': twice } = headers;
      return { status: 201, body: { body, query, params, receivedBytes, cookie, agent, twice } };
    },
    true,
  ),
  route('GET', '/named/:name', ({ params, method }) => ({
    body: { params, method, text: 'ü €' },
    headers: { ETag: '"1"', Location: '/named/e', 'Set-Cookie': 'a=b' },
  })),
  route('GET', '/bytes', () => ({ bytes: Buffer.from([0, 255, 128, 10]) })),
  route('GET', '/nothing', () => ({ headers: { Location: 'https://example.com/' }, status: 302 })),
  route('DELETE', '/named/:name', () => ({ status: 204 })),
  route('GET', '/fault', () => {
    throw new Error('the handler failed');
  }),
  route('GET', '/bad-header', () => ({ body: {}, headers: { 'X-Bad': 'a\nb' } })),
  route('GET', '/lines', (_input, seen) => stream(pieces(seen, 3))),
  route('GET', '/no-lines', (_input, seen) => stream(pieces(seen, 0))),
  route('GET', '/long', (_input, seen) => stream(pieces(seen, LONG_PIECES))),
  route('GET', '/fails-first', (_input, seen) => stream(pieces(seen, 3, 0))),
  route('GET', '/fails-later', (_input, seen) => stream(pieces(seen, 3, 2))),
  route('GET', '/fault-piece', (_input, seen) => ({
    stream: { mediaType: 'text/plain', pieces: pieces(seen, 3, 2), faultPiece: ({ code }) => `! ${code}\n` },
  })),
  route('GET', '/pauses', ({ signal }, seen) => stream(pieces(seen, 2, undefined, signal))),
  route('GET', '/waits', ({ signal, beginsWork }, seen) => {
    beginsWork();
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        seen.left++;
        reject(signal.reason);
      });
    });
  }),
];

const CALLER = {
  kind: 'public',
  grant: { access: 'public', roles: [], scopes: [], routes: ROUTES.map(routeName) },
} as unknown as GrantedCaller;

/** The token that it believes. */
export const TOKEN = 'believed';

export function createTransportService(): { readonly app: ServiceApp; readonly seen: Seen } {
  const seen: Seen = { pieces: 0, ended: 0, left: 0, begun: 0 };
  const app = createServiceApp<Seen>({
    routes: ROUTES,
    ports: seen,
    verifyIdentity: async (token) => (token === TOKEN ? CALLER : null),
    logger: createLogWatch().logger,
    health: async () => undefined,
  });
  return { app, seen };
}

/** What differs between connections, and is no part of an answer. */
const OF_CONNECTIONS = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Follows one exchange. */
export class RecordingHandler implements Dispatcher.DispatchHandler {
  readonly events: string[] = [];
  status = 0;
  statusMessage = '';
  /** Without those of the connection. */
  headers: Record<string, unknown> = {};
  allHeaders: Readonly<Record<string, unknown>> = {};
  readonly chunks: Buffer[] = [];
  fault: (Error & { readonly code?: string }) | null = null;
  controller: Dispatcher.DispatchController | null = null;
  /** Pauses at the first piece. */
  pauses = false;
  /** Called with the status of each head; may throw. */
  onHead: (status: number) => void = () => {};
  readonly over: Promise<this>;
  #end = (): void => {};

  constructor() {
    this.over = new Promise((resolve) => {
      this.#end = () => resolve(this);
    });
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.events.push('start');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, unknown>,
    statusMessage = '',
  ): void {
    this.events.push(`${status}`);
    this.onHead(status);
    this.status = status;
    this.statusMessage = statusMessage;
    this.allHeaders = headers;
    this.headers = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !OF_CONNECTIONS.includes(name)),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    if (this.pauses && this.chunks.length === 1) controller.pause();
  }

  onResponseEnd(): void {
    this.events.push('end');
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, fault: Error): void {
    this.events.push('fault');
    this.fault = fault;
    this.#end();
  }
}
