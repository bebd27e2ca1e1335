/** A tiny service behind the proxy that a test can kill, drain and start anew at its address, and that counts what reached it. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { closeServer, listen, originOf } from '../../gateway/serve/http/listen.ts';
import { freePort } from './free-port.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

export class UpstreamService {
  readonly port: number;
  /** How often each request (its header `x-id`, else its path) reached it with its whole body. */
  readonly seen = new Map<string, number>();
  /** What /health/ready says. */
  isReady = true;
  /** Answers what is no health check, once its body is read. */
  answer: (req: IncomingMessage, res: ServerResponse, body: string) => void = (_req, res) => res.end('{}');
  #isDraining = false;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.port = port;
  }

  /** One that listens on a free port of loopback. */
  static async start(): Promise<UpstreamService> {
    const service = new UpstreamService(await freePort());
    await service.listen();
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Requests that reached it. */
  get count(): number {
    return [...this.seen.values()].reduce((sum, times) => sum + times, 0);
  }

  async listen(): Promise<void> {
    this.#isDraining = false;
    this.isReady = true;
    const server = createServer(this.#serve);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    originOf(await listen(server, this.port, '127.0.0.1'));
    this.#server = server;
  }

  readonly #serve: RequestListener = (req, res) => {
    if (req.url?.startsWith('/health')) {
      res.writeHead(this.isReady ? 200 : 503).end();
      return;
    }
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const id = String(req.headers['x-id'] ?? req.url);
      this.seen.set(id, (this.seen.get(id) ?? 0) + 1);
      if (this.#isDraining) res.setHeader('connection', 'close');
      this.answer(req, res, Buffer.concat(chunks).toString());
    });
  };

  /** As kill -9 does: every connection breaks, and nothing listens any more. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Says that it takes no more; `isLeft` resolves when nobody asks it any more, then it ends in order. */
  async drain(isLeft: () => Promise<void>): Promise<void> {
    this.isReady = false;
    this.#isDraining = true;
    await isLeft();
    const server = this.#server;
    this.#server = null;
    if (server !== null) await closeServer(server, 5_000);
  }
}

/** The shipped configuration, its `balance` replaced by `settings` on every serviceEndpoint and `timeoutSeconds` on every proxy step. */
export function balancedConfiguration(settings: string, timeoutSeconds?: number): TempDirectory {
  const folder = createTempDirectory();
  cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
  const file = folder.file('gateway.config.yml');
  let text = readFileSync(file, 'utf8')
    .replaceAll(/^ +balance: .*\n/gm, '')
    .replaceAll(/^( +)(url: \$\{\w+_URL\})$/gm, `$1$2\n$1${settings.replaceAll('\n', '\n$1')}`);
  if (timeoutSeconds !== undefined) {
    text = text.replaceAll(/timeoutSeconds: \d+/g, `timeoutSeconds: ${timeoutSeconds}`);
  }
  writeFileSync(file, text);
  return folder;
}
