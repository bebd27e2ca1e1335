/** The cache policy: who gets whose kept answer, for how long, and that no header makes one caller another. */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { rawRequest } from '../../support/raw-request.ts';
import {
  type Seen,
  type ShopGateway,
  type ShopOptions,
  startShopGateway,
} from '../../support/start-shop-gateway.ts';
import { until } from '../../support/until.ts';

const behind = (action: string, endpoint: readonly string[]): ShopOptions => ({
  ...{ steps: [], late: [`- cache: [{ action: ${action} }]`], plugins: ['cache'], endpoint },
});

describe('the cache policy', () => {
  describe('in a started gateway', () => {
    let shop: ShopGateway;
    /** How the shop answers; the count of its answers is the body. */
    let answer: (res: ServerResponse, seen: Seen) => void;
    let count = 0;
    const plainly = (headers: Record<string, string | string[]>) => (res: ServerResponse) =>
      void res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(`${++count}`);

    before(async () => {
      shop = await startShopGateway(
        behind('{ seconds: 60, staleSeconds: 30 }', ['paths: "/shop/*"', 'access: optional']),
        (_req, res, seen) => answer(res, seen),
      );
    });
    beforeEach(() => {
      answer = plainly({});
      shop.seen.length = 0;
      // No test gets what another one kept.
      shop.clock.advance(86_400_000);
    });
    after(() => shop.close());

    let paths = 0;
    const newPath = () => `/shop/path-${++paths}`;
    const get = async (path: string, options: Parameters<ShopGateway['call']>[2] = {}) => {
      const { status, headers, body } = await shop.call('GET', path, options);
      return { status, headers, text: String(body ?? '') };
    };
    let organizations = 0;
    const newKey = (plan = 'scale') => shop.organization(`org_cache_${++organizations}`, plan);

    it('sends a kept answer with its age, and with the limits and the id of the request that gets it', async () => {
      const [path, key] = [newPath(), await newKey()];
      const first = await get(path, { key });
      shop.clock.advance(3_000);
      const second = await get(path, { key });
      expect([second.status, second.text]).to.deep.equal([200, first.text]);
      expect([first.headers.get('age'), second.headers.get('age')]).to.deep.equal([null, '3']);
      expect(second.headers.get('content-type')).to.equal('application/json');
      const remaining = ({ headers }: typeof first) => Number(headers.get('x-ratelimit-remaining'));
      expect(remaining(second)).to.equal(remaining(first) - 1);
      expect(second.headers.get('x-request-id')).to.not.equal(first.headers.get('x-request-id'));
      expect(shop.seen).to.have.length(1);
    });

    it('gives nobody the answer of another organization, or of callers without a credential', async () => {
      const path = newPath();
      const keys = [undefined, await newKey(), await newKey('free'), await newKey()];
      const texts = [];
      for (const key of keys) texts.push((await get(path, { ...(key && { key }) })).text);
      for (const key of keys) texts.push((await get(path, { ...(key && { key }) })).text);
      expect(new Set(texts).size).to.equal(4);
      expect(texts.slice(4)).to.deep.equal(texts.slice(0, 4));
    });

    it('judges each request before it looks', async () => {
      const path = newPath();
      await get(path);
      const refused = await get(path, { key: 'tg_wrong' });
      expect(refused.status).to.equal(401);
      const key = await shop.organization('org_spent', 'free', { per10Seconds: 2, perMinute: 2 });
      const statuses = [];
      for (let index = 0; index < 3; index++) statuses.push((await get(path, { key })).status);
      expect(statuses).to.deep.equal([200, 200, 429]);
    });

    it('keeps addresses, hosts and query strings apart', async () => {
      const path = newPath();
      const texts = [
        (await get(path)).text,
        (await get(`${path}?a=1`)).text,
        (await get(`${path}?a=2`)).text,
        (await get(path, { headers: { 'x-forwarded-host': 'evil.example' } })).text,
      ];
      expect(new Set(texts).size).to.equal(4);
      expect((await get(path)).text).to.equal(texts[0]);
    });

    it('keeps nothing that says it is for one request', async () => {
      const forOne: Record<string, string | string[]>[] = [
        { 'cache-control': 'no-store' },
        { 'cache-control': 'private, max-age=60' },
        { 'set-cookie': ['a=1', 'b=2'], 'cache-control': 'max-age=60' },
        { vary: '*', 'cache-control': 'max-age=60' },
        { vary: 'x-gateway-identity', 'cache-control': 'max-age=60' },
        { 'content-length': '1048577' },
      ];
      for (const headers of forOne) {
        const path = newPath();
        answer = (res) =>
          void res
            .writeHead(200, headers)
            .end('content-length' in headers ? '1'.repeat(1_048_577) : `${++count}`);
        await get(path);
        await get(path);
        expect(
          shop.seen.filter((seen) => seen.path === path),
          JSON.stringify(headers),
        ).to.have.length(2);
      }
    });

    it('keeps one answer for each value of the headers in Vary', async () => {
      const path = newPath();
      answer = plainly({ vary: 'Accept-Language' });
      const inLanguage = async (language: string) =>
        (await get(path, { headers: { 'accept-language': language } })).text;
      const [de, fr] = [await inLanguage('de'), await inLanguage('fr')];
      expect(de).to.not.equal(fr);
      expect([await inLanguage('de'), await inLanguage('fr')]).to.deep.equal([de, fr]);
    });

    it('asks anew when the time is over, and when a request wants that', async () => {
      const path = newPath();
      answer = plainly({ 'cache-control': 'max-age=10, must-revalidate' });
      const first = (await get(path)).text;
      shop.clock.advance(9_000);
      expect((await get(path)).text).to.equal(first);
      shop.clock.advance(2_000);
      const second = (await get(path)).text;
      expect(second).to.not.equal(first);
      const wished = (await get(path, { headers: { 'cache-control': 'no-cache' } })).text;
      expect(wished).to.not.equal(second);
      expect((await get(path)).text).to.equal(wished);
      shop.clock.advance(5_000);
      expect((await get(path, { headers: { 'cache-control': 'max-age=4' } })).text).to.not.equal(wished);
      const none = await get(newPath(), { headers: { 'cache-control': 'only-if-cached' } });
      expect(none.status).to.equal(504);
    });

    it('answers If-None-Match by the kept tag, and lets ranges and other conditions pass', async () => {
      const path = newPath();
      answer = plainly({ etag: '"v1"' });
      await get(path);
      // A client of `fetch` adds no-cache to what is conditional.
      const named = (tag: string) =>
        rawRequest(
          shop.origin,
          `GET ${path} HTTP/1.1\r\nHost: ${new URL(shop.origin).host}\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`,
        );
      for (const tag of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
        const known = await named(tag);
        expect(known.statusLine, tag).to.include(' 304 ');
        expect([known.body, known.headers.get('etag')], tag).to.deep.equal(['', '"v1"']);
      }
      expect((await named('"v0"')).statusLine).to.include(' 200 ');
      expect(shop.seen).to.have.length(1);
      await get(path, { headers: { range: 'bytes=0-1' } });
      await get(path, { headers: { 'if-modified-since': 'Mon, 05 Jan 2026 00:00:00 GMT' } });
      await shop.call('HEAD', path);
      expect(shop.seen).to.have.length(4);
    });

    it('sends a stale answer at once, and asks anew while nobody waits', async () => {
      const path = newPath();
      const first = (await get(path)).text;
      shop.clock.advance(61_000);
      const held: ServerResponse[] = [];
      answer = (res) => void held.push(res);
      const stale = await get(path);
      expect([stale.text, stale.headers.get('age')]).to.deep.equal([first, '61']);
      await until('the shop is asked', () => held.length === 1);
      // Once, however many get the stale one meanwhile.
      expect((await get(path)).text).to.equal(first);
      expect(held).to.have.length(1);
      held[0]?.writeHead(200, { 'content-type': 'application/json' }).end('"renewed"');
      await until('the renewed answer', async () => (await get(path)).text === 'renewed');
      expect(held).to.have.length(1);
      shop.clock.advance(91_000);
      answer = plainly({});
      expect((await get(path)).text).to.not.equal('renewed');
    });

    it('asks once for many equal callers at once, and for each other caller by itself', async () => {
      const [path, key, other] = [newPath(), await newKey(), await newKey()];
      const held: ServerResponse[] = [];
      answer = (res) => void held.push(res);
      const equal = Array.from({ length: 8 }, () => get(path, { key }));
      const single = get(path, { key: other });
      await until('the shop is asked for both', () => held.length === 2);
      for (const [index, res] of held.entries())
        res.writeHead(200, { 'content-type': 'application/json' }).end(`${1_000 + index}`);
      const texts = (await Promise.all(equal)).map(({ text }) => text);
      const only = (await single).text;
      expect(new Set(texts).size).to.equal(1);
      expect(texts[0]).to.not.equal(only);
      expect(shop.seen).to.have.length(2);
    });

    it('lets nobody wait for an answer that fails, or cannot be kept', async () => {
      const [path, key] = [newPath(), await newKey()];
      const held: ServerResponse[] = [];
      answer = (res) => void held.push(res);
      const asked = Array.from({ length: 4 }, () => get(path, { key }));
      await until('the shop is asked', () => held.length === 1);
      answer = plainly({ 'cache-control': 'no-store' });
      held[0]?.destroy();
      const all = await Promise.all(asked);
      expect(all.map(({ status }) => status).every((status) => status === 200 || status === 502)).to.equal(
        true,
      );
      expect(all.filter(({ status }) => status === 200).length).to.be.at.least(3);
    });

    it('forgets an address that was written to', async () => {
      const path = newPath();
      const first = (await get(path)).text;
      shop.clock.advance(1_000);
      await shop.call('POST', path, { body: {} });
      shop.clock.advance(1_000);
      const second = (await get(path)).text;
      expect(second).to.not.equal(first);
      expect((await get(path)).text).to.equal(second);
    });

    it('forgets everything when it is told so', async () => {
      const path = newPath();
      const first = (await get(path)).text;
      shop.bus.publish({ kind: 'keptAnswers' });
      expect((await get(path)).text).to.not.equal(first);
    });

    it('forgets nothing when documents were written, whoever wrote them', async () => {
      const path = newPath();
      const first = (await get(path)).text;
      shop.bus.publish({ kind: 'everything' });
      shop.bus.publishHere({ kind: 'everything' });
      expect((await get(path)).text).to.equal(first);
    });

    it('takes no caller for another by a header that a client forges', async () => {
      const path = newPath();
      const [key, other] = [await newKey(), await newKey()];
      const own = (await get(path, { key })).text;
      const names = [
        ...['x-gateway-identity', 'X_Gateway_Identity', 'x_gateway_organization', 'x-consumer-id'],
        ...['x-user-id', 'X_Api_Key', 'x-org-id', 'age', 'x-cache', 'x-request-id'],
      ];
      for (const name of names) {
        for (const connection of ['close', `close, ${name}`]) {
          const lines = [
            `GET ${path} HTTP/1.1`,
            `Host: ${new URL(shop.origin).host}`,
            `X-Api-Key: ${other}`,
            `Connection: ${connection}`,
            `${name}: ${name === 'X_Api_Key' ? key : 'org_cache_1'}`,
          ];
          const { statusLine, body } = await rawRequest(shop.origin, `${lines.join('\r\n')}\r\n\r\n`);
          expect(statusLine, name).to.include(' 200 ');
          expect(body, name).to.not.equal(own);
        }
      }
      expect(shop.seen).to.have.length(2);
    });

    it('counts what it does', async () => {
      const counted = async () => {
        const lines = (await shop.metrics()).split('\n');
        const of = (outcome: string) =>
          Number(
            lines
              .find((line) => line.startsWith(`tidegate_cache_requests_total{outcome="${outcome}"}`))
              ?.split(' ')
              .at(-1),
          );
        return ['hit', 'miss', 'pass'].map(of);
      };
      const [before, path] = [await counted(), newPath()];
      await get(path);
      await get(path);
      await shop.call('POST', path, { body: {} });
      expect((await counted()).map((value, index) => value - (before[index] ?? 0))).to.deep.equal([1, 1, 1]);
    });
  });
});
