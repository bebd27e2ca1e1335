/** Answers that no HTTP server would write, through the gateway: they reach nobody else, and no client learns what is of a connection alone. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type RawBackend, startRawBackend } from '../../support/raw-backend.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

const PATH = '/v1/query/types';
const answer = (text: string, head = '') =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n${head}\r\n${text}`;

describe('a raw answer', () => {
  let backend: RawBackend;
  let gateway: TestGateway;
  before(async () => {
    backend = await startRawBackend();
    gateway = await startGateway({ upstream: backend.origin });
  });
  after(async () => {
    await gateway.close();
    await backend.close();
  });

  it('to HEAD with a body that comes late is the answer to no other request', async () => {
    backend.answer = (socket, text) => {
      if (!text.startsWith('HEAD')) {
        socket.write(answer('good'));
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n');
      setTimeout(() => socket.write(answer('evil')), 5);
    };
    for (let turn = 0; turn < 20; turn++) {
      expect((await fetch(gateway.origin + PATH, { method: 'HEAD' })).status).to.equal(200);
      const next = await fetch(gateway.origin + PATH);
      expect(await next.text()).to.equal('good');
    }
  });

  it('keeps what each of its Connection headers names from the client', async () => {
    const head = 'Connection: keep-alive\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Stays: 2\r\n';
    backend.answer = (socket) => socket.write(answer('good', head));
    const { headers } = await fetch(gateway.origin + PATH);
    expect([headers.get('x-hop'), headers.get('x-stays')]).to.deep.equal([null, '2']);
  });

  it('in thousands of pieces is waited for by one listener, however slowly the client reads', async () => {
    const piece = `14\r\n${'x'.repeat(20)}\r\n`;
    const PIECES = 100_000;
    backend.answer = (socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
      socket.write(`${head}${piece.repeat(PIECES)}0\r\n\r\n`);
    };
    const warnings: string[] = [];
    const warn = ({ name }: Error) => warnings.push(name);
    process.on('warning', warn);
    const sent = request(gateway.origin + PATH).end();
    const [response] = await once(sent, 'response');
    let length = 0;
    response.pause();
    await delay(300);
    for await (const bytes of response) length += (bytes as Buffer).length;
    process.off('warning', warn);
    expect([length, warnings]).to.deep.equal([PIECES * 20, []]);
  });
});
