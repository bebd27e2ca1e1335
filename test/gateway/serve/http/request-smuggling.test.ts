/** Bytes that two readers could cut into different requests: refused whole, and nothing behind them is read. */
import { connect } from 'node:net';
import { expect } from 'chai';
import { expectCommonHeaders } from '../../../support/answers.ts';
import { rawRequest } from '../../../support/raw-request.ts';
import { FAULTY_CHUNKS, FAULTY_HEADS, mapTexts } from '../../../support/smuggled-framing.ts';
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
    ...FAULTY_HEADS,
    ...mapTexts(FAULTY_CHUNKS, chunked),
    'Content-Length 0 beside Transfer-Encoding': `Content-Length: 0\r\n${chunked('0\r\n\r\n')}`,
    'chunked and then identity': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
    'identity and then chunked': `Transfer-Encoding: identity\r\n${chunked('0\r\n\r\n')}`,
    'a vertical tab before chunked': 'Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n',
    'a space before the colon of Transfer-Encoding': 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'two Host headers': 'Host: y\r\nContent-Length: 2\r\n\r\n{}',
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
