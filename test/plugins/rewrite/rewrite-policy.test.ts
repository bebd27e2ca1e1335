/** The rewrite policy: which path a backend gets, and that no client leaves the place that it was given. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { rewritePolicy } from '../../../plugins/rewrite/rewrite-policy.ts';
import { expectError } from '../../support/answers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { checkShop, type ShopGateway, startShopGateway } from '../../support/start-shop-gateway.ts';

const step = (action: string) => ({ steps: [`- rewrite: [{ action: ${action} }]`], plugins: ['rewrite'] });
const explained = (params: Record<string, unknown>, path: string) =>
  rewritePolicy.explain?.(rewritePolicy.schema.parse(params), path);

describe('the rewrite policy', () => {
  it('strips whole segments, matches the rest, and prefixes what comes of it', () => {
    const cases: [Record<string, unknown>, string, string | null][] = [
      [{ strip: '/shop' }, '/shop/a/b', '/a/b'],
      [{ strip: '/shop' }, '/shop', '/'],
      [{ strip: '/shop' }, '/shop/', '/'],
      [{ strip: '/shop' }, '/shopping', null],
      [{ prefix: '/api/v2' }, '/shop/a', '/api/v2/shop/a'],
      [{ strip: '/shop', prefix: '/api' }, '/shop', '/api'],
      [{ strip: '/shop', prefix: '/api' }, '/shop/a', '/api/a'],
      [
        { match: '/shop/([^/]+)/items/(\\d+)', to: '/items/$2?shop=$1' },
        '/shop/a/items/7',
        '/items/7?shop=a',
      ],
      [{ match: '/shop/x', to: '/y' }, '/shop/z', null],
      [{ match: '/shop/x', to: '/y', otherwise: 'pass' }, '/shop/z', '/shop/z'],
      [{ strip: '/shop', match: '/(.*)', to: '/b/$1', prefix: '/p' }, '/shop/a', '/p/b/a'],
      [{ strip: '/shop' }, '/shop//evil.example/x', null],
    ];
    for (const [params, path, wanted] of cases) {
      const told = wanted === null ? 'the backend has no such path: 404' : `the backend gets ${wanted}`;
      expect(explained(params, path), `${JSON.stringify(params)} ${path}`).to.equal(told);
    }
  });

  it('answers 404 where the groups together make a dot segment or an encoded slash', () => {
    const joined = { match: '/([^/]+)/([^/]+)/x', to: '/$1$2/secret' };
    expect(rewritePolicy.schema.safeParse(joined).success).to.equal(true);
    for (const path of ['/./x', '/%2/f/x', '/%2/F/x', '/%5/c/x', '/%2e/%2E/x', '/./%2e/x', '/././x'])
      expect(explained(joined, path), path).to.equal('the backend has no such path: 404');
    expect(explained(joined, '/a/b/x')).to.equal('the backend gets /ab/secret');
    expect(explained({ match: '/a([^/]*)', to: '/$1/x' }, '/a')).to.equal(
      'the backend has no such path: 404',
    );
  });

  it('answers 404 where a doubled slash would make a path that the endpoint did not match', () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ strip: '/shop' }, '/shop/a//b'],
      [{ prefix: '/api' }, '/a//b'],
      [{ match: '/shop/(.*)', to: '/api/$1' }, '/shop//admin'],
      [{ match: '/shop(.*)', to: '/api/$1' }, '/shop/admin'],
      [{ match: '/shop/([^/]*)/x', to: '/api/$1/x' }, '/shop//x'],
    ];
    for (const [params, path] of cases)
      expect(explained(params, path), `${JSON.stringify(params)} ${path}`).to.equal(
        'the backend has no such path: 404',
      );
    const passed = { match: '/shop/x', to: '/y', otherwise: 'pass' };
    expect(explained(passed, '/a//b'), 'as it came').to.equal('the backend gets /a//b');
  });

  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[1].rewrite[0].action';

    it('is explained for a path', async () => {
      const checked = await checkShop(step('{ strip: /shop, prefix: /v2 }'));
      if (Array.isArray(checked)) throw new Error(checked.join('\n'));
      const does = explainRequest(checked, 'GET', '/shop/items?a=b').policies.map((one) => one.does);
      expect(does.filter((told) => told !== undefined)).to.deep.equal(['the backend gets /v2/items']);
    });

    it('is refused where it says nothing, is slow, or leads elsewhere', async () => {
      const faults: Record<string, string> = {
        '{}': `${at}: needs strip, match or prefix`,
        '{ match: /a }': `${at}: needs match and to together, or neither`,
        '{ strip: /shop/ }': `${at}.strip: must be a path without a slash at its end, such as /shop`,
        '{ prefix: /a/../b }': `${at}.prefix: must be a path without a slash at its end, such as /shop`,
        '{ prefix: //evil.example }': `${at}.prefix: must be a path without a slash at its end, such as /shop`,
        '{ match: "/(a+)+", to: /b }': `${at}.match: repeats a group, or makes one optional`,
        '{ match: "/(.*)/x", to: /b }': `${at}.match: may read a path in several ways: what follows ".*" may be part of it; say what it may not hold, such as [^/]+`,
        '{ match: "/(.*)", to: "//$1" }': `${at}.to: has a path that no backend reads as it stands`,
        '{ match: "/(.*)", to: "/a//$1" }': `${at}.to: has a doubled slash, which no backend gets`,
        '{ match: "/(.*)", to: "/$2" }': `${at}.to: names $2, but the expression has 1 groups`,
        '{ strip: /store }': `${at}.strip: "/store" does not begin /shop/* of the endpoint "shop"`,
      };
      const found = await Promise.all(Object.keys(faults).map((action) => checkShop(step(action))));
      expect(found).to.deep.equal(Object.values(faults).map((fault) => [fault]));
    });

    it('is refused before a service that decides by the path, and where no proxy answers', async () => {
      const own = await checkShop({
        ...step('{ strip: /shop }'),
        answer: '- proxy: [{ action: { serviceEndpoint: resources } }]',
      });
      expect(own).to.deep.equal([
        `${at}: has no place before "resources", a service of Tidegate's own: who may ask is decided by the path that came`,
      ]);
      const none = await checkShop({
        ...step('{ strip: /shop }'),
        answer: '- redirect: [{ action: { to: /a } }]',
      });
      expect(none).to.deep.equal([`${at}: has no effect: no proxy answers in this pipeline`]);
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    before(async () => {
      shop = await startShopGateway({
        steps: [
          '- rewrite: [{ action: { strip: /shop, match: "/([^/]+)/items/(.*)", to: "/items/$2?shop=$1", otherwise: pass } }]',
          '- rewrite: [{ action: { prefix: /api/version2 } }]',
        ],
        plugins: ['rewrite'],
      });
    });
    beforeEach(() => {
      shop.seen.length = 0;
    });
    after(() => shop.close());

    it('changes the path that the backend gets, and leaves body, method and query string', async () => {
      const key = await shop.organization('org_a');
      const answer = await shop.call('POST', '/shop/a/items/7?x=1&shop=evil&x=2', { key, body: { a: 1 } });
      expect(answer.status).to.equal(200);
      await shop.call('GET', '/shop/other?x=%2e%2e');
      expect(shop.seen.map(({ method, path, body }) => [method, path, body])).to.deep.equal([
        ['POST', '/api/version2/items/7?shop=a&x=1&x=2', '{"a":1}'],
        ['GET', '/api/version2/other?x=%2e%2e', ''],
      ]);
    });

    it('lets no path out of the prefix', async () => {
      const paths = [
        ...[
          '/shop/../v1/api-keys',
          '/shop/..',
          '/shop/a/items/..',
          '/shop/a/items/../../x',
          '/shop/%2e%2e/x',
        ],
        ...[
          '/shop/a/items/%2e%2e/x',
          '/shop/a%2fb',
          '/shop/a\\..\\b',
          '/shop/.%2e/x',
          '/shop//evil.example/x',
        ],
        ...['//evil.example/shop/a', '/shop/%2E./x', '/SHOP/a', '/shop/a/items/x%5c..', '/shop/%00'],
      ];
      for (const path of paths) {
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        const { statusLine } = await rawRequest(shop.origin, head);
        expect(statusLine, path).to.match(/^HTTP\/1\.1 40[04] /);
      }
      expect(shop.seen).to.deep.equal([]);
    });

    it('does not believe what a client says of the path', async () => {
      const names = [
        'x-original-url',
        'x-rewrite-url',
        'x-forwarded-prefix',
        'x-gateway-identity',
        'x_gateway_identity',
      ];
      for (const name of names) {
        await shop.call('GET', '/shop/a', { headers: { [name]: '/v1/api-keys' } });
        expect(shop.seen.at(-1)?.path, name).to.equal('/api/version2/a');
        if (name.includes('gateway'))
          expect(JSON.stringify(shop.seen.at(-1)?.rawHeaders)).to.not.include('api-keys');
      }
    });

    it('counts what has no place at the backend, and answers 404', async () => {
      const ask = () => shop.call('GET', '/shop//a', { address: '192.0.2.45' });
      const first = await ask();
      expectError(first, 404, 'NOT_FOUND', shop.clock.now());
      const remaining = (headers: Headers) => Number(headers.get('x-ratelimit-remaining'));
      expect(remaining((await ask()).headers)).to.equal(remaining(first.headers) - 1);
    });

    it('refuses what became longer than any target may be', async () => {
      const { status } = await shop.call('GET', `/shop/${'a'.repeat(8_184)}`);
      expect(status).to.equal(414);
      expect(shop.seen).to.deep.equal([]);
    });
  });
});
