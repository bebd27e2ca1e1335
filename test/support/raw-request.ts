/** Speaks to a port byte by byte, for what no HTTP client would send. */
import { connect } from 'node:net';
import type { Answer } from './start-tidegate.ts';

export interface RawAnswer {
  readonly statusLine: string;
  readonly headers: Headers;
  readonly body: string;
  /** Whether the server closed the connection; it is waited for when the answer announces it. */
  readonly closed: boolean;
}

/** How long an answer, or the close that it announces, may take, in milliseconds; far above what a slow machine needs. */
const TIMEOUT_MS = 15_000;

/** Sends `bytes` and reads one answer: to the end of its body, and to the close of the connection if it announces that. */
export function rawRequest(origin: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const isHead = bytes.toString('latin1').startsWith('HEAD ');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => finish(false), TIMEOUT_MS);
    let text = '';

    function finish(closed: boolean, fault?: Error): void {
      clearTimeout(timer);
      socket.destroy();
      const answer = parse(text, closed);
      if (isWhole(answer, isHead)) resolve(answer);
      else reject(fault ?? new Error(`no whole answer, but ${JSON.stringify(text)}`));
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const answer = parse(text, false);
      if (isWhole(answer, isHead) && answer.headers.get('connection') !== 'close') finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', (fault) => finish(true, fault));
    socket.write(bytes);
  });
}

/** Sends `bytes`, the last request of which asks for the close, and reads all that the server says until it closes. */
export function rawConversation(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const timer = setTimeout(() => socket.destroy(new Error(`no close behind ${text}`)), TIMEOUT_MS);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.on('close', () => clearTimeout(timer));
    socket.write(bytes);
  });
}

/** A raw answer as the other assertions take it; its body must be JSON, or empty where `bodiless` allows it. */
export function asAnswer(raw: RawAnswer, bodiless: 'bodiless' | null = null): Answer {
  const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(raw.statusLine) ?? [];
  const body = bodiless !== null && raw.body === '' ? null : JSON.parse(raw.body);
  return { status: Number(status), reason, headers: raw.headers, body };
}

/** `text` holds one character for each byte. */
function parse(text: string, closed: boolean): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = end === -1 ? '' : Buffer.from(text.slice(end + 4), 'latin1').toString('utf8');
  return { statusLine, headers, body, closed };
}

/** Whether the head and as much body as it announces are there. */
function isWhole({ statusLine, headers, body, closed }: RawAnswer, isHead: boolean): boolean {
  if (statusLine === '') return false;
  if (isHead) return true;
  const length = headers.get('content-length');
  if (length !== null) return Buffer.byteLength(body) >= Number(length);
  if (headers.get('transfer-encoding') === 'chunked') return body.endsWith('0\r\n\r\n');
  return closed;
}
