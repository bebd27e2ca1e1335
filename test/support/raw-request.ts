/** Speaks to a port byte by byte, for what no HTTP client would send. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly statusLine: string;
  readonly headers: Headers;
  readonly body: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/** Sends `bytes` and reads until the server closes, or `waitMs` passed without it. */
export function rawRequest(origin: string, bytes: string | Buffer, waitMs = 1_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let closed = false;
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => {
      closed = true;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parse(Buffer.concat(chunks).toString('utf8'), closed));
    });
    socket.write(bytes);
  });
}

function parse(text: string, closed: boolean): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { statusLine, headers, body: end === -1 ? '' : text.slice(end + 4), closed };
}
