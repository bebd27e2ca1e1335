/** A client of WebSockets as a program is one, by the library's implementation, and what it heard. */
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { WebSocket } from 'undici';
import { TEST_TLS } from './test-tls.ts';

export interface Heard {
  readonly socket: WebSocket;
  readonly messages: (string | Buffer)[];
  /** How it was closed; null while it is open. */
  readonly closed: { code: number; reason: string } | null;
}

/** Opens one. @throws Error when it is refused */
export async function openWebSocket(
  url: string,
  headers: Record<string, string> = {},
  protocols: string[] = [],
): Promise<Heard> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers, protocols });
  socket.binaryType = 'arraybuffer';
  const messages: (string | Buffer)[] = [];
  let closed: Heard['closed'] = null;
  socket.addEventListener('message', ({ data }) =>
    messages.push(typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer)),
  );
  socket.addEventListener('close', ({ code, reason }) => {
    closed = { code, reason };
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', ({ error }) => reject(error ?? new Error('the WebSocket was refused')));
  });
  return {
    socket,
    messages,
    get closed() {
      return closed;
    },
  };
}

export interface UpgradeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Asks for one and reads the answer as HTTP; a WebSocket that opens is closed at once, and has no text. */
export function askForWebSocket(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<UpgradeAnswer> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return new Promise((resolve, reject) => {
    const all = { ...upgrade, ...headers };
    const sent = url.startsWith('https:')
      ? secureRequest(url, { method, headers: all, ca: TEST_TLS.read('ca.pem') })
      : request(url, { method, headers: all });
    sent.once('error', reject);
    sent.once('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: '' });
    });
    sent.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.end();
  });
}
