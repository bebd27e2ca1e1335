/** The cors policy: which pages may read what, preflights and errors too, and that no origin is believed for another. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { rawRequest } from '../../support/raw-request.ts';
import {
  checkShop,
  type ShopGateway,
  type ShopOptions,
  startShopGateway,
} from '../../support/start-shop-gateway.ts';

const step = (action: string): ShopOptions => ({
  steps: [`- cors: [{ action: ${action} }]`],
  plugins: ['cors'],
});
const ACTION =
  '{ origins: [https://app.example.com, "https://*.shop.example"], methods: [GET, POST], headers: [x-api-key, x-shop], exposedHeaders: [x-total], maxAgeSeconds: 60, credentials: true }';

const OTHERS = [
  ...['https://app.example.com.evil.example', 'https://evil.example', 'null', 'http://app.example.com'],
  ...[
    'https://shop.example',
    'https://evilshop.example',
    'https://evil.example#.shop.example',
    'http://localhost',
  ],
];

describe('the cors policy', () => {
  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[1].cors[0].action';

    it('is explained for a path', async () => {
      const checked = await checkShop(step('{ origins: [https://app.example.com] }'));
      if (Array.isArray(checked)) throw new Error(checked.join('\n'));
      const does = explainRequest(checked, 'GET', '/shop/items').policies.map((one) => one.does);
      expect(does).to.include('pages of https://app.example.com may read the answer, without credentials');
    });

    it('is refused where it would let in whom nobody meant, or could not hold', async () => {
      const onExpress = `${at}: works in the dispatch table alone: no host, regular expression or condition in its pipeline, nor at another endpoint over its paths`;
      const cases: [ShopOptions, string][] = [
        [
          step('{ origins: ["*"], credentials: true }'),
          `${at}.credentials: is not possible with the origin "*": any page could then ask in the name of its visitor`,
        ],
        [
          step('{ origins: ["*", https://a.example] }'),
          `${at}.origins: has "*" beside others, which it holds`,
        ],
        [
          step('{ origins: ["https://*.com"] }'),
          `${at}.origins[0]: "https://*.com" would let every page of a top-level domain in`,
        ],
        [
          step('{ origins: ["null"] }'),
          `${at}.origins[0]: "null" is no origin, such as https://app.example.com`,
        ],
        [
          {
            ...step('{ origins: [https://a.example] }'),
            endpoint: ['paths: "/shop/*"', 'access: optional', 'cors: open'],
          },
          `${at}: the endpoint "shop" says cors: open; only one of the two can hold`,
        ],
        [
          {
            ...step('{ origins: [https://a.example], methods: [GET, PUT] }'),
            endpoint: ['paths: "/shop/*"', 'access: optional', 'methods: [GET, POST]'],
          },
          `${at}.methods[1]: no endpoint of this pipeline answers PUT`,
        ],
        [
          {
            ...step('{ origins: [https://a.example] }'),
            endpoint: ['paths: "/shop/*"', 'access: optional', 'host: shop.test'],
          },
          onExpress,
        ],
        [
          {
            steps: ['- cors: [{ action: { origins: [https://a.example] }, condition: { name: always } }]'],
            plugins: ['cors'],
          },
          onExpress,
        ],
      ];
      const elsewhere = (lines: readonly string[]): [ShopOptions, string] => [
        {
          ...step('{ origins: [https://a.example] }'),
          endpoint: ['paths: "/shop/*"', 'access: optional', 'methods: GET'],
          other: ['access: optional', 'methods: POST', ...lines],
        },
        onExpress,
      ];
      cases.push(
        elsewhere(['paths: /shop/x', 'host: shop.test']),
        elsewhere(['pathRegex: "^/shop/[0-9]+$"']),
      );
      const found = await Promise.all(cases.map(([options]) => checkShop(options)));
      expect(found).to.deep.equal(cases.map(([, fault]) => [fault]));
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    before(async () => {
      shop = await startShopGateway(
        { ...step(ACTION), endpoint: ['paths: "/shop/*"', 'access: optional', 'methods: [GET, POST]'] },
        (_req, res) => {
          res.writeHead(200, {
            'access-control-allow-origin': '*',
            'access-control-allow-credentials': 'true',
            'content-type': 'application/json',
            vary: 'Accept-Language',
          });
          res.end('{}');
        },
      );
    });
    beforeEach(() => {
      shop.seen.length = 0;
    });
    after(() => shop.close());

    const corsOf = (headers: Headers) =>
      Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
    const preflight = (origin: string, path = '/shop/a') =>
      shop.call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } });

    it('answers the preflight of a page in the list, and counts it nowhere', async () => {
      for (const origin of ['https://app.example.com', 'https://a.b.shop.example']) {
        const answer = await preflight(origin);
        expect([answer.status, corsOf(answer.headers)]).to.deep.equal([
          204,
          {
            'access-control-allow-origin': origin,
            'access-control-allow-credentials': 'true',
            'access-control-allow-methods': 'GET, POST',
            'access-control-allow-headers': 'x-api-key, x-shop',
            'access-control-max-age': '60',
          },
        ]);
        expect(answer.headers.get('vary')).to.match(/\bOrigin\b/);
      }
      expect(shop.seen).to.deep.equal([]);
    });

    it('lets its pages read every answer, errors too', async () => {
      const origin = 'https://app.example.com';
      const cases = [
        ['GET', '/shop/a', {}, 200],
        ['GET', '/shop/a', { 'x-api-key': 'tg_wrong' }, 401],
        ['PUT', '/shop/a', {}, 405],
        ['POST', '/shop/a', { 'content-type': 'text/css' }, 415],
      ] as const;
      for (const [method, path, headers, status] of cases) {
        const body = status === 415 ? 'a' : undefined;
        const answer = await shop.call(method, path, { headers: { origin, ...headers }, body });
        expect(answer.status).to.equal(status);
        const cors = corsOf(answer.headers);
        expect(cors['access-control-allow-origin'], `${status}`).to.equal(origin);
        expect(cors['access-control-allow-credentials']).to.equal('true');
        expect(cors['access-control-expose-headers']).to.match(/^X-RateLimit-Limit, .*, x-total$/);
        expect(answer.headers.get('vary')).to.match(/\bOrigin\b/);
      }
    });

    it('says nothing to any other page, whatever the backend says', async () => {
      for (const origin of OTHERS) {
        expect(corsOf((await preflight(origin)).headers), origin).to.deep.equal({});
        const answer = await shop.call('GET', '/shop/a', { headers: { origin } });
        expect(corsOf(answer.headers), origin).to.deep.equal({});
        expect(answer.headers.get('vary'), origin).to.match(/\bOrigin\b/);
      }
      const { headers } = await shop.call('GET', '/shop/a');
      expect(corsOf(headers)).to.deep.equal({});
      expect(headers.get('vary')).to.match(/Accept-Language/);
    });

    it('takes two origins for none, and lets nobody be somebody by one', async () => {
      for (const lines of [
        'Origin: https://app.example.com\r\nOrigin: https://evil.example\r\n',
        'Origin: https://evil.example, https://app.example.com\r\n',
        'X-Origin: https://app.example.com\r\nX_Gateway_Identity: forged\r\n',
      ]) {
        const head = `GET /shop/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`;
        const { headers } = await rawRequest(shop.origin, head);
        // Of two, Node hands on the first or both: never the second.
        expect([null, 'https://app.example.com'], lines).to.include(
          headers.get('access-control-allow-origin'),
        );
        if (!lines.startsWith('Origin: https://app')) expect(corsOf(headers), lines).to.deep.equal({});
      }
      expect(JSON.stringify(shop.seen)).to.not.include('forged');
    });

    it('leaves other endpoints as they were', async () => {
      const own = await shop.call('GET', '/v1/query/types', {
        headers: { origin: 'https://app.example.com' },
      });
      expect(corsOf(own.headers)['access-control-allow-credentials']).to.equal(undefined);
      expect(
        (await preflight('https://app.example.com', '/v1/websites')).headers.get('access-control-max-age'),
      ).to.equal(null);
    });
  });

  it('lets every page read without credentials where it says so', async () => {
    const shop = await startShopGateway(step('{ origins: ["*"] }'));
    try {
      for (const origin of ['https://any.example', 'null', 'http://localhost']) {
        const { headers } = await shop.call('GET', '/shop/a', { headers: { origin } });
        expect(headers.get('access-control-allow-origin')).to.equal('*');
        expect(headers.get('access-control-allow-credentials')).to.equal(null);
      }
    } finally {
      await shop.close();
    }
  });
});
