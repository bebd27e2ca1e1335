/** One HTTP exchange over a pair of streams: Node's own server and client, without a socket between them. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import type { TestRequest } from './test-request.ts';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the request to `handle`. Rejects when nothing is answered within `patienceMs`, with the message of `unanswered`. */
export function exchange(
  { method = 'GET', url = '/', headers = {}, body = '' }: TestRequest,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  patienceMs: number,
  unanswered: () => string,
): Promise<PlainAnswer> {
  const [near, far] = duplexPair();
  const server = createServer({ keepAliveTimeout: 0 }, handle);
  return new Promise<PlainAnswer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(unanswered())), patienceMs);
    const length = body.length === 0 ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
    const sent = request({
      createConnection: () => near,
      method,
      path: url,
      headers: { host: 'gateway.test', connection: 'close', ...length, ...headers },
    });
    const fail = (fault: unknown): void => {
      clearTimeout(timer);
      reject(fault);
    };
    sent.once('error', fail);
    sent.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.once('error', fail);
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', () => {
        clearTimeout(timer);
        resolve({
          status: answer.statusCode ?? 0,
          headers: headersOf(answer.rawHeaders),
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    server.emit('connection', far);
    sent.end(body);
  }).finally(() => {
    near.destroy();
    far.destroy();
  });
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2) {
    headers.append(raw[index] as string, raw[index + 1] as string);
  }
  return headers;
}
