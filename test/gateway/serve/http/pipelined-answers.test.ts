/** Answers behind another one on their connection: what becomes of them when it ends before their turn. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createHttpServer } from '../../../../gateway/serve/http/http-server.ts';
import { closeServer, listen } from '../../../../gateway/serve/http/listen.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { eventually } from '../../../support/eventually.ts';
import { withForeignBackends } from '../../../support/foreign-backends.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import type { TempDirectory } from '../../../support/temp-directory.ts';

const LARGE_BYTES = 24 * 1024 * 1024;
const UNREAD_MS = 1_000;

/** What came on the connection until now. */
function textOf(socket: Socket): () => string {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  return () => text;
}

describe('pipelined answers', () => {
  let gateway: TestGateway;
  let folder: TempDirectory;
  let backend: Awaited<ReturnType<typeof startUpstream>>;
  const metrics = new PrometheusMetrics();
  /** Those that the backend holds back, or that nobody took whole. */
  let begun: ServerResponse[];

  before(async () => {
    backend = await startUpstream((req, res) => {
      if (req.url?.endsWith('/first')) begun.push(res);
      else if (req.url === '/other/large') {
        begun.push(res);
        res.end(Buffer.alloc(LARGE_BYTES));
      } else res.end('small');
    });
    const service = [`url: ${backend.origin}`];
    folder = withForeignBackends({
      one: { service, proxy: 'connections: 1' },
      slow: { service, proxy: 'connections: 1' },
      other: { service, proxy: 'connections: 1' },
    });
    gateway = await startGateway({
      upstream: 'http://127.0.0.1:1',
      configDir: folder.path,
      metrics,
      unreadMs: UNREAD_MS,
    });
  });
  beforeEach(() => {
    begun = [];
  });
  after(async () => {
    await gateway.close();
    await backend.close();
    folder.remove();
  });

  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${gateway.key}\r\n\r\n`;
  async function send(text: string) {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  it('give their backends back when the client leaves before their turn', async () => {
    const socket = await send(ask('/one/first') + ask('/other/large'));
    await eventually(() => begun.length).equals(2);
    socket.destroy();
    await eventually(() => begun.map(({ closed }) => closed)).equals([true, true]);
    for (const path of ['/one/next', '/other/next']) {
      const answer = await fetch(`${gateway.origin}${path}`, { headers: { 'x-api-key': gateway.key } });
      expect(await answer.text()).to.equal('small');
    }
  });

  it('give their backends back when one before them goes on for long, unless they are whole', async () => {
    const patient = await send(ask('/one/first') + ask('/other/small').repeat(3));
    const told = textOf(patient);
    await eventually(() => begun.length).equals(1);
    const greedy = await send(ask('/slow/first') + ask('/other/large'));
    greedy.on('error', () => {});
    greedy.resume();
    await eventually(() => begun.length).equals(3);
    const beat = setInterval(() => {
      for (const res of begun) if (!res.writableEnded) res.write('piece ');
    }, 100);
    await eventually(() => begun.filter(({ closed }) => closed).length).equals(2);
    clearInterval(beat);
    const answer = await fetch(`${gateway.origin}/other/next`, { headers: { 'x-api-key': gateway.key } });
    expect(await answer.text()).to.equal('small');
    const refused = samplesOf(await metrics.text())['tidegate_connections_refused_total{reason="unread"}'];
    expect(refused).to.equal(1);
    begun[0]?.end();
    await eventually(() => told().match(/small/g)?.length).equals(3);
    patient.destroy();
  });

  it('come before the refusal of what is no request behind them', async () => {
    const socket = await send(
      `${ask('/one/first')}${ask('/other/small')}what is this\r\n\r\n${ask('/other/no')}`,
    );
    const told = textOf(socket);
    await eventually(() => begun.length).equals(1);
    begun[0]?.end('first');
    await once(socket, 'close');
    expect(told().match(/HTTP\/1\.1 \d+|first|small|VALIDATION_ERROR(?=")/g)).to.deep.equal([
      'HTTP/1.1 200',
      'first',
      'HTTP/1.1 200',
      'small',
      'HTTP/1.1 400',
      'VALIDATION_ERROR',
    ]);
  });

  it('are given up when their client ends in the middle of another request', async () => {
    const socket = await send(`${ask('/one/first')}GET /other/small HT`);
    await eventually(() => begun.length).equals(1);
    const told = textOf(socket);
    const closed = once(socket, 'close');
    socket.end();
    await eventually(() => begun[0]?.closed).equals(true);
    await closed;
    expect(told(), 'not given up for being late').to.equal('');
  });

  it('are not mixed with the refusal of CONNECT, which ends their connection', async () => {
    const socket = await send(`${ask('/one/first')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    const told = textOf(socket);
    socket.on('error', () => {});
    await once(socket, 'close');
    expect(told()).to.equal('');
  });

  it('come in their turn, many at once too, and the connection stays', async () => {
    const socket = await send(ask('/one/first') + ask('/other/small').repeat(30));
    const told = textOf(socket);
    await eventually(() => begun.length).equals(1);
    begun[0]?.end('first');
    const answers = () => told().match(/first|small/g) ?? [];
    await eventually(answers).equals(['first', ...Array<string>(30).fill('small')]);
    socket.write(ask('/other/small'));
    await eventually(() => answers().length).equals(32);
    socket.destroy();
  });
});

describe('pipelined requests in flight when the gateway ends', () => {
  it('are all answered, and the last answer ends the connection', async () => {
    const begun: ServerResponse[] = [];
    const backend = await startUpstream((_req, res) => begun.push(res));
    const service = [`url: ${backend.origin}`];
    const folder = withForeignBackends({ one: { service, proxy: 'connections: 9' } });
    const upstream = 'http://127.0.0.1:1';
    const gateway = await startGateway({ upstream, configDir: folder.path });
    const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${gateway.key}\r\n\r\n`;
    const open = () => {
      const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
      return { socket, told: textOf(socket), closed: once(socket, 'close') };
    };
    const [before, within] = [open(), open()];
    before.socket.write(ask('/one/slow').repeat(3));
    within.socket.write(ask('/health'));
    await eventually(() => begun.length).equals(3);
    await eventually(() => within.told()).satisfies((told) => expect(told).to.contain('200 OK'));
    const ended = gateway.close(10_000);
    within.socket.write(ask('/health').repeat(3));
    await eventually(() => within.told().match(/200 OK/g)?.length).equals(4);
    for (const res of begun) res.end('late');
    await Promise.all([before.closed, within.closed, ended]);
    expect(before.told().match(/200 OK|late|connection: close/gi)).to.deep.equal([
      ...['200 OK', 'late', '200 OK', 'late', '200 OK'],
      ...['Connection: close', 'late'],
    ]);
    expect(within.told().match(/connection: close/gi)).to.have.length(1);
    await backend.close();
    folder.remove();
  });
});

describe('a pipelined request that was given up for being late', () => {
  it('is answered 408 behind the one before it, also where the rest of it came meanwhile', async () => {
    const asked: string[] = [];
    const answers: ServerResponse[] = [];
    const { server } = createHttpServer({
      secure: null,
      admit: () => true,
      onRequest: (req, res) => {
        asked.push(req.url);
        answers.push(res);
      },
      newRequestId: () => 'req_a',
      shownLimit: () => ({ limit: 1, remaining: 1, resetSeconds: 1 }),
      countRaw: () => {},
      countUnread: () => {},
    });
    const accepted = once(server, 'connection');
    const { port } = await listen(server, 0, '127.0.0.1');
    const socket = connect(port, '127.0.0.1');
    const told = textOf(socket);
    const [client] = (await accepted) as [Socket];
    socket.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /late HTTP/1.1\r\n');
    await eventually(() => asked).equals(['/first']);
    // As Node does it after fifteen seconds.
    server.emit(
      'clientError',
      Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      client,
    );
    const { bytesRead } = client;
    socket.write('Host: a\r\n\r\n');
    await eventually(() => client.bytesRead > bytesRead).equals(true);
    const closed = once(socket, 'close');
    answers[0]?.end('first');
    await closed;
    expect(told().match(/HTTP\/1\.1 \d+|first/g)).to.deep.equal(['HTTP/1.1 200', 'first', 'HTTP/1.1 408']);
    expect(asked).to.deep.equal(['/first']);
    await closeServer(server, 100);
  });
});
