/** Answers that clients do not read, over real connections: which are broken off, and what goes on however slowly. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import { createHttpServer } from '../../../../gateway/serve/http/http-server.ts';
import { closeServer, listen } from '../../../../gateway/serve/http/listen.ts';
import type { ClientUpgrade } from '../../../../plugins/kit/client-upgrade.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { eventually } from '../../../support/eventually.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { narrowBackend } from '../../../support/narrow-backend.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import type { TempDirectory } from '../../../support/temp-directory.ts';
import { TEST_TLS } from '../../../support/test-tls.ts';

const UNREAD_MS = 1_000;
/** Far more than the buffers of the system hold. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** Read between two pauses by who takes its time. */
const SIP_BYTES = 256 * 1024;
const PAUSE_MS = 50;

const SCHEMES = ['http', 'https'] as const;
type Scheme = (typeof SCHEMES)[number];

const ask = (path: string, headers: readonly string[] = []) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];

async function open(scheme: Scheme, port: number): Promise<Socket> {
  const to = { host: '127.0.0.1', port };
  const socket = scheme === 'http' ? connect(to) : connectSecurely({ ...to, ca: TEST_TLS.read('ca.pem') });
  socket.on('error', () => socket.destroy());
  await once(socket, scheme === 'http' ? 'connect' : 'secureConnect');
  return socket;
}

/** Until there is something to read, or it is over. */
function moreOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('readable', done).off('close', done);
      resolve();
    };
    socket.on('readable', done).on('close', done);
  });
}

/** Takes `bytes`, with a pause after every {@link SIP_BYTES}; as fast as it can without one. */
async function take(socket: Socket, bytes: number, pauseMs = PAUSE_MS): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [taken, sip] = [0, 0];
  while (taken < bytes) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) {
      if (socket.destroyed) break;
      await moreOf(socket);
      continue;
    }
    chunks.push(chunk);
    taken += chunk.length;
    sip += chunk.length;
    if (sip < SIP_BYTES || pauseMs === 0) continue;
    sip = 0;
    await delay(pauseMs);
  }
  return Buffer.concat(chunks);
}

/** Takes an answer whose body has that length, like {@link take}; as much of it as comes. */
async function takeAnswer(socket: Socket, length: number, pauseMs = PAUSE_MS): Promise<Buffer> {
  const first = await take(socket, length, pauseMs);
  const whole = first.indexOf('\r\n\r\n') + 4 + length;
  return Buffer.concat([first, await take(socket, whole - first.length, pauseMs)]).subarray(whole - length);
}

for (const scheme of SCHEMES) {
  describe(`an answer by ${scheme}`, () => {
    let server: Server;
    let port: number;
    let cut: () => void;
    let answer: (res: ServerResponse, req: IncomingMessage, upgrade?: ClientUpgrade) => void;
    let cuts: number;
    const sockets: Socket[] = [];

    before(async () => {
      const made = createHttpServer({
        secure:
          scheme === 'http' ? null : { cert: TEST_TLS.read('server.pem'), key: TEST_TLS.read('server.key') },
        admit: () => true,
        onRequest: (req: IncomingMessage, res: ServerResponse, upgrade?: ClientUpgrade) =>
          answer(res, req, upgrade),
        newRequestId: () => 'req_a',
        shownLimit: () => ({ limit: 1, remaining: 1, resetSeconds: 1 }),
        countRaw: () => {},
        countUnread: () => {
          cuts++;
        },
        unreadMs: UNREAD_MS,
      } as unknown as Parameters<typeof createHttpServer>[0]);
      ({ server, cut } = made);
      ({ port } = await listen(server, 0, '127.0.0.1'));
    });
    beforeEach(() => {
      cuts = 0;
    });
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
    });
    after(() => closeServer(server, 100, cut));

    async function send(text: string): Promise<Socket> {
      const socket = await open(scheme, port);
      sockets.push(socket);
      socket.write(text);
      return socket;
    }
    const answerLarge = (res: ServerResponse): void => {
      res.writeHead(200, { 'content-length': LARGE_BYTES });
      res.end(Buffer.alloc(LARGE_BYTES, 'tide'));
    };

    it('of which the client takes nothing more is broken off', async () => {
      let isClosed = false;
      answer = (res) => {
        res.once('close', () => {
          isClosed = true;
        });
        answerLarge(res);
      };
      const socket = await send(ask('/'));
      const startedMs = performance.now();
      await take(socket, SIP_BYTES, 0);
      await eventually(() => isClosed).equals(true);
      expect(performance.now() - startedMs).to.be.above(UNREAD_MS / 2);
      expect(cuts).to.equal(1);
      const rest = await take(socket, LARGE_BYTES, 0);
      expect(rest.length).to.be.below(LARGE_BYTES - SIP_BYTES);
    });

    it('is broken off too where the client sends all the while', async () => {
      let isClosed = false;
      answer = (res, req) => {
        req.resume();
        res.once('close', () => {
          isClosed = true;
        });
        answerLarge(res);
      };
      const socket = await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n');
      const sending = setInterval(() => socket.write('x'), PAUSE_MS);
      await eventually(() => isClosed).equals(true);
      clearInterval(sending);
      expect(cuts).to.equal(1);
    });

    it('of one large write goes on while its reader takes some now and then, and others follow', async () => {
      answer = (res, req) => {
        if (req.url === '/large') answerLarge(res);
        else res.end('next');
      };
      const socket = await send(ask('/large'));
      const startedMs = performance.now();
      const taken = await takeAnswer(socket, LARGE_BYTES);
      expect(taken.length).to.equal(LARGE_BYTES);
      expect(performance.now() - startedMs).to.be.above(UNREAD_MS * 2);
      // Between two requests nothing is unread.
      await delay(UNREAD_MS * 2);
      socket.write(ask('/'));
      expect((await take(socket, 10, 0)).toString()).to.match(/^HTTP\/1\.1 200 OK\r\n[\s\S]*next/);
      expect(cuts).to.equal(0);
    });

    it('in which nothing is sent for long stays, and goes on', async () => {
      answer = async (res) => {
        res.write('data: 1\n\n');
        await delay(UNREAD_MS * 2);
        res.end('data: 2\n\n');
      };
      const socket = await send(ask('/', ['Connection: close']));
      expect((await take(socket, LARGE_BYTES, 0)).toString())
        .to.include('data: 1')
        .and.to.include('data: 2');
      expect(cuts).to.equal(0);
    });

    it('that became another protocol is broken off likewise, and stays while nothing is sent', async () => {
      const taken: Socket[] = [];
      answer = (_res, req, upgrade) => {
        const connection = upgrade?.take(() => {}) as Socket;
        connection.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        if (req.url === '/large') connection.write(Buffer.alloc(LARGE_BYTES));
        taken.push(connection);
      };
      const idle = await send(ask('/', UPGRADE));
      await take(idle, 10, 0);
      await send(ask('/large', UPGRADE));
      await eventually(() => taken.map(({ destroyed }) => destroyed)).equals([false, true]);
      expect([cuts, idle.destroyed]).to.deep.equal([1, false]);
      taken[0]?.write('still there');
      expect((await take(idle, 10, 0)).toString()).to.equal('still there');
    });
  });
}

/** What carries the answer to the gateway, and on to the client. */
for (const [carried, scheme] of [
  ['a connection', 'http'],
  ['a connection', 'https'],
  ['a call', 'http'],
] as const) {
  describe(`an answer that the gateway gets by ${carried} and gives by ${scheme}`, () => {
    let gateway: TestGateway;
    let folder: TempDirectory;
    let path: string;
    let backend: Awaited<ReturnType<typeof startUpstream>>;
    const metrics = new PrometheusMetrics();
    /** Answers without end that were broken off. */
    let ended = 0;

    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        ended++;
      }
    }

    before(async () => {
      backend = await startUpstream(async (req, res) => {
        if (!req.url?.endsWith('?endless')) {
          res.end('next');
          return;
        }
        const pieces = endless();
        res.once('close', () => void pieces.return());
        for await (const piece of pieces) if (!res.write(piece)) await once(res, 'drain').catch(() => {});
      });
      const service = carried === 'a call' ? null : [`url: ${backend.origin}`];
      ({ folder, path } = narrowBackend('connections: 1, timeoutSeconds: 60', service, 'retries: 1'));
      if (scheme === 'https') {
        const file = folder.file('gateway.config.yml');
        const https = `https: { cert: ${TEST_TLS.path('server.pem')}, key: ${TEST_TLS.path('server.key')} }\n`;
        writeFileSync(file, `${https}${readFileSync(file, 'utf8')}`);
      }
      const upstream = 'http://127.0.0.1:1';
      gateway = await startGateway({
        upstream,
        configDir: folder.path,
        metrics,
        unreadMs: UNREAD_MS,
        servicesInProcess: new Map([
          [
            upstream,
            async ({ target }) => {
              const answer = { status: 200, statusMessage: 'OK', headers: {} };
              return { ...answer, body: target.endsWith('?endless') ? endless() : 'next' };
            },
          ],
        ]),
      });
    });
    after(async () => {
      await gateway.close();
      await backend.close();
      folder.remove();
    });

    const request = async (query: string): Promise<Socket> => {
      const socket = await open(scheme, Number(new URL(gateway.origin).port));
      socket.write(ask(`${path}?${query}`, [`x-api-key: ${gateway.key}`, 'Connection: close']));
      return socket;
    };

    it('and of which the client takes nothing gives its place at the backend back', async () => {
      const unread = await request('endless');
      await take(unread, SIP_BYTES, 0);
      const next = await request('next');
      expect((await take(next, SIP_BYTES, 0)).toString()).to.match(/^HTTP\/1\.1 200 OK\r\n[\s\S]*next/);
      await eventually(() => ended).equals(1);
      const refused = samplesOf(await metrics.text())['tidegate_connections_refused_total{reason="unread"}'];
      expect(refused).to.equal(1);
      const logged = gateway.log.filter((line) => line.includes('client connections were closed'));
      expect(logged.map((line) => JSON.parse(line).reason)).to.deep.equal(['unread']);
      unread.destroy();
    });
  });
}
