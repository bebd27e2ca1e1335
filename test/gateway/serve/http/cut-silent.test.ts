/** Connections of a listener that ends: which of them are closed, and when. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createHttpServer } from '../../../../gateway/serve/http/http-server.ts';
import { closeServer, listen } from '../../../../gateway/serve/http/listen.ts';

const SILENT_MS = 200;
const GRACE_MS = 20_000;

describe('cutSilent', () => {
  async function start(answer: (res: ServerResponse) => void) {
    const { server, cutSilent } = createHttpServer({
      secure: null,
      admit: () => true,
      onRequest(_req: unknown, res: ServerResponse) {
        res.setHeader('connection', 'close');
        answer(res);
      },
      newRequestId: () => 'req_a',
      shownLimit: () => null,
      countRaw: () => {},
    } as unknown as Parameters<typeof createHttpServer>[0]);
    const { port } = await listen(server, 0, '127.0.0.1');
    const open = async () => {
      const accepted = once(server, 'connection');
      const socket = connect(port, '127.0.0.1');
      await accepted;
      return socket;
    };
    /** Shuts down as the gateway does. */
    const close = async (late: () => Promise<void> = async () => {}) => {
      const end = cutSilent(SILENT_MS);
      await delay(SILENT_MS / 2);
      await late();
      await delay(SILENT_MS / 2);
      await closeServer(server, GRACE_MS);
      end();
    };
    return { open, close };
  }
  const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

  it('answers the first request of a connection that was accepted just before', async () => {
    const { open, close } = await start((res) => res.end('answered'));
    const answers: Promise<string>[] = [];
    await close(async () => {
      const socket = await open();
      answers.push(text(socket));
      setTimeout(() => socket.write(REQUEST), (SILENT_MS * 3) / 4);
    });
    expect(await Promise.all(answers)).to.have.length(1);
    expect(await answers[0]).to.contain('answered');
  });

  it('lets a request arrive that had begun', async () => {
    const { open, close } = await start((res) => res.end('answered'));
    const socket = await open();
    const answer = text(socket);
    await close(async () => {
      socket.write(REQUEST.slice(0, 9));
      setTimeout(() => socket.write(REQUEST.slice(9)), (SILENT_MS * 3) / 4);
    });
    expect(await answer).to.contain('answered');
  });

  it('waits for an answer, however long nothing is heard meanwhile', async () => {
    const { open, close } = await start((res) => setTimeout(() => res.end('late'), SILENT_MS * 4));
    const socket = await open();
    socket.write(REQUEST);
    const answer = text(socket);
    await close();
    expect(await answer).to.contain('late');
  });

  it('closes connections on which nothing comes', async () => {
    const { open, close } = await start((res) => res.end('answered'));
    const silent = await open();
    const cut = once(silent, 'close');
    silent.resume();
    const begunMs = performance.now();
    await Promise.all([close(), cut]);
    expect(performance.now() - begunMs).to.be.below(GRACE_MS / 2);
  });
});
