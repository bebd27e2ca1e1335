/** Answers behind another one on their connection: what becomes of them when it ends before their turn. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { eventually } from '../../../support/eventually.ts';
import { withForeignBackends } from '../../../support/foreign-backends.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import type { TempDirectory } from '../../../support/temp-directory.ts';

const LARGE_BYTES = 24 * 1024 * 1024;

describe('pipelined answers', () => {
  let gateway: TestGateway;
  let folder: TempDirectory;
  let backend: Awaited<ReturnType<typeof startUpstream>>;
  /** Those that the backend holds back, or that nobody took whole. */
  let begun: ServerResponse[];

  before(async () => {
    backend = await startUpstream((req, res) => {
      if (req.url === '/one/first') begun.push(res);
      else if (req.url === '/other/large') {
        begun.push(res);
        res.end(Buffer.alloc(LARGE_BYTES));
      } else res.end('small');
    });
    const service = [`url: ${backend.origin}`];
    folder = withForeignBackends({
      one: { service, proxy: 'connections: 1' },
      other: { service, proxy: 'connections: 1' },
    });
    gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
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

  it('come in their turn, many at once too, and the connection stays', async () => {
    const socket = await send(ask('/one/first') + ask('/other/small').repeat(30));
    let told = '';
    socket.on('data', (chunk: Buffer) => {
      told += chunk.toString('latin1');
    });
    await eventually(() => begun.length).equals(1);
    begun[0]?.end('first');
    const answers = () => told.match(/first|small/g) ?? [];
    await eventually(answers).equals(['first', ...Array<string>(30).fill('small')]);
    socket.write(ask('/other/small'));
    await eventually(() => answers().length).equals(32);
    socket.destroy();
  });
});
