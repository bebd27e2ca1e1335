/** Compressed answers through the whole gateway: what is, what never is, and that tags, caches and loads stay right. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { request } from 'undici';
import { Compression } from '../../../plugins/proxy/compression.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { expectCommonHeaders } from '../../support/answers.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { until } from '../../support/until.ts';

const ROWS = JSON.stringify({
  data: Array.from({ length: 200 }, (_, n) => ({ name: `/page-${n}`, views: n })),
});
const PATH = '/v1/query/websites';

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

describe('compressed answers', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let answer: (req: IncomingMessage, res: ServerResponse) => void;
  let seen: IncomingMessage['headers'];

  before(async () => {
    upstream = await startUpstream((req, res) => {
      seen = req.headers;
      req.resume().on('end', () => answer(req, res));
    });
    gateway = await startGateway({ upstream: upstream.origin });
  });
  beforeEach(() => {
    answer = send();
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  function send(headers: Record<string, string> = {}, status = 200, body: string | Buffer = ROWS) {
    return (_req: IncomingMessage, res: ServerResponse) => {
      const type = { 'content-type': 'application/json; charset=utf-8' };
      res.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body), ...headers });
      res.end(body);
    };
  }

  /** As it comes over the wire, nothing inflated. */
  async function ask(
    accepted: string | null,
    {
      path = PATH,
      method = 'GET',
      headers = {},
    }: { path?: string; method?: 'GET' | 'HEAD' | 'PATCH'; headers?: object } = {},
  ) {
    const {
      statusCode,
      headers: got,
      body,
    } = await request(gateway.origin + path, {
      method,
      headers: {
        'x-api-key': gateway.key,
        ...(accepted === null ? {} : { 'accept-encoding': accepted }),
        ...headers,
      },
    });
    return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
  }

  for (const coding of ['gzip', 'br']) {
    it(`come as ${coding} when it is asked for, whole, with their own length`, async () => {
      const { status, headers, bytes } = await ask(coding);
      expect(status).to.equal(200);
      expect(headers['content-encoding']).to.equal(coding);
      expect(Number(headers['content-length']))
        .to.equal(bytes.length)
        .and.to.be.below(ROWS.length / 3);
      expect(DECODE[coding]?.(bytes).toString()).to.equal(ROWS);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(String(headers.vary)).to.match(/^Accept-Encoding/);
      expectCommonHeaders(new Headers(headers as Record<string, string>));
    });
  }

  it('are what fetch reads', async () => {
    const response = await fetch(gateway.origin + PATH, { headers: { 'x-api-key': gateway.key } });
    expect(response.headers.get('content-encoding')).to.equal('gzip');
    expect(await response.text()).to.equal(ROWS);
  });

  it('are right over a bare socket, two requests in one write', async () => {
    const head = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\nAccept-Encoding: gzip\r\n\r\n`;
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    let came = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      came = Buffer.concat([came, chunk]);
    });
    socket.write(head + head);
    for (let answers = 0; answers < 2; answers++) {
      await until('the head is there', () => came.includes('\r\n\r\n'));
      const start = came.indexOf('\r\n\r\n') + 4;
      const text = came.toString('latin1', 0, start);
      expect(text)
        .to.match(/^HTTP\/1\.1 200 OK\r\n/)
        .and.to.match(/\r\nContent-Encoding: gzip\r\n/);
      const end = start + Number(/\r\nContent-Length: (\d+)\r\n/.exec(text)?.[1]);
      await until('the body is there', () => came.length >= end);
      expect(gunzipSync(came.subarray(start, end)).toString()).to.equal(ROWS);
      came = came.subarray(end);
    }
    socket.destroy();
    expect(came.length).to.equal(0);
  });

  it('come as they are when nothing is asked for, and say all the same that they depend on it', async () => {
    for (const accepted of [null, 'identity', 'identity;q=0', 'deflate', 'gzip;q=0', '*;q=0']) {
      const { headers, bytes } = await ask(accepted);
      expect([headers['content-encoding'], bytes.toString()]).to.deep.equal([undefined, ROWS]);
      expect(String(headers.vary)).to.match(/^Accept-Encoding/);
    }
  });

  it('are errors too, and never the head alone: HEAD has the headers of GET and no length', async () => {
    answer = send({}, 400);
    expect((await ask('gzip')).headers['content-encoding']).to.equal('gzip');
    answer = send();
    const head = await ask('gzip', { method: 'HEAD' });
    expect(head.headers)
      .to.include({ 'content-encoding': 'gzip' })
      .and.to.not.have.property('content-length');
    expect(head.bytes.length).to.equal(0);
    const plain = await ask(null, { method: 'HEAD' });
    expect(plain.headers).to.include({ 'content-length': `${ROWS.length}` });
    expect(String(plain.headers.vary)).to.match(/^Accept-Encoding/);
  });

  describe('are never', () => {
    const plain = async (headers: Record<string, string>, status = 200, body: string | Buffer = ROWS) => {
      answer = send(headers, status, body);
      const got = await ask('gzip, br');
      expect(got.bytes.equals(Buffer.from(body))).to.equal(true);
      return got.headers['content-encoding'];
    };

    it('small ones, from 1,024 bytes on they are', async () => {
      expect(await plain({}, 200, 'x'.repeat(1_023))).to.equal(undefined);
      answer = send({}, 200, 'x'.repeat(1_024));
      expect((await ask('gzip')).headers['content-encoding']).to.equal('gzip');
    });

    it('those that are encoded, parts, pictures, or to stay as they are', async () => {
      const zipped = gzipSync(Buffer.alloc(200_000, ROWS));
      expect(await plain({ 'content-encoding': 'gzip' }, 200, zipped)).to.equal('gzip');
      expect(await plain({ 'content-range': `bytes 0-${ROWS.length - 1}/9999` }, 206)).to.equal(undefined);
      for (const headers of [
        { 'content-type': 'image/png' },
        { 'content-type': 'application/octet-stream' },
        { 'content-type': 'application/x-ndjson' },
        { 'content-type': 'text/event-stream' },
        { 'cache-control': 'private, no-transform' },
        { 'set-cookie': 'a=b' },
        { 'content-digest': 'sha-256=:x:' },
      ]) {
        expect(await plain(headers as unknown as Record<string, string>), JSON.stringify(headers)).to.equal(
          undefined,
        );
      }
    });

    it('204 and 304', async () => {
      for (const status of [204, 304]) {
        answer = (_req, res) => res.writeHead(status, { etag: '"v1"' }).end();
        const { headers, bytes } = await ask('gzip');
        expect([headers['content-encoding'], bytes.length]).to.deep.equal([undefined, 0]);
        expect(headers.etag).to.equal('"v1"');
      }
    });

    it('streams: each piece of one without a length arrives as it is sent', async () => {
      let next: () => void = () => undefined;
      answer = (_req, res) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.write('x'.repeat(5_000));
        next = () => res.end('end');
      };
      const { headers, body } = await request(gateway.origin + PATH, {
        headers: { 'x-api-key': gateway.key, 'accept-encoding': 'gzip' },
      });
      expect(headers['content-encoding']).to.equal(undefined);
      let text = '';
      for await (const chunk of body) {
        text += chunk;
        if (text.length === 5_000) next();
      }
      expect(text.length).to.equal(5_003);
    });
  });

  describe('and entity tags', () => {
    it('become weak, and an If-Match with what the client read is the tag of the service again', async () => {
      answer = send({ etag: '"v7"' });
      const { headers } = await ask('gzip');
      expect(headers.etag).to.equal('W/"v7"');
      expect((await ask(null)).headers.etag).to.equal('"v7"');
      for (const [sent, got] of [
        [String(headers.etag), '"v7"'],
        ['"v7"', '"v7"'],
        ['W/"a", "b",W/"c"', '"a", "b","c"'],
        ['*', '*'],
        ['"W/"', '"W/"'],
      ] as const) {
        await ask(null, { method: 'PATCH', path: '/v1/links/lnk_1', headers: { 'If-Match': sent } });
        expect(seen['if-match']).to.equal(got);
      }
    });

    it('stay weak, and in If-None-Match as they came', async () => {
      answer = send({ etag: 'W/"v7"' });
      expect((await ask('gzip')).headers.etag).to.equal('W/"v7"');
      await ask(null, { headers: { 'if-none-match': 'W/"v7"' } });
      expect(seen['if-none-match']).to.equal('W/"v7"');
    });
  });

  it('stay apart in a cache that asks whether one of them still holds', async () => {
    answer = (_req, res) => res.writeHead(304, { etag: '"v7"' }).end();
    const { status, headers } = await ask('gzip', { headers: { 'if-none-match': 'W/"v7"' } });
    expect(status).to.equal(304);
    expect(headers.vary).to.include('Accept-Encoding');
  });

  it('that break off in the service are an error, and no half of an answer', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 50_000 });
      res.write('x'.repeat(20_000), () => res.destroy());
    };
    const { status, headers, bytes } = await ask('gzip');
    expect([status, headers['content-encoding']]).to.deep.equal([502, undefined]);
    expect(JSON.parse(bytes.toString())).to.include({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('are all whole when very many come at once, compressed or not', async () => {
    const body = JSON.stringify({ data: Array.from({ length: 5_000 }, (_, n) => `/page-${n}`) });
    answer = send({}, 200, body);
    const codings = new Set<string>();
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const coding = n % 2 === 0 ? 'gzip' : 'br';
        const { headers, bytes } = await ask(coding);
        const got = headers['content-encoding']?.toString();
        codings.add(got ?? 'none');
        expect((got === undefined ? bytes : DECODE[got]?.(bytes))?.toString()).to.equal(body);
      }),
    );
    expect([...codings]).to.include.members(['gzip', 'br']);
  });
});

describe('the room for compression', () => {
  it('is bounded in bytes and in work at once, and is given back', async () => {
    const compression = new Compression(new PrometheusMetrics());
    const large = 8_388_608;
    expect(Array.from({ length: 5 }, () => compression.take(large))).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
    ]);
    compression.give(large);
    expect(compression.take(large)).to.equal(true);
    const bytes = Buffer.from(ROWS);
    const made = await Promise.all(Array.from({ length: 6 }, () => compression.compress(bytes, 'gzip')));
    expect(made.map((each) => each !== null)).to.deep.equal([true, true, true, true, false, false]);
    expect(await compression.compress(bytes, 'br')).to.not.equal(null);
  });
});
