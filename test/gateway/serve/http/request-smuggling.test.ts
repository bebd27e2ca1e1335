/** Bytes that two readers could cut into different requests: refused whole, and nothing behind them is read. */
import { connect } from 'node:net';
import { expect } from 'chai';
import { expectCommonHeaders } from '../../../support/answers.ts';
import { rawRequest } from '../../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';

describe('request smuggling', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let seen: string[];

  before(async () => {
    upstream = await startUpstream((req, res) => {
      seen.push(`${req.method} ${req.url}`);
      req.resume();
      res.end('{}');
    });
    gateway = await startGateway({ upstream: upstream.origin });
  });
  beforeEach(() => {
    seen = [];
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  /** What an attacker wants to be read as a request of its own. */
  const HIDDEN = 'GET /v1/query/types HTTP/1.1\r\nHost: x\r\n\r\n';
  const chunked = (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body}`;

  const heads: Readonly<Record<string, string>> = {
    'Content-Length before Transfer-Encoding': `Content-Length: 6\r\n${chunked('0\r\n\r\n')}`,
    'Transfer-Encoding before Content-Length':
      'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n',
    'Content-Length 0 beside Transfer-Encoding': `Content-Length: 0\r\n${chunked('0\r\n\r\n')}`,
    'two Content-Lengths that differ': 'Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}',
    'two Content-Lengths that agree': 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
    'a list as Content-Length': 'Content-Length: 2, 2\r\n\r\n{}',
    'a signed Content-Length': 'Content-Length: +2\r\n\r\n{}',
    'a negative Content-Length': 'Content-Length: -2\r\n\r\n{}',
    'a hexadecimal Content-Length': 'Content-Length: 0x2\r\n\r\n{}',
    'a Content-Length with a space in it': 'Content-Length: 2 2\r\n\r\n{}',
    'an endless Content-Length': `Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`,
    'an empty Content-Length': 'Content-Length:\r\n\r\n{}',
    'an unknown Transfer-Encoding': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'chunked twice in one header': 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
    'chunked twice in two headers': `Transfer-Encoding: chunked\r\n${chunked('0\r\n\r\n')}`,
    'chunked and then identity': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
    'identity and then chunked': `Transfer-Encoding: identity\r\n${chunked('0\r\n\r\n')}`,
    'gzip before chunked': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'a quoted chunked': 'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
    'a vertical tab before chunked': 'Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n',
    'an empty Transfer-Encoding': 'Transfer-Encoding:\r\nContent-Length: 2\r\n\r\n{}',
    'a space before the colon': 'Content-Length : 2\r\n\r\n{}',
    'a space before the colon of Transfer-Encoding': 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'a folded Transfer-Encoding': 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n',
    'a folded header': 'X-A: b\r\n\tc\r\nContent-Length: 2\r\n\r\n{}',
    'a header line that begins with a space': ' X-A: b\r\nContent-Length: 2\r\n\r\n{}',
    'a bare LF between headers': 'X-A: b\nContent-Length: 2\r\n\r\n{}',
    'a bare LF that ends the headers': 'Content-Length: 2\r\n\n{}',
    'a bare CR in a header': 'X-A: b\rContent-Length: 2\r\n\r\n{}',
    'a NUL in a header': 'X-A: b\u0000\r\nContent-Length: 2\r\n\r\n{}',
    'a header line without a colon': 'X-A\r\nContent-Length: 2\r\n\r\n{}',
    'two Host headers': 'Host: y\r\nContent-Length: 2\r\n\r\n{}',
    'a chunk size with a sign': chunked('+2\r\n{}\r\n0\r\n\r\n'),
    'a chunk size with 0x': chunked('0x2\r\n{}\r\n0\r\n\r\n'),
    'a chunk size that is no number': chunked('zz\r\n{}\r\n0\r\n\r\n'),
    'a chunk size with a space before it': chunked(' 2\r\n{}\r\n0\r\n\r\n'),
    'an empty chunk size': chunked('\r\n{}\r\n0\r\n\r\n'),
    'a chunk size that overflows': chunked('10000000000000002\r\n{}\r\n0\r\n\r\n'),
    'a chunk longer than its size': chunked('1\r\n{}\r\n0\r\n\r\n'),
    'a chunk without CRLF behind it': chunked('2\r\n{}0\r\n\r\n'),
    'a bare LF behind a chunk size': chunked('2\n{}\r\n0\r\n\r\n'),
    'a bare LF behind a chunk': chunked('2\r\n{}\n0\r\n\r\n'),
    'a bare LF in a chunk extension': chunked('2;a\n{}\r\n0\r\n\r\n'),
    'a bare CR in a chunk extension': chunked('2;a\rb\r\n{}\r\n0\r\n\r\n'),
  };
  for (const [name, rest] of Object.entries(heads)) {
    it(`answers ${name} with 400 and closes, and what stands behind is no request`, async () => {
      const bytes = `POST /track HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\nContent-Type: application/json\r\n${rest}${HIDDEN}`;
      const answer = await rawRequest(gateway.origin, Buffer.from(bytes, 'latin1'));
      expect(answer.statusLine).to.equal('HTTP/1.1 400 VALIDATION_ERROR');
      expectCommonHeaders(answer.headers);
      expect(JSON.parse(answer.body), 'one answer, and no second behind it').to.include({ success: false });
      expect(answer.closed, 'closed').to.equal(true);
      expect(seen).to.deep.equal([]);
    });
  }

  it('takes legal chunk extensions, trailers and a second request behind them', async () => {
    const bytes = `POST /track HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\n${chunked('2;a=b\r\n{}\r\n0\r\nX-T: t\r\n\r\n')}${HIDDEN.replace('Host: x', 'Host: x\r\nConnection: close')}`;
    const { hostname, port } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    const text = (await socket.toArray()).join('');
    expect(text.match(/HTTP\/1\.1 200 OK/g)).to.have.length(2);
    expect(seen).to.have.members(['POST /track', 'GET /v1/query/types']);
  });
});
