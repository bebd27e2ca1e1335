/** The gateway's own client over connections that misbehave: which carry another request, and what a request learns of it. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createKeptTransport } from '../../../../plugins/proxy/http-transport.ts';
import type { KeptTransport } from '../../../../plugins/proxy/own-client/kept-transport.ts';
import { eventually } from '../../../support/eventually.ts';
import { exchange, type RawBackend, startRawBackend } from '../../../support/raw-backend.ts';
import { RecordingHandler } from '../../../support/transport-service.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe("the gateway's own client", () => {
  let backend: RawBackend;
  let transport: KeptTransport;

  beforeEach(async () => {
    backend = await startRawBackend((socket) => socket.write(OK));
    transport = createKeptTransport(backend.origin, { connections: 4, timeoutMs: 15_000 });
  });
  afterEach(async () => {
    await transport.destroy();
    await backend.close();
  });

  /** What the next requests get, one after the other. */
  async function texts(count: number): Promise<string[]> {
    const got: string[] = [];
    for (let index = 0; index < count; index++) {
      const { text, fault } = await exchange(transport, { path: `/${index}` });
      got.push(fault === null ? text : `${fault.code}`);
    }
    return got;
  }
  /** The first connection answers this, all others as usual. */
  function answerFirst(first: string | ((socket: Socket) => void)): void {
    backend.answer = (socket, _request, connection) => {
      if (connection > 0) socket.write(OK);
      else if (typeof first === 'string') socket.write(first, 'latin1');
      else first(socket);
    };
  }
  const answer = (head: string, body = 'ok') => `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`;

  describe('a connection', () => {
    it('carries one request after the other', async () => {
      expect(await texts(5)).to.deep.equal(['ok', 'ok', 'ok', 'ok', 'ok']);
      expect(backend.connections).to.equal(1);
    });

    const onlyOnce: Readonly<Record<string, string>> = {
      'whose answer says close': answer('Content-Length: 2\r\nConnection: x, Close'),
      'of HTTP/1.0': 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok',
      'that the other side keeps for too short a time': answer('Content-Length: 2\r\nKeep-Alive: timeout=2'),
      'with bytes behind the answer': `${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`,
      'with bytes behind a chunked answer': `${answer('Transfer-Encoding: chunked', '2\r\nok\r\n0\r\n\r\n')}x`,
    };
    for (const [name, bytes] of Object.entries(onlyOnce)) {
      it(`${name} carries no other`, async () => {
        answerFirst(bytes);
        expect(await texts(2)).to.deep.equal(['ok', 'ok']);
        expect(backend.connections).to.equal(2);
      });
    }

    it('with bytes that nobody asked for is closed, and they answer nothing', async () => {
      let first: Socket | null = null;
      answerFirst((socket) => {
        first = socket;
        socket.write(OK);
      });
      expect(await texts(1)).to.deep.equal(['ok']);
      const socket = first as unknown as Socket;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
      await once(socket, 'close');
      expect(await texts(1)).to.deep.equal(['ok']);
      expect(backend.connections).to.equal(2);
    });

    it('that has just ended carries no other, and the request goes by a new one', async () => {
      let first: Socket | null = null;
      answerFirst((socket) => {
        first = socket;
        socket.write(OK);
      });
      await exchange(transport);
      const socket = first as unknown as Socket;
      socket.end();
      // It is on its way, and this client has not read it yet.
      await once(socket, 'finish');
      const { text, events } = await exchange(transport, { method: 'POST' });
      expect([text, events]).to.deep.equal(['ok', ['start', '200', 'end']]);
      expect(backend.connections).to.equal(2);
    });

    for (const [status, head] of [
      [204, 'Content-Length: 4'],
      [304, 'Content-Length: 4'],
      [304, 'Transfer-Encoding: chunked'],
    ] as const) {
      it(`whose ${status} announces a body by ${head} carries no other, whatever follows`, async () => {
        answerFirst(`HTTP/1.1 ${status} X\r\n${head}\r\n\r\n`);
        const { status: got, text, fault } = await exchange(transport);
        expect([got, text, fault]).to.deep.equal([status, '', null]);
        expect(await texts(1)).to.deep.equal(['ok']);
        expect(backend.connections).to.equal(2);
      });
    }

    it('that answered HEAD carries no other: a body could follow that is not its', async () => {
      answerFirst(answer('Content-Length: 2', ''));
      await exchange(transport, { method: 'HEAD' });
      expect(await texts(1)).to.deep.equal(['ok']);
      expect(backend.connections).to.equal(2);
    });

    it('that answered before it took the whole request carries no other', async () => {
      answerFirst((socket) => {
        socket.pause();
        socket.write(OK);
      });
      const body = Buffer.alloc(32 * 1024 * 1024);
      expect((await exchange(transport, { method: 'POST', body })).text).to.equal('ok');
      expect(await texts(1)).to.deep.equal(['ok']);
      expect(backend.connections).to.equal(2);
    });

    it('whose request was aborted carries no other', async () => {
      answerFirst('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok');
      const handler = new RecordingHandler();
      const over = exchange(transport, {}, handler);
      await eventually(() => handler.text).equals('ok');
      const reason = new Error('the client left');
      handler.controller?.abort(reason);
      expect((await over).fault).to.equal(reason);
      expect(await texts(1)).to.deep.equal(['ok']);
      expect(backend.connections).to.equal(2);
    });

    it('whose request its handler does not want when it could be written carries the next', async () => {
      expect(await texts(1)).to.deep.equal(['ok']);
      const handler = new RecordingHandler();
      handler.onRequestStart = (controller) => controller.abort(new Error('too late'));
      expect((await exchange(transport, { path: '/unwanted' }, handler)).events).to.deep.equal(['fault']);
      const paths: string[] = [];
      backend.answer = (socket, request) => {
        paths.push(request.slice(0, request.indexOf(' HTTP')));
        socket.write(OK);
      };
      expect(await texts(1)).to.deep.equal(['ok']);
      expect([paths, backend.connections]).to.deep.equal([['GET /0'], 1]);
    });
  });

  describe('an answer', () => {
    it('may come byte by byte, with others that precede it', async () => {
      backend.answer = async (socket) => {
        const bytes = `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer('Transfer-Encoding: chunked', '2;a="b"\r\nok\r\n1\r\n!\r\n0\r\nX-T: t\r\n\r\n')}`;
        for (const byte of bytes) {
          socket.write(byte);
          await delay(0);
        }
      };
      const { events, text } = await exchange(transport);
      expect([events, text]).to.deep.equal([['start', '103', '200', 'end'], 'ok!']);
      expect((await exchange(transport)).text).to.equal('ok!');
      expect(backend.connections).to.equal(1);
    });

    it('of no stated length goes on until the connection ends', async () => {
      backend.answer = (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\nto ');
        socket.end('the end');
      };
      expect((await exchange(transport)).text).to.equal('to the end');
    });

    it('has headers of any name, repeated ones as a list, their bytes as they are', async () => {
      backend.answer = (socket) =>
        socket.write(
          'HTTP/1.1 200 OK\r\nConstructor: a\r\n__proto__: b\r\nSet-Cookie: c\r\nset-cookie:d\t\r\nX-U: \u00c3\u00bc\u00a0\r\nContent-Length: 0\r\n\r\n',
          'latin1',
        );
      const { allHeaders } = await exchange(transport);
      expect(Object.entries(allHeaders)).to.deep.equal([
        ['constructor', 'a'],
        ['__proto__', 'b'],
        ['set-cookie', ['c', 'd']],
        ['x-u', '\u00c3\u00bc\u00a0'],
        ['content-length', '0'],
      ]);
    });

    for (const [name, head, body] of [
      ['by length', 'Content-Length: 4', 'ok'],
      ['in chunks', 'Transfer-Encoding: chunked', '2\r\nok\r\n'],
    ] as const) {
      it(`${name} that breaks off is a fault after what came`, async () => {
        backend.answer = (socket) => {
          socket.end(answer(head, body));
        };
        const { events, text, fault } = await exchange(transport);
        expect([events, text, fault?.code]).to.deep.equal([
          ['start', '200', 'fault'],
          'ok',
          'UND_ERR_SOCKET',
        ]);
      });
    }

    it('that never comes is a fault of the socket', async () => {
      backend.answer = (socket) => {
        socket.end();
      };
      expect((await exchange(transport)).fault?.code).to.equal('UND_ERR_SOCKET');
      backend.answer = (socket) => {
        socket.resetAndDestroy();
      };
      expect((await exchange(transport)).fault?.code).to.equal('ECONNRESET');
    });

    for (const status of [100, 101]) {
      it(`${status} that nobody asked for is a fault`, async () => {
        backend.answer = (socket) =>
          socket.write(`HTTP/1.1 ${status} X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${OK}`);
        const { events, fault } = await exchange(transport);
        expect([events, fault?.code]).to.deep.equal([['start', 'fault'], 'UND_ERR_SOCKET']);
      });
    }

    it('with a head above what Node bears is a fault, before it ends', async () => {
      backend.answer = (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(17_000)}`);
      expect((await exchange(transport)).fault?.code).to.equal('UND_ERR_HEADERS_OVERFLOW');
    });
  });

  describe('a request', () => {
    it('is one piece of text, its small body too', async () => {
      const seen: string[] = [];
      backend.answer = (socket, request) => {
        seen.push(request);
        socket.write(OK);
      };
      const headers = ['X-A', '\u00fc'];
      await exchange(transport, { headers });
      await exchange(transport, { headers, method: 'POST', body: Buffer.from([0, 255, 10]) });
      await exchange(transport, { method: 'POST' });
      await exchange(transport, { method: 'DELETE' });
      const { host } = new URL(backend.origin);
      const first = (method: string) => `${method} / HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
      expect(seen).to.deep.equal([
        `${first('GET')}X-A: \u00fc\r\n\r\n`,
        `${first('POST')}X-A: \u00fc\r\ncontent-length: 3\r\n\r\n\u0000\u00ff\n`,
        `${first('POST')}content-length: 0\r\n\r\n`,
        `${first('DELETE')}\r\n`,
      ]);
    });

    for (const [name, asked] of Object.entries({
      'a value with CRLF': { headers: ['x-a', 'a\r\nx-b: b'] },
      'a value with NUL': { headers: ['x-a', '\u0000'] },
      'a value beyond latin1': { headers: ['x-a', '€'] },
      'a name with a space': { headers: ['x a', 'a'] },
      'a name with a line end': { headers: ['x-a: b\r\nx', 'a'] },
      'a target with a space': { path: '/a b' },
      'a target with CRLF': { path: '/a\r\n\r\nGET /b' },
      'a Transfer-Encoding of its own': { headers: ['Transfer-Encoding', 'chunked'], body: Buffer.from('x') },
      'a Content-Length of its own': { headers: ['content-length', '1 '], body: Buffer.from('x') },
    })) {
      it(`with ${name} is refused as undici refuses it, and never written`, async () => {
        const { events, fault } = await exchange(transport, asked);
        expect([events, fault?.code]).to.deep.equal([['fault'], 'UND_ERR_INVALID_ARG']);
        expect(backend.connections).to.equal(0);
      });
    }

    it('to where nobody listens fails before it starts', async () => {
      await backend.close();
      const { events, fault } = await exchange(transport);
      expect([events, fault?.code]).to.deep.equal([['fault'], 'ECONNREFUSED']);
    });
  });
});
