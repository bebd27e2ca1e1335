/** Answers that two readers could cut differently: the gateway's own client refuses them whole, and the next request gets its own. */
import { expect } from 'chai';
import { type RawBackend, startRawBackend } from '../../../support/raw-backend.ts';
import { FAULTY_CHUNKS, FAULTY_HEADS, mapTexts } from '../../../support/smuggled-framing.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

/** What an attacker wants to be read as the answer to the next request. */
const HIDDEN = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const ok = (rest: string) => `HTTP/1.1 200 OK\r\n${rest}`;
const chunked = (body: string) => ok(`Transfer-Encoding: chunked\r\n\r\n${body}`);

const ANSWERS: Readonly<Record<string, string>> = {
  ...mapTexts(FAULTY_HEADS, ok),
  'a Content-Length behind a vertical tab': ok('Content-Length: \u000b2\r\n\r\n{}'),
  'a Content-Length before a non-breaking space': ok('Content-Length: 2\u00a0\r\n\r\n{}'),
  'chunked in HTTP/1.0': `HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a bare LF behind the status line': 'HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\n{}',
  'bare LFs alone': 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}',
  'a bare CR in the status line': 'HTTP/1.1 200 O\rK\r\nContent-Length: 2\r\n\r\n{}',
  'a NUL in a name': ok('X\u0000A: b\r\nContent-Length: 2\r\n\r\n{}'),
  'a DEL in a header': ok('X-A: \u007f\r\nContent-Length: 2\r\n\r\n{}'),
  'a header line without a name': ok(': b\r\nContent-Length: 2\r\n\r\n{}'),
  'an empty line before the status line': `\r\n${OK}`,
  'another protocol': 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'no protocol': 'SSH-2.0-OpenSSH_9.2\r\n',
  'two spaces before the status': 'HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'a status of two digits': 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\n{}',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\n{}',
};
/** The head is right, so the client has got it by then: its connection breaks off. */
const BODIES: Readonly<Record<string, string>> = {
  ...mapTexts(FAULTY_CHUNKS, chunked),
  'a chunk size with a space behind it': chunked('2 \r\n{}\r\n0\r\n\r\n'),
  'a bare LF behind the last chunk': chunked('2\r\n{}\r\n0\n\r\n'),
  'a bare LF that ends the trailers': chunked('2\r\n{}\r\n0\r\n\n'),
  'an endless chunk extension': chunked(`2;${'a'.repeat(2_000)}`),
  'a trailer without a colon': chunked('2\r\n{}\r\n0\r\nX-T\r\n\r\n'),
  'a Content-Length as a trailer': chunked('2\r\n{}\r\n0\r\nContent-Length: 2\r\n\r\n'),
  'a Transfer-Encoding as a trailer': chunked('2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'),
  'endless trailers': chunked(`2\r\n{}\r\n0\r\n${'X-T: t\r\n'.repeat(2_500)}`),
};

describe("response smuggling, with the gateway's own client", () => {
  let backend: RawBackend;
  let gateway: TestGateway;
  /** What the next connection that asks gets. */
  let first: string | null;

  before(async () => {
    backend = await startRawBackend((socket) => {
      socket.write(first ?? OK, 'latin1');
      first = null;
    });
    gateway = await startGateway({ upstream: backend.origin });
  });
  after(async () => {
    await gateway.close();
    await backend.close();
  });

  const ask = () => fetch(`${gateway.origin}/v1/query/websites`, { headers: { 'x-api-key': gateway.key } });

  for (const [name, bytes] of Object.entries(ANSWERS)) {
    it(`answers 502 to ${name}, and what stands behind answers nobody`, async () => {
      first = `${bytes}${HIDDEN}`;
      const refused = await ask();
      expect([refused.status, JSON.parse(await refused.text()).code]).to.deep.equal([
        502,
        'UPSTREAM_UNAVAILABLE',
      ]);
      const next = await ask();
      expect([next.status, await next.text()]).to.deep.equal([200, '{}']);
    });
  }

  for (const [name, bytes] of Object.entries(BODIES)) {
    it(`passes no whole answer on with ${name}, and what stands behind answers nobody`, async () => {
      first = `${bytes}${HIDDEN}`;
      const told = await ask()
        .then(
          async (answer) => answer.status === 502 || (await answer.text()),
          () => 'broken off',
        )
        .catch(() => 'broken off');
      expect(told).to.be.oneOf([true, 'broken off']);
      const next = await ask();
      expect([next.status, await next.text()]).to.deep.equal([200, '{}']);
    });
  }
});
