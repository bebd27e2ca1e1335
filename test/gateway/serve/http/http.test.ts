/** What the gateway answers to HTTP that no route is meant for, and what every answer carries. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { expectError, expectHeadError, expectSuccess } from '../../../support/answers.ts';
import { asAnswer, rawRequest } from '../../../support/raw-request.ts';
import { startTidegate, type TestServer } from '../../../support/start-tidegate.ts';

describe('HTTP at the gateway', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  describe('paths', () => {
    it('answers an unknown path 404 to nobody and to a key, 401 to a wrong key', async () => {
      for (const path of ['/nothing/here', '/v1', '/v1/query/', '/V1/query', '/v1/queries']) {
        expectError(await server.call('GET', path), 404, 'NOT_FOUND');
        expectError(await server.call('POST', path, { key: server.keys.all, body: {} }), 404, 'NOT_FOUND');
        expectError(await server.call('GET', path, { key: server.keys.unknown }), 401, 'INVALID_API_KEY');
      }
    });

    it('sends who asks for / to the dashboard without reading a credential, and takes events there all the same', async () => {
      for (const options of [{}, { key: server.keys.all }, { key: server.keys.unknown }]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await server.call(method, '/', options);
          expect([answer.status, answer.headers.get('location'), answer.body]).to.deep.equal([
            302,
            '/dashboard',
            null,
          ]);
        }
        const other = await server.call('PUT', '/', options);
        expectError(other, 405, 'METHOD_NOT_ALLOWED');
        expect(other.headers.get('allow')).to.equal('POST, GET, HEAD');
      }
      const event = { type: 'screen_view', name: 'screen_view', path: '/' };
      const sent = await server.call('POST', '/?client_id=web_shop', { body: event });
      expect([sent.status, sent.body.success], JSON.stringify(sent.body)).to.deep.equal([200, true]);
    });

    it('takes dot segments, encoded slashes and backslashes for an unknown path', async () => {
      const paths = [
        '/v1/%77ebsites',
        '/%74rack',
        '/track%00',
        '/v1/query/../../track',
        '/v1/%2e%2e/track',
        '/v1%2fquery',
        '/v1/websites/a%5cb',
        '/./track',
      ];
      for (const path of [...paths, '/v1\\query', '/v1/websites/..']) {
        const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${server.keys.all}\r\nContent-Length: 0\r\n\r\n`;
        expectError(asAnswer(await rawRequest(server.origin, request)), 404, 'NOT_FOUND');
      }
    });

    it('answers a target in absolute form like the path in it', async () => {
      const request = `GET http://elsewhere.example/v1/query/types HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect((await rawRequest(server.origin, request)).statusLine).to.equal('HTTP/1.1 200 OK');
    });

    it('answers a target above 8,192 bytes with 414 URI_TOO_LONG', async () => {
      const path = (length: number) => `/v1/query/types?x=${'a'.repeat(length - 18)}`;
      expectSuccess(await server.call('GET', path(8_192)));
      expectError(await server.call('GET', path(8_193)), 414, 'URI_TOO_LONG');
    });
  });

  describe('methods', () => {
    it('answers HEAD like GET, without a body', async () => {
      const get = await server.call('GET', '/v1/query/types');
      const head = await server.call('HEAD', '/v1/query/types');
      expectSuccess(head);
      expect(head.body).to.equal(null);
      expect(head.headers.get('content-type')).to.equal(get.headers.get('content-type'));
    });

    it('answers HEAD on an unknown path with the headers of its 404 and no body', async () => {
      const request = 'HEAD /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      expectHeadError(asAnswer(await rawRequest(server.origin, request), 'bodiless'), 404, 'NOT_FOUND');
    });

    it('answers OPTIONS and TRACE on a known path with 405 and its methods in Allow', async () => {
      const options = await server.call('OPTIONS', '/v1/query/types');
      expectError(options, 405, 'METHOD_NOT_ALLOWED');
      expect(options.headers.get('allow')).to.equal('GET, HEAD');
      const trace = 'TRACE /v1/query/types HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      expectError(asAnswer(await rawRequest(server.origin, trace)), 405, 'METHOD_NOT_ALLOWED');
    });

    it('answers CONNECT with 400 like malformed HTTP, with a key too, and counts it nowhere', async () => {
      const remaining = async () =>
        (await server.call('GET', '/v1/query/websites', { key: server.keys.free })).headers.get(
          'x-ratelimit-remaining',
        );
      const before = Number(await remaining());
      const head = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n';
      for (const key of ['', `x-api-key: ${server.keys.free}\r\n`]) {
        const raw = await rawRequest(server.origin, `${head}${key}\r\n`);
        const answer = asAnswer(raw);
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details[0].field).to.equal('method');
        expect([answer.headers.get('allow'), raw.closed]).to.deep.equal([null, true]);
      }
      expect(Number(await remaining())).to.equal(before - 1);
    });
  });

  describe('malformed HTTP is 400 VALIDATION_ERROR in JSON, and the connection closes', () => {
    const post = 'POST /track HTTP/1.1\r\nHost: x\r\n';
    const cases: Record<string, string> = {
      'bytes that are no HTTP': 'hello there\r\n\r\n',
      'an unknown method': 'BREW /track HTTP/1.1\r\nHost: x\r\n\r\n',
      'a foreign version': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
      'no Host header': 'GET /health HTTP/1.1\r\n\r\n',
      'two Host headers': 'GET /v1/query/types HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
      'Content-Length beside Transfer-Encoding': `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'two Content-Lengths': `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
      'another Transfer-Encoding': `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      'a folded header': `${post}X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n`,
      'a header name with a space': `${post}X A: b\r\nContent-Length: 0\r\n\r\n`,
      'a chunk size that is no number': `${post}x-api-key: KEY\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`,
      'a control character in a header': `${post}X-A: \u0001\r\nContent-Length: 0\r\n\r\n`,
    };
    for (const [name, bytes] of Object.entries(cases)) {
      it(name, async () => {
        const answer = await rawRequest(server.origin, bytes.replace('KEY', server.keys.all));
        expectError(asAnswer(answer), 400, 'VALIDATION_ERROR');
        expect(answer.closed, 'closed').to.equal(true);
      });
    }

    it('a target above the whole header section is 414 URI_TOO_LONG', async () => {
      for (const length of [17_000, 70_000]) {
        const request = `GET /${'a'.repeat(length)} HTTP/1.1\r\nHost: x\r\n\r\n`;
        expectError(asAnswer(await rawRequest(server.origin, request)), 414, 'URI_TOO_LONG');
      }
    });

    it('a body that is not what its Content-Encoding says', async () => {
      for (const encoding of ['gzip', 'deflate', 'br']) {
        const answer = await server.call('POST', '/track', {
          key: server.keys.all,
          body: 'this is neither',
          headers: { 'content-encoding': encoding },
        });
        expectError(answer, 400, 'VALIDATION_ERROR');
      }
    });

    it('a body in thousands of crumbs', async () => {
      const head = `POST /track HTTP/1.1\r\nHost: x\r\nx-api-key: ${server.keys.all}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answer = await rawRequest(server.origin, head + '1\r\n \r\n'.repeat(5_000));
      expectError(asAnswer(answer), 400, 'VALIDATION_ERROR');
    });

    it('a header section above 16 KB is 431 HEADERS_TOO_LARGE', async () => {
      const request = `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`;
      expectError(asAnswer(await rawRequest(server.origin, request)), 431, 'HEADERS_TOO_LARGE');
    });
  });

  it('outlives a client that asks to CONNECT and is gone', async () => {
    const { hostname, port } = new URL(server.origin);
    for (let count = 0; count < 50; count++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    expectSuccess(await server.call('GET', '/health'));
  });

  describe('request ids', () => {
    it('keeps a well-formed one and replaces any other', async () => {
      const kept = await server.call('GET', '/v1/query/types', {
        headers: { 'x-request-id': 'Trace.01_a-b' },
      });
      expect(kept.headers.get('x-request-id')).to.equal('Trace.01_a-b');
      for (const id of ['with space', 'a'.repeat(129), 'semi;colon', '']) {
        const answer = await server.call('GET', '/v1/query/types', { headers: { 'x-request-id': id } });
        expect(answer.headers.get('x-request-id')).to.match(/^req_/).and.not.equal(id);
      }
    });

    it('are unique', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => server.call('GET', '/health')));
      expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).to.equal(50);
    });
  });

  describe('health', () => {
    it('answers 200 with status ok, uncounted', async () => {
      const address = '192.0.2.99';
      for (let count = 0; count < 120; count++) {
        const answer = await server.call('GET', '/health', { address });
        expectSuccess(answer);
        expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
      }
      expect((await server.call('GET', '/health')).body).to.deep.equal({ status: 'ok' });
    });

    it('is ready when stores and services answer', async () => {
      const answer = await server.call('GET', '/health/ready');
      expectSuccess(answer);
      expect(answer.body.checks).to.deep.equal({
        counters: 'ok',
        documents: 'ok',
        tracking: 'ok',
        query: 'ok',
        resources: 'ok',
      });
    });

    it('answers another method with 405', async () => {
      expectError(await server.call('POST', '/health', { body: {} }), 405, 'METHOD_NOT_ALLOWED');
    });
  });

  describe('the catalogue of datasets', () => {
    it('answers a parameter out of range with 400 VALIDATION_ERROR that names it, counted, to nobody and to a key', async () => {
      for (const value of ['maybe', '', 'TRUE', '1']) {
        const path = `/v1/query/types?include_meta=${value}`;
        const anonymous = await server.call('GET', path);
        expectError(anonymous, 400, 'VALIDATION_ERROR');
        expect(anonymous.body.details).to.deep.equal([
          { field: 'include_meta', message: 'Must be true or false.' },
        ]);
        expect(anonymous.headers.get('x-ratelimit-remaining')).to.equal('99');
        expectError(await server.call('GET', path, { key: server.keys.all }), 400, 'VALIDATION_ERROR');
      }
      expectSuccess(await server.call('GET', '/v1/query/types?include_meta=false'));
    });
  });

  it('describes itself at /openapi.json', async () => {
    const answer = await server.call('GET', '/openapi.json');
    expectSuccess(answer);
    expect(answer.body.openapi).to.equal('3.1.0');
    expect(Object.keys(answer.body.paths)).to.include.members([
      '/track',
      '/v1/query',
      '/v1/websites/{id}',
      '/health',
    ]);
  });
});
