/** Holds that answers read whole are those that `fetch` gives, and that the same request is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rejection } from './rejection.ts';
import { type Served, serve } from './serve.ts';
import { type AskOptions, askWhole } from './whole-answer.ts';

const TEXT = JSON.stringify({ said: 'é'.repeat(50) });
const BODIES: Readonly<Record<string, Uint8Array>> = {
  br: brotliCompressSync(TEXT),
  deflate: deflateSync(TEXT),
  gzip: gzipSync(TEXT),
};

describe('an answer read whole', () => {
  let server: Served;
  const seen: { method?: string; headers: IncomingMessage['headers']; body: string }[] = [];
  before(async () => {
    server = await serve((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        seen.push({ method: req.method, headers: req.headers, body: Buffer.concat(chunks).toString() });
        answer(req.url?.slice(1) ?? '', res);
      });
    });
  });
  after(() => server.close());

  function answer(path: string, res: ServerResponse): void {
    const coded = BODIES[path];
    if (coded !== undefined) res.writeHead(200, { 'Content-Encoding': path }).end(coded);
    else if (path === 'cookies')
      res.writeHead(201, 'Baked', { 'Set-Cookie': ['a=1', 'b=2'], Vary: ['A', 'B'] }).end('');
    else if (path === 'moved') res.writeHead(302, { Location: '/gzip' }).end();
    else if (path === 'broken') res.destroy();
    else if (path === 'cut') res.writeHead(200, { 'Content-Length': 9 }).write('{', () => res.destroy());
    else res.writeHead(204).end();
  }

  const CASES: readonly (readonly [path: string, options?: AskOptions])[] = [
    ...Object.keys(BODIES).map((coding) => [coding] as const),
    ['gzip', { method: 'HEAD' }],
    ['cookies', { method: 'POST', body: 'text' }],
    [
      'cookies',
      { method: 'PATCH', body: '{}', headers: { 'Content-Type': 'application/json', 'User-Agent': 'me' } },
    ],
    ['moved', { method: 'DELETE' }],
    ['none', { method: 'PUT', body: new Uint8Array([104, 105]) }],
    ['none', { method: 'POST', headers: { 'Accept-Encoding': 'br' } }],
  ];
  for (const [path, options] of CASES) {
    it(`is that of fetch: ${options?.method ?? 'GET'} ${path} ${Object.keys(options?.headers ?? {})}`, async () => {
      seen.length = 0;
      const whole = await askWhole(`${server.url}/${path}`, options);
      const fetched = await fetch(`${server.url}/${path}`, {
        ...(options as RequestInit),
        redirect: 'manual',
      });
      expect([whole.status, whole.statusText, whole.text]).to.deep.equal([
        fetched.status,
        fetched.statusText,
        await fetched.text(),
      ]);
      const told = (headers: Headers) =>
        [...headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name));
      expect(told(whole.headers)).to.deep.equal(told(fetched.headers));
      expect(whole.mediaType).to.equal(fetched.headers.get('content-type') ?? '');
      const [one, other] = seen.map(({ headers: { connection: _, ...headers }, ...sent }) => ({
        ...sent,
        headers,
      }));
      expect(one).to.deep.equal(other);
    });
  }

  it('is none where the connection breaks, before it or in the middle', async () => {
    for (const path of ['broken', 'cut'])
      expect(await rejection(askWhole(`${server.url}/${path}`)), path).to.be.instanceOf(Error);
  });
});
