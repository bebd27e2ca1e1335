/** A flood of bytes without a key from one address, through the whole server: it is refused, and everybody else goes on. */
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rawRequest } from '../support/raw-request.ts';
import { type Answer, newAddress, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const LIMIT = 10_000_000;
const WEBSITE = '?client_id=web_shop';

describe('bytes without a key', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  /** An event of so many bytes, of which little is stored. */
  const bodyOf = (bytes: number) => {
    const frame = JSON.stringify({ name: 'noise', ignored: '' });
    return JSON.stringify({ name: 'noise', ignored: 'x'.repeat(bytes - frame.length) });
  };
  const send = (address: string, body: string): Promise<Answer> =>
    server.call('POST', `/events${WEBSITE}`, { address, body });

  it('are refused to an address that floods, with honest headers, while keys and other addresses go on', async () => {
    const [flooding, office] = [newAddress(), newAddress()];
    const body = bodyOf(1_900_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(flooding, body)));
    const refused = answers.filter(({ status }) => status === 429);
    const others = answers.filter((answer) => answer.status !== 200 && !refused.includes(answer));
    expect(others.map(({ status, body: said }) => [status, said])).to.deep.equal([]);
    expect(refused.length).to.equal(15);
    for (const { body: said, headers } of refused) {
      expect(said).to.include({
        success: false,
        status: 'error',
        code: 'RATE_LIMIT_EXCEEDED',
        limit: LIMIT,
        remaining: 0,
      });
      expect(said.error).to.match(
        /^The limit "keyless-bytes" of 10000000 bytes per 60 s was exceeded by this request of 19000\d\d; retry in /,
      );
      expect(headers.get('x-ratelimit-limit')).to.equal(String(LIMIT));
      expect(headers.get('x-ratelimit-remaining')).to.equal('0');
      expect(Number(headers.get('retry-after')))
        .to.equal(said.retryAfter)
        .and.to.be.within(1, 60);
      expect(new Date(said.reset).getTime() / 1000).to.equal(Number(headers.get('x-ratelimit-reset')));
    }
    const small = await send(flooding, bodyOf(1_000));
    expect(small.status, 'what still fits').to.equal(200);
    expect((await send(office, bodyOf(1_000))).status, 'another address').to.equal(200);
    const keyed = await server.call('POST', '/track', {
      ...{ address: flooding, key: server.keys.all },
      body: { name: 'order', websiteId: 'web_shop', properties: { text: 'x'.repeat(20_000) } },
    });
    expect(keyed.status, 'a key of the same address').to.equal(200);
    const big = await server.call('POST', `/events${WEBSITE}`, {
      address: flooding,
      key: server.keys.all,
      body,
    });
    expect(big.status, 'the same route with a key').to.equal(200);
  });

  it('count inflated, whatever they had on the way', async () => {
    const address = newAddress();
    const body = gzipSync(bodyOf(1_900_000));
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      const response = await fetch(`${server.origin}/events${WEBSITE}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'x-forwarded-for': address,
        },
        body,
      });
      statuses.push(response.status);
      await response.arrayBuffer();
    }
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429, 429]);
  });

  it('are those of the query string too, which is all that a picture has', async () => {
    const address = newAddress();
    await send(address, bodyOf(1_900_000));
    for (let n = 0; n < 4; n++) await send(address, bodyOf(1_999_000));
    const { status, headers } = await server.call('GET', `/px.gif${WEBSITE}&title=${'x'.repeat(400)}`, {
      address,
    });
    expect(status).to.equal(200);
    const shown = Number(headers.get('x-ratelimit-limit'));
    expect(shown, 'of requests, as 100 KB are more than 94 such pictures').to.equal(100);
    await send(address, bodyOf(103_000));
    const refused = await server.call('GET', `/px.gif${WEBSITE}&title=${'x'.repeat(4_000)}`, { address });
    expect([refused.status, refused.body.limit]).to.deep.equal([429, LIMIT]);
  });

  it('are refused before they were sent, once no more fit, and a flood of them is cut after its answer', async () => {
    const address = newAddress();
    for (let n = 0; n < 5; n++) expect((await send(address, bodyOf(1_900_000))).status).to.equal(200);
    const head = (...lines: string[]) =>
      [
        `POST /events${WEBSITE} HTTP/1.1`,
        ...['Host: localhost', `X-Forwarded-For: ${address}`, 'Content-Type: application/json', ...lines],
        '\r\n',
      ].join('\r\n');
    const unsent = head('Content-Length: 1900000');
    const answers = await Promise.all(Array.from({ length: 20 }, () => rawRequest(server.origin, unsent)));
    for (const { statusLine, headers, body } of answers) {
      expect(statusLine).to.equal('HTTP/1.1 429 RATE_LIMIT_EXCEEDED');
      const said = JSON.parse(body);
      expect(said).to.include({ status: 'error', limit: LIMIT, remaining: 0 });
      expect(said.error).to.match(/exceeded by this request of 19000\d\d; retry in /);
      expect(headers.get('retry-after')).to.equal(String(said.retryAfter));
      expect(headers.get('x-ratelimit-limit')).to.equal(String(LIMIT));
    }
    const cut = answers.filter(({ headers }) => headers.get('connection') === 'close');
    expect(cut, 'those past what is drained in a second').to.not.have.length(0);
    expect(cut.every(({ closed }) => closed)).to.equal(true);
    const part = `${head('Transfer-Encoding: chunked')}100000\r\n${bodyOf(900_000)}`;
    expect((await rawRequest(server.origin, part)).statusLine, 'chunked').to.match(/ 429 /);
    const large = await rawRequest(server.origin, head('Content-Length: 2097153'));
    expect(large.statusLine, 'too large comes first, then its own limit').to.match(/ 413 /);
    const fits = bodyOf(400_000);
    const passed = await rawRequest(server.origin, `${head(`Content-Length: ${fits.length}`)}${fits}`);
    expect(passed.statusLine, 'what still fits').to.match(/ 200 /);
  });

  it('of a bad body count as well, and it is 400', async () => {
    const address = newAddress();
    for (let n = 0; n < 5; n++)
      expect((await send(address, `[${'1,'.repeat(999_000)}`)).status).to.equal(400);
    expect((await send(address, `[${'1,'.repeat(999_000)}`)).status).to.equal(429);
  });
});
