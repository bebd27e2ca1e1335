/** The cache policy and clients that name the answer which they hold, as browsers do. */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { rawRequest } from '../../support/raw-request.ts';
import { type Seen, type ShopGateway, startShopGateway } from '../../support/start-shop-gateway.ts';
import { until } from '../../support/until.ts';

describe('the cache policy with conditional requests', () => {
  let shop: ShopGateway;
  let answer: (res: ServerResponse, seen: Seen) => void;
  before(async () => {
    shop = await startShopGateway(
      {
        ...{
          steps: [],
          late: ['- cache: [{ action: { seconds: 60, staleSeconds: 30 } }]'],
          plugins: ['cache'],
        },
        endpoint: ['paths: "/shop/*"', 'access: optional'],
      },
      (_req, res, seen) => answer(res, seen),
    );
  });
  after(() => shop.close());

  let paths = 0;
  const newPath = () => `/shop/path-${++paths}`;

  it('keeps and renews answers although all who ask name a tag', async () => {
    const path = newPath();
    const conditions: unknown[] = [];
    answer = (res, { headers }) => {
      conditions.push(headers['if-none-match'], headers['if-modified-since']);
      res.writeHead(headers['if-none-match'] === undefined ? 200 : 304, { etag: '"v1"' });
      res.end(headers['if-none-match'] === undefined ? 'body' : undefined);
    };
    const ask = async () => {
      const lines = [`GET ${path} HTTP/1.1`, `Host: ${new URL(shop.origin).host}`, 'Connection: close'];
      const named = ['If-None-Match: "v1"', 'If-Modified-Since: Mon, 05 Jan 2026 00:00:00 GMT'];
      return rawRequest(shop.origin, `${[...lines, ...named].join('\r\n')}\r\n\r\n`);
    };
    expect((await ask()).statusLine).to.include(' 200 ');
    const known = await ask();
    expect([known.statusLine.includes(' 304 '), known.headers.get('age')]).to.deep.equal([true, '0']);
    shop.clock.advance(61_000);
    expect((await ask()).statusLine).to.include(' 304 ');
    await until('it is renewed', async () => (await ask()).headers.get('age') === '0');
    expect(conditions).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it('lets a client learn by its tag that nothing changed of what is for it alone', async () => {
    const path = newPath();
    answer = (res, { headers }) =>
      void res
        .writeHead(headers['if-none-match'] === undefined ? 200 : 304, {
          etag: '"v1"',
          'cache-control': 'private',
        })
        .end();
    const ask = () =>
      rawRequest(
        shop.origin,
        `GET ${path} HTTP/1.1\r\nHost: ${new URL(shop.origin).host}\r\nIf-None-Match: "v1"\r\nConnection: close\r\n\r\n`,
      );
    expect((await ask()).statusLine).to.include(' 200 ');
    expect((await ask()).statusLine).to.include(' 304 ');
  });
});
