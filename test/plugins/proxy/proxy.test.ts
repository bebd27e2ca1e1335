/** The proxy before real upstreams: what passes, what never does, and how each side's end reaches the other. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createVerifyIdentity } from '../../../services/shared/identity/verify-identity.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { expectCommonHeaders } from '../../support/answers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';

/** What the upstream saw of a request. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: string[];
  readonly headers: IncomingMessage['headers'];
  readonly trailers: IncomingMessage['trailers'];
  readonly body: string;
}

describe('the proxy', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let seen: Seen[];
  let answer: (req: IncomingMessage, res: ServerResponse, seen: Seen) => void;

  before(async () => {
    upstream = await startUpstream((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const { method = '', url = '', rawHeaders, headers, trailers } = req;
        const each = { method, url, rawHeaders, headers, trailers, body: Buffer.concat(chunks).toString() };
        seen.push(each);
        answer(req, res, each);
      });
    });
    gateway = await startGateway({ upstream: upstream.origin });
  });
  beforeEach(() => {
    seen = [];
    answer = (_req, res) => {
      res.setHeader('content-type', 'application/json');
      res.end('{"ok":true}');
    };
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  const get = (init: RequestInit = {}, path = '/v1/query/websites') =>
    fetch(`${gateway.origin}${path}`, { ...init, headers: { 'x-api-key': gateway.key, ...init.headers } });
  const only = (): Seen => {
    expect(seen).to.have.length(1);
    return seen[0] as Seen;
  };

  describe('towards the service', () => {
    it('passes method, path, query string, body and ordinary headers', async () => {
      const body = '{"parameters":["pages"]}';
      await get(
        { method: 'POST', body, headers: { 'content-type': 'application/json', 'x-own': 'a' } },
        '/v1/query?website_id=w&x=%20',
      );
      expect(only()).to.include({ method: 'POST', url: '/v1/query?website_id=w&x=%20', body });
      expect(only().headers).to.include({ 'x-own': 'a', 'content-type': 'application/json' });
    });

    it('passes a chunked body whole', async () => {
      const body = JSON.stringify({ name: 'x'.repeat(200_000) });
      const init = {
        method: 'POST',
        body: new Blob([body]).stream(),
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      };
      await get(init as RequestInit, '/track');
      expect(only().body).to.equal(body);
    });

    it('sends a signed identity for its audience, and never the credential or a cookie', async () => {
      await get({ headers: { cookie: 'a=b', authorization: `Bearer ${gateway.key}` } });
      const { headers, rawHeaders } = only();
      const token = String(headers['x-gateway-identity']);
      const caller = await createVerifyIdentity(gateway.jwks, 'query', systemClock)(token);
      expect(caller).to.include({ kind: 'key', organizationId: 'org_t', plan: 'free' });
      expect(caller?.access).to.deep.equal({ level: 'global' });
      expect(await createVerifyIdentity(gateway.jwks, 'tracking', systemClock)(token)).to.equal(null);
      expect(rawHeaders.join('\n')).to.not.contain(gateway.key);
      expect(headers.cookie).to.equal(undefined);
    });

    it('says the request id and the client address that it judged itself', async () => {
      const response = await get({ headers: { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' } });
      expect(only().headers['x-forwarded-for']).to.equal('192.0.2.1');
      expect(only().headers['x-request-id']).to.equal(response.headers.get('x-request-id'));
    });

    const forged = [
      'x-gateway-identity',
      'X-Gateway-Identity',
      'x_gateway_identity',
      'x-gateway-role',
      'x-consumer-id',
      'X_CONSUMER_ID',
    ];
    for (const path of ['/v1/query/websites', '/v1/query/types']) {
      it(`lets no forged identity through on ${path}, in any spelling, repeated, or in trailers`, async () => {
        const lines = [...forged, ...forged].map((name) => `${name}: forged\r\n`).join('');
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\n${lines}Connection: close, x-own, x-gateway-identity\r\nx-own: a\r\n\r\n`;
        const reply = await rawRequest(gateway.origin, head);
        expect(reply.statusLine).to.equal('HTTP/1.1 200 OK');
        const { rawHeaders } = only();
        expect(rawHeaders).to.not.include('forged');
        expect(
          rawHeaders.map((text) => text.toLowerCase()).filter((text) => text === 'x-gateway-identity'),
        ).to.have.length(1);
        expect(rawHeaders.map((text) => text.toLowerCase())).to.not.include('x-own');
      });
    }

    it('passes no trailers', async () => {
      const head = `POST /track HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nTrailer: x-gateway-identity\r\n\r\n`;
      await rawRequest(gateway.origin, `${head}2\r\n{}\r\n0\r\nx-gateway-identity: forged\r\n\r\n`);
      expect(only().body).to.equal('{}');
      expect(only().trailers).to.deep.equal({});
    });

    it('keeps its connections', async () => {
      const ports = new Set<number>();
      answer = (req, res) => {
        ports.add(req.socket.remotePort ?? 0);
        res.end('{}');
      };
      for (let count = 0; count < 10; count++) await (await get()).text();
      expect(ports.size).to.equal(1);
    });
  });

  describe('towards the client', () => {
    it('passes status, reason, headers and body, but hop-by-hop and rate-limit headers of the service', async () => {
      answer = (_req, res) => {
        res.writeHead(418, 'SHORT_AND_STOUT', [
          ['Content-Type', 'text/plain'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-RateLimit-Limit', '7'],
          ['RateLimit-Remaining', '7'],
          ['X-Request-Id', 'theirs'],
          ['X-Powered-By', 'steam'],
          ['Keep-Alive', 'timeout=1'],
        ]);
        res.end('tea');
      };
      const response = await get();
      expect([response.status, response.statusText, await response.text()]).to.deep.equal([
        418,
        'SHORT_AND_STOUT',
        'tea',
      ]);
      expect(response.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2']);
      expect(response.headers.get('x-ratelimit-limit')).to.equal('1000000');
      expect(response.headers.get('ratelimit-remaining')).to.equal(null);
      expect(response.headers.get('x-request-id')).to.match(/^req_/);
      expectCommonHeaders(response.headers);
    });

    it('passes a large body without loss, to a slow reader too', async () => {
      const block = Buffer.alloc(65_536, 'tide');
      answer = (_req, res) => {
        for (let count = 0; count < 256; count++) res.write(block);
        res.end();
      };
      const response = await get();
      let bytes = 0;
      for await (const chunk of response.body ?? []) {
        bytes += (chunk as Uint8Array).length;
        if (bytes % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(bytes).to.equal(256 * 65_536);
    });

    it('answers 204, 304 and HEAD without a body', async () => {
      for (const status of [204, 304]) {
        for (const length of [{}, { 'content-length': '11' }]) {
          answer = (_req, res) => res.writeHead(status, length).end();
          const { status: came, headers } = await get();
          expect([came, headers.get('content-length')]).to.deep.equal([status, null]);
        }
      }
      answer = (_req, res) => res.writeHead(200, { 'content-length': '11' }).end();
      const head = await get({ method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, '11']);
    });
  });

  describe('when a side ends', () => {
    it('answers 502 UPSTREAM_UNAVAILABLE when the service breaks the connection', async () => {
      answer = (req) => req.socket.destroy();
      const response = await get();
      expect([response.status, response.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
      expect(await response.json()).to.include({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
      expectCommonHeaders(response.headers);
      expect(gateway.log.at(-1)).to.contain(response.headers.get('x-request-id'));
    });

    it('breaks the answer off when the service dies in the middle of it', async () => {
      answer = (req, res) => {
        res.writeHead(200, { 'content-length': '1000' });
        res.write('half');
        setTimeout(() => req.socket.destroy(), 20);
      };
      const response = await get();
      let failed: unknown;
      await response.text().catch((fault) => {
        failed = fault;
      });
      expect(failed).to.be.instanceOf(Error);
    });

    it('ends the exchange with the service when the client leaves', async () => {
      const left = new Promise<void>((resolve) => {
        answer = (req) => req.socket.once('close', () => resolve());
      });
      const { hostname, port } = new URL(gateway.origin);
      const socket = connect(Number(port), hostname);
      socket.write(`GET /v1/query/websites HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\n\r\n`);
      while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      await left;
    });

    it('answers 502 when a service refuses the gateway itself, or an identity too long for it', async () => {
      for (const status of [401, 431]) {
        answer = (_req, res) => res.writeHead(status).end();
        const response = await get();
        expect([response.status, response.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
        expect(await response.json()).to.include({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
        expect(gateway.log.at(-1)).to.contain(
          `the service at ${upstream.origin} answered ${status} to the identity of the gateway: it `,
        );
      }
    });

    it('answers 502 also to nobody in particular when it is the gateway that the service refuses', async () => {
      answer = (_req, res) => res.writeHead(401, { 'x-gateway-identity': 'refused' }).end('{}');
      const response = await fetch(`${gateway.origin}/events`, { method: 'POST', body: '{}' });
      expect([response.status, response.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
      expect(response.headers.has('x-gateway-identity')).to.equal(false);
    });

    it('passes on the 401 of a service that judges nobody in particular itself, and no other', async () => {
      answer = (_req, res) => res.writeHead(401, 'AUTH_REQUIRED', { 'www-authenticate': 'Bearer' }).end('{}');
      const send = (headers: Record<string, string>) =>
        fetch(`${gateway.origin}/events`, { method: 'POST', headers, body: '{}' });
      const nobody = await send({});
      expect([nobody.status, nobody.statusText]).to.deep.equal([401, 'AUTH_REQUIRED']);
      expect(nobody.headers.get('www-authenticate')).to.equal('Bearer');
      expectCommonHeaders(nobody.headers);
      const keyed = await send({ 'x-api-key': gateway.key });
      expect([keyed.status, keyed.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
    });

    it('tells a service of the origin of a page and of the client identifier, and of no cookie', async () => {
      answer = (_req, res) => res.end('{}');
      const headers = { origin: 'https://a.example', 'databuddy-client-id': 'web_1', cookie: 'tg_access=x' };
      await fetch(`${gateway.origin}/events`, { method: 'POST', headers, body: '{}' });
      const last = seen.at(-1);
      expect(last?.headers).to.include({ origin: 'https://a.example', 'databuddy-client-id': 'web_1' });
      expect(last?.headers).to.not.have.property('cookie');
    });

    it('answers 502 when nothing listens', async () => {
      const gone = await startUpstream((_req, res) => res.end());
      await gone.close();
      const lonely = await startGateway({ upstream: gone.origin });
      try {
        const response = await fetch(`${lonely.origin}/v1/query/websites`, {
          headers: { 'x-api-key': lonely.key },
        });
        expect([response.status, response.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
        expectCommonHeaders(response.headers);
        const ready = await fetch(`${lonely.origin}/health/ready`);
        expect(ready.status).to.equal(503);
        expect(await ready.json()).to.deep.include({
          checks: {
            counters: 'ok',
            documents: 'ok',
            query: 'failed',
            tracking: 'failed',
            resources: 'failed',
          },
        });
      } finally {
        await lonely.close();
      }
    });
  });
});
