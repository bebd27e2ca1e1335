/** Requests beyond `connections` of their proxy step, whatever carries them: their order, their time, and clients that leave. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { closeServer, listen, originOf } from '../../../gateway/serve/http/listen.ts';
import type { AnswerInProcess } from '../../../services/shared/http/service-exchange.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { samplesOf } from '../../support/metric-samples.ts';
import { narrowBackend } from '../../support/narrow-backend.ts';
import { startRawBackend } from '../../support/raw-backend.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { TEST_TLS } from '../../support/test-tls.ts';
import { startWebSocketBackend } from '../../support/web-socket-backend.ts';
import { openWebSocket } from '../../support/web-socket-client.ts';

const WAIT_SECONDS = 2;
/** The pace of an answer that takes long: slower, the gateway would give it up. */
const BEAT_MS = 200;

const CARRIERS = ['a call', "the gateway's own client", 'undici', 'TLS'] as const;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

for (const carrier of CARRIERS) {
  describe(`requests beyond what may be under way, carried by ${carrier}`, () => {
    let gateway: TestGateway;
    let folder: TempDirectory;
    let name: string;
    let path: string;
    let metrics: PrometheusMetrics;
    /** What reached the backend, in order. */
    let seen: string[];
    /** Whether the answer to `?long` still goes on. */
    let isLong: boolean;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    async function* pieces() {
      while (isLong) {
        yield 'piece ';
        await delay(BEAT_MS);
      }
    }
    const called: AnswerInProcess = async ({ method, target, body }) => {
      if (body instanceof Readable) await text(body);
      seen.push(`${method} ${target.split('?')[1]}`);
      const answer = { status: 200, statusMessage: 'OK', headers: {} };
      return { ...answer, body: target.endsWith('?long') ? pieces() : 'done' };
    };
    const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      await text(req).catch(() => '');
      seen.push(`${req.method} ${req.url?.split('?')[1]}`);
      if (req.url?.endsWith('?long')) for await (const piece of pieces()) res.write(piece);
      res.end('done');
    };
    const secure = { cert: TEST_TLS.read('server.pem'), key: TEST_TLS.read('server.key') };
    const backend = carrier === 'TLS' ? createSecureServer(secure, answer) : createServer(answer);

    beforeEach(async () => {
      seen = [];
      isLong = true;
      metrics = new PrometheusMetrics();
      const url = originOf(await listen(backend, 0, '127.0.0.1'), carrier === 'TLS' ? 'https' : 'http');
      const tls = carrier === 'TLS' ? [`tls: { ca: ${TEST_TLS.path('ca.pem')} }`] : [];
      ({ folder, name, path } = narrowBackend(
        `connections: 1, timeoutSeconds: ${WAIT_SECONDS}`,
        carrier === 'a call' ? null : [`url: ${url}`, ...tls],
        'breaker: { failures: 1, openSeconds: 3600 }',
      ));
      const upstream = 'http://127.0.0.1:1';
      gateway = await startGateway({
        upstream,
        configDir: folder.path,
        metrics,
        upstreamClient: carrier === 'undici' ? 'undici' : 'own',
        servicesInProcess: new Map([[upstream, called]]),
      });
    });
    afterEach(async () => {
      isLong = false;
      agent.destroy();
      await gateway.close();
      await closeServer(backend, 100);
      folder.remove();
    });

    const sample = async (metric: string) => samplesOf(await metrics.text())[metric] ?? 0;
    const failures = (kind: string) =>
      sample(`tidegate_upstream_failures_total{service="${name}",kind="${kind}"}`);
    const aborted = async () =>
      Object.entries(samplesOf(await metrics.text()))
        .filter(([metric]) => /^tidegate_requests_total\{.*"aborted"/.test(metric))
        .reduce((sum, [, count]) => sum + count, 0);
    /** Requests that stand in the line, or went on. */
    const came = () => sample(`tidegate_upstream_requests_total{service="${name}"}`);

    interface Asked {
      readonly method?: string;
      /** Streamed, in chunks. */
      readonly body?: string;
      readonly agent?: Agent;
      /** The rest of the body never comes. */
      readonly isHalf?: boolean;
      readonly onSocket?: (socket: Socket) => void;
    }
    /** Resolves once the gateway has it; `answer` is null where the connection breaks. */
    async function ask(query: string, asked: Asked = {}): Promise<{ answer: Promise<Answer | null> }> {
      const before = await came();
      const { method = asked.body === undefined ? 'GET' : 'POST', body, agent: by = false } = asked;
      const headers = {
        'x-api-key': gateway.key,
        ...(body !== undefined && { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
      };
      const sent = request(`${gateway.origin}${path}?${query}`, { method, headers, agent: by });
      const got = new Promise<Answer | null>((resolve) => {
        sent.once('error', () => resolve(null));
        sent.once('response', async (res) => {
          const answered = { status: res.statusCode ?? 0, headers: res.headers };
          resolve({ ...answered, text: await text(res).catch(() => 'broken off') });
        });
        if (asked.onSocket !== undefined) sent.once('socket', asked.onSocket);
      });
      if (asked.isHalf) sent.write(body);
      else sent.end(body);
      await eventually(came).equals(before + 1);
      return { answer: got };
    }

    /** A request that is under way until `isLong` is not. */
    async function hold(): Promise<{ answer: Promise<Answer | null> }> {
      const long = await ask('long');
      await eventually(() => seen).equals(['GET long']);
      return long;
    }

    it('wait for their turn, and are served in the order in which they came', async () => {
      const long = await hold();
      const others = [
        await ask('1'),
        await ask('2', { body: 'x'.repeat(100_000) }),
        await ask('3'),
        await ask('4', { body: 'x' }),
        await ask('5', { method: 'HEAD' }),
        await ask('6'),
      ];
      isLong = false;
      for (const each of [long, ...others]) expect((await each.answer)?.status).to.equal(200);
      expect(seen).to.deep.equal(['GET long', 'GET 1', 'POST 2', 'GET 3', 'POST 4', 'HEAD 5', 'GET 6']);
    });

    it('are told after `timeoutSeconds` that the service is busy, which is no failure of its address', async () => {
      const long = await hold();
      const startedMs = performance.now();
      const late = [await ask('1'), await ask('2', { body: 'x'.repeat(300_000), agent })];
      for (const each of late) {
        const got = await each.answer;
        expect([got?.status, got?.headers['retry-after']]).to.deep.equal([503, '1']);
        expect(JSON.parse(got?.text ?? '')).to.include({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
        expect(got?.text).to.include('The service is busy');
      }
      expect(performance.now() - startedMs).to.be.above(WAIT_SECONDS * 1_000 - 500);
      const kinds = ['unavailable', 'timeout', 'broken'];
      expect(await Promise.all(kinds.map(failures))).to.deep.equal([2, 0, 0]);
      isLong = false;
      expect((await long.answer)?.text).to.include('piece ');
      const next = await ask('3', { agent });
      expect((await next.answer)?.text, 'by the connection of one that was refused').to.equal('done');
      expect(await sample(`tidegate_upstream_breaker_opens_total{service="${name}"}`)).to.equal(0);
      expect(seen).to.deep.equal(['GET long', 'GET 3']);
    });

    it('leave the line when their client leaves, whatever they would have sent', async () => {
      const long = await hold();
      const sockets: Socket[] = [];
      const onSocket = (socket: Socket) => void sockets.push(socket);
      const left = [
        await ask('1', { onSocket }),
        // Ours are asked once they have the whole body.
        await ask('2', { onSocket, body: 'half of it', isHalf: carrier !== 'a call' }),
        await ask('3', { onSocket, body: 'x'.repeat(10_000) }),
      ];
      const stays = await ask('4');
      for (const socket of sockets) socket.destroy();
      for (const each of left) expect(await each.answer).to.equal(null);
      await eventually(aborted).equals(left.length);
      isLong = false;
      expect((await stays.answer)?.text).to.equal('done');
      expect((await long.answer)?.status).to.equal(200);
      expect(seen).to.deep.equal(['GET long', 'GET 4']);
      expect(await failures('unavailable')).to.equal(0);
    });
  });
}

describe('a request that waited and is sent anew', () => {
  it('has its whole time, less what its attempts took', async () => {
    const tookMs: Readonly<Record<string, number>> = { '/held/first': 3_500, '/held/waits': 2_000 };
    let broken = 0;
    const backend = await startRawBackend((socket, asked) => {
      const path = asked.slice(4, asked.indexOf(' HTTP'));
      if (path === '/held/waits' && broken++ === 0) socket.destroy();
      else setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), tookMs[path]);
    });
    const service = [`url: ${backend.origin}`, 'retries: 1'];
    const folder = withForeignBackends({ held: { service, proxy: 'connections: 1, timeoutSeconds: 5' } });
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    const ask = (path: string) =>
      fetch(`${gateway.origin}${path}`, { headers: { 'x-api-key': gateway.key } });
    try {
      const first = ask('/held/first');
      await eventually(() => backend.connections).equals(1);
      const waited = await ask('/held/waits');
      expect([(await first).status, waited.status, broken]).to.deep.equal([200, 200, 2]);
    } finally {
      await gateway.close();
      await backend.close();
      folder.remove();
    }
  });
});

describe('an open WebSocket', () => {
  it('takes no turn from requests', async () => {
    const backend = await startWebSocketBackend();
    const folder = withForeignBackends({
      live: { service: [`url: ${backend.origin}`], proxy: 'webSocket: {}, connections: 1' },
    });
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    const headers = { 'x-api-key': gateway.key };
    try {
      const heard = [
        await openWebSocket(`${gateway.origin}/live/1`, headers),
        await openWebSocket(`${gateway.origin}/live/2`, headers),
      ];
      const answer = await fetch(`${gateway.origin}/live/3`, { headers });
      expect(await answer.text()).to.equal('plain');
      for (const { socket } of heard) socket.close();
    } finally {
      await gateway.close();
      await backend.close();
      folder.remove();
    }
  });
});
