/** A listener that closes: clients get what they still read, in whole, and nothing idle stays. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import { closeServer, listen, readWhatCame } from '../../../../gateway/serve/http/listen.ts';
import { TEST_TLS } from '../../../support/test-tls.ts';

/** Far more than the buffers of the system hold. */
const LARGE_BYTES = 16 * 1024 * 1024;
const SIP_BYTES = 512 * 1024;
const PAUSE_MS = 20;
const GRACE_MS = 20_000;
const ASK = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

for (const scheme of ['http', 'https'] as const) {
  describe(`a listener of ${scheme} that closes`, () => {
    let server: Server;
    const sockets: Socket[] = [];
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
      server.closeAllConnections();
    });

    async function open(answer: RequestListener): Promise<Socket> {
      server =
        scheme === 'http'
          ? createServer(answer)
          : createSecureServer(
              { cert: TEST_TLS.read('server.pem'), key: TEST_TLS.read('server.key') },
              answer,
            );
      await listen(server, 0, '127.0.0.1');
      return connectTo();
    }
    async function connectTo(): Promise<Socket> {
      const { port } = server.address() as AddressInfo;
      const to = { host: '127.0.0.1', port };
      const socket =
        scheme === 'http' ? connect(to) : connectSecurely({ ...to, ca: TEST_TLS.read('ca.pem') });
      sockets.push(socket);
      socket.on('error', () => socket.destroy());
      await once(socket, scheme === 'http' ? 'connect' : 'secureConnect');
      return socket;
    }
    /** Reads slowly, to the end: how much came. */
    async function readSlowly(socket: Socket): Promise<number> {
      let bytes = 0;
      let sip = 0;
      for await (const chunk of socket) {
        bytes += chunk.length;
        sip += chunk.length;
        if (sip < SIP_BYTES) continue;
        sip = 0;
        await delay(PAUSE_MS);
      }
      return bytes;
    }

    /** Answers with this, and tells when it did so `times`. */
    function givenTimes(times: number, answer: (url: string) => Buffer | string) {
      let given = 0;
      let done = (): void => {};
      const isGiven = new Promise<void>((resolve) => {
        done = resolve;
      });
      const listener: RequestListener = (req, res) => {
        res.end(answer(req.url ?? ''));
        if (++given === times) done();
      };
      return { listener, isGiven };
    }

    it('sends an answer whole that its client still reads, and then closes the connection', async () => {
      const { listener, isGiven } = givenTimes(1, () => Buffer.alloc(LARGE_BYTES));
      const socket = await open(listener);
      socket.write(ASK);
      await isGiven;
      const closed = closeServer(server, GRACE_MS);
      expect(await readSlowly(socket)).to.be.above(LARGE_BYTES);
      const readMs = performance.now();
      await closed;
      expect(performance.now() - readMs).to.be.below(GRACE_MS / 4);
    });

    it('sends all answers to pipelined requests', async () => {
      const { listener, isGiven } = givenTimes(4, () => Buffer.alloc(LARGE_BYTES / 4));
      const socket = await open(listener);
      socket.write(ASK.repeat(4));
      await isGiven;
      const closed = closeServer(server, GRACE_MS);
      expect(await readSlowly(socket)).to.be.above(LARGE_BYTES);
      await closed;
    });

    it('closes what is idle at once, and breaks off what is not read when its time is up', async () => {
      const { listener, isGiven } = givenTimes(2, (url) =>
        url === '/' ? 'small' : Buffer.alloc(LARGE_BYTES),
      );
      const idle = await open(listener);
      idle.write(ASK);
      await once(idle, 'data');
      const unread = await connectTo();
      unread.write(ASK.replace('/', '/large'));
      await isGiven;
      const graceMs = 2_000;
      const startedMs = performance.now();
      const closed = closeServer(server, graceMs);
      await once(idle, 'close');
      expect(performance.now() - startedMs).to.be.below(graceMs / 2);
      await closed;
      expect(performance.now() - startedMs).to.be.above(graceMs / 2);
    });

    it('waits for a request that has begun to arrive', async () => {
      const { listener } = givenTimes(1, () => 'answered');
      const socket = await open(listener);
      const accepted = once(server, 'request');
      socket.write(`${ASK}${ASK.slice(0, 9)}`);
      await accepted;
      await readWhatCame();
      const answers = text(socket);
      const closed = closeServer(server, GRACE_MS);
      await delay(200);
      socket.write(ASK.slice(9));
      expect((await answers).match(/answered/g)).to.have.length(2);
      await closed;
    });
  });
}
