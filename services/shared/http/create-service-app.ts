/** Makes the express app of a service from its routes, and what answers for it within the process: both answer alike. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Express } from 'express';
import { createAnswerRequest, type HeaderRules, type ReadableRequest } from './answer-request.ts';
import { isPlainUtf8, type JsonBody, NO_JSON, parseJsonBody, readerFault } from './json-body.ts';
import { scanJson } from './json-bounds.ts';
import { LateSignal } from './late-signal.ts';
import { leaveStream } from './send-stream.ts';
import {
  type AnswerInProcess,
  isStreamed,
  type ProcessRequest,
  type ServiceAnswer,
} from './service-exchange.ts';
import type { ServiceAppOptions } from './service-options.ts';

/** An express app for a listener, and the same service for the gateway of its process. */
export type ServiceApp = Express & { readonly answerInProcess: AnswerInProcess };

/** The app, which is not listening yet. */
export function createServiceApp<Ports>(options: ServiceAppOptions<Ports>): ServiceApp {
  const unrecorded = options.routes.find((route) => route.audit !== undefined && !options.recordWrite);
  if (unrecorded)
    throw new TypeError(`${unrecorded.operationId} leaves audit records, but nothing stores them`);
  const answer = createAnswerRequest(options, EXPRESS_RULES);
  const readBody = createJsonReader();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(async (req: IncomingMessage, res: ServerResponse) => {
    await send(res, await answer(new HttpRequest(req, res, readBody)));
  });
  const answerInProcess: AnswerInProcess = (request) => answer(new UncarriedRequest(request, readBody));
  return Object.assign(app, { answerInProcess });
}

/** Express's own, of a request that need not have come over HTTP. */
const EXPRESS_RULES: HeaderRules = {
  accepts: (headers, types) => {
    const { accepts } = express.request as unknown as { accepts(types: string[]): string | false };
    return accepts.call({ headers }, [...types]);
  },
  isFresh: ({ method, headers }, statusCode, answer) => {
    const res = { statusCode, get: (name: string) => answer[name.toLowerCase()] };
    return Reflect.get(express.request, 'fresh', { method, headers, res }) as boolean;
  },
};

/** What express's body reader needs of a request. */
type BodySource = Readable & Pick<IncomingMessage, 'headers'>;

type ReadBody = (source: BodySource, maxBytes: number) => Promise<JsonBody>;

/** Express's JSON reader, for any media type: the gateway already judged the type, and a missing one means JSON. */
function createJsonReader(): ReadBody {
  const readers = new Map<number, ReturnType<typeof express.json>>();
  const lengths = new WeakMap<object, number>();
  /** The reader sets a status on what is thrown here, so the intended error goes inside. */
  function verify(req: object, _res: object, body: Buffer): void {
    lengths.set(req, body.length);
    const { refusal } = scanJson(body);
    if (refusal !== null) throw new Error('the body passes the bounds of JSON', { cause: refusal });
  }
  return (source, maxBytes) => {
    const reader =
      readers.get(maxBytes) ?? express.json({ limit: maxBytes, strict: false, type: () => true, verify });
    readers.set(maxBytes, reader);
    const req = source as BodySource & Parameters<typeof reader>[0];
    return new Promise((resolve, reject) => {
      reader(req, NO_RESPONSE, (fault: unknown) => {
        if (fault) reject(readerFault(fault));
        else resolve({ value: (req as { body?: unknown }).body, bytes: lengths.get(req) ?? 0 });
      });
    });
  };
}

/** The reader only hands it on. */
const NO_RESPONSE = {} as Parameters<ReturnType<typeof express.json>>[1];

/** A request that came over HTTP. */
class HttpRequest implements ReadableRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #readBody: ReadBody;
  #left: LateSignal | null = null;

  constructor(req: IncomingMessage, res: ServerResponse, readBody: ReadBody) {
    this.method = req.method ?? '';
    this.target = req.url ?? '';
    this.headers = req.headers;
    this.#req = req;
    this.#res = res;
    this.#readBody = readBody;
  }

  get signal(): AbortSignal {
    if (this.#left === null) {
      const left = new LateSignal();
      const res = this.#res;
      if (res.destroyed && !res.writableFinished) left.abort();
      else res.on('close', () => res.writableFinished || left.abort());
      this.#left = left;
    }
    return this.#left.signal;
  }

  readJson(maxBytes: number): Promise<JsonBody> {
    return this.#readBody(this.#req, maxBytes);
  }

  beginsWork(): void {
    const res = this.#res;
    if (!res.headersSent && !res.destroyed) res.writeProcessing();
  }
}

async function send(res: ServerResponse, answer: ServiceAnswer): Promise<void> {
  const { status, statusMessage, headers, body } = answer;
  if (res.destroyed) {
    if (isStreamed(body)) await leaveStream(body);
    return;
  }
  res.writeHead(status, statusMessage, headers);
  if (!isStreamed(body)) {
    res.end(body ?? undefined);
    return;
  }
  try {
    await pipeline(Readable.from(body), res);
  } catch {
    // The client left, or a piece failed: the connection is broken, and the log knows why.
    res.destroy();
  }
}

/** A request from the gateway of the process. */
class UncarriedRequest implements ReadableRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ProcessRequest['headers'];
  readonly #request: ProcessRequest;
  readonly #readBody: ReadBody;

  constructor(request: ProcessRequest, readBody: ReadBody) {
    this.method = request.method;
    this.target = request.target;
    this.headers = request.headers;
    this.#request = request;
    this.#readBody = readBody;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** A whole body in UTF-8 is parsed as it is, any other read as if a connection brought it. */
  readJson(maxBytes: number): Promise<JsonBody> | JsonBody {
    const { headers } = this;
    const { body } = this.#request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NO_JSON;
    const isWhole = body === null || Buffer.isBuffer(body);
    if (isWhole && isPlainUtf8(headers['content-type'], headers['content-encoding']))
      return parseJsonBody(body ?? EMPTY, maxBytes, this.#request.parsed);
    const source = isWhole ? Readable.from([body ?? EMPTY]) : body;
    return this.#readBody(Object.assign(source, { headers }), maxBytes);
  }

  beginsWork(): void {
    this.#request.beginsWork();
  }
}

const EMPTY = Buffer.alloc(0);
