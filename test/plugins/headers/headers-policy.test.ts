/** The headers policy: what reaches backend and client, and that no client can smuggle what the policy sets. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { rawRequest } from '../../support/raw-request.ts';
import {
  checkShop,
  type Seen,
  type ShopGateway,
  startShopGateway,
} from '../../support/start-shop-gateway.ts';

const ACTION = `{
  request: {
    set: {
      x-org: { claim: organization }, x-plan: { claim: plan }, x-kind: { claim: kind }, x-source: edge,
      x-scopes: { claim: scopes }, authorization: "Basic b3Vycw==", x-ip: { claim: address }, x-at: { claim: endpoint }
    },
    add: { x-tag: [one, two] },
    remove: [x-debug]
  },
  response: { set: { x-served-by: shop, content-type: text/plain }, add: { link: "</a>; rel=next" }, remove: [server, x-internal] }
}`;
const step = (action: string) => ({
  steps: [`- headers: [{ action: ${action.replaceAll('\n', ' ')} }]`],
  plugins: ['headers'],
});

/** The values of a header as they came, whatever its spelling. */
const valuesOf = ({ rawHeaders }: Seen, name: string): string[] =>
  rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase().replaceAll('_', '-') === name,
  );

describe('the headers policy', () => {
  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[1].headers[0].action';

    it('is explained for a path', async () => {
      const checked = await checkShop(
        step(
          '{ request: { set: { x-org: { claim: organization } }, remove: [x-a] }, response: { add: { x-b: c } } }',
        ),
      );
      if (Array.isArray(checked)) throw new Error(checked.join('\n'));
      const { policies } = explainRequest(checked, 'GET', '/shop/items');
      expect(policies.find(({ policy }) => policy === 'headers')?.does).to.equal(
        'to the backend: x-org set from the organization, x-a removed; to the client: x-b added',
      );
    });

    it('is refused for every name that is the gateway’s, in every spelling and direction', async () => {
      const inRequest = ['x-gateway-identity', 'X_Gateway_Identity', 'x-consumer-id', 'X-GATEWAY', 'host'];
      const framing = [
        'Content-Length',
        'content_length',
        'Transfer-Encoding',
        'connection',
        'Upgrade',
        'TE',
      ];
      const forwarded = ['x-forwarded-for', 'X_Forwarded_Host', 'forwarded', 'x-real-ip', 'x-request-id'];
      const inResponse = ['vary', 'access-control-allow-origin', 'x-ratelimit-limit', 'x-gateway-identity'];
      const cases = [
        ...[...inRequest, ...framing, ...forwarded].map((name) => ['request', name]),
        ...[...inResponse, ...framing, 'X-Request-Id', 'x-content-type-options'].map((name) => [
          'response',
          name,
        ]),
      ];
      const written = cases.map(([way, name]) => `{ ${way}: { set: { "${name}": forged } } }`);
      const checks = await Promise.all(written.map((action) => checkShop(step(action))));
      for (const [index, faults] of checks.entries()) {
        const [way, name] = cases[index] as [string, string];
        expect(faults, `${way} ${name}`).to.have.length(1);
        expect((faults as string[])[0]).to.match(
          new RegExp(`\\.action\\.${way}\\.set\\.${name}: "${name}" (?:is the gateway's own|says who calls)`),
        );
      }
    });

    it('is refused where it says nothing, or what no header can hold', async () => {
      const faults: Record<string, string> = {
        '{}': `${at}: needs request or response`,
        '{ request: {} }': `${at}.request: needs set, add or remove`,
        '{ request: { remove: ["a b"] } }': `${at}.request.remove[0]: "a b" is not the name of a header`,
        '{ request: { set: { x-a: b }, remove: [X_A] } }': `${at}.request.remove[0]: "X_A" stands here twice`,
        '{ request: { add: { x-a: { claim: plan } } } }': `${at}.request.add.x-a: {"claim":"plan"} is not allowed; allowed: text matching ^(?:[!-~](?:[ -~]*[!-~])?)?$ or a list, each item text matching ^(?:[!-~](?:[ -~]*[!-~])?)?$`,
        '{ request: { sets: { x-a: b } } }': `${at}.request.sets: unknown key "sets"; allowed: set, add, remove; did you mean "set"?`,
      };
      const found = await Promise.all(Object.keys(faults).map((action) => checkShop(step(action))));
      expect(found.map((each) => (each as string[])[0])).to.deep.equal(Object.values(faults));
      for (const value of ['"a\\r\\nx-b: c"', '"a\\0"', '"ü"', '" a"', '{ claim: organisation }', '5']) {
        const refused = await checkShop(step(`{ request: { set: { x-a: ${value} } } }`));
        expect((refused as string[])[0], value).to.include(`${at}.request.set.x-a`);
      }
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    before(async () => {
      shop = await startShopGateway(step(ACTION), (_req, res) => {
        res.writeHead(200, [
          'server',
          'x',
          'X-Internal',
          'y',
          'X_Internal',
          'z',
          'link',
          '</b>',
          'x-kept',
          'k',
        ]);
        res.end('{}');
      });
    });
    beforeEach(() => {
      shop.seen.length = 0;
    });
    after(() => shop.close());

    const last = (): Seen => shop.seen.at(-1) as Seen;

    it('tells the backend who calls, in its own words', async () => {
      const key = await shop.organization('org_a', 'pro');
      await shop.call('GET', '/shop/a', {
        key,
        address: '198.51.100.9',
        headers: { 'x-debug': '1', 'x-tag': 'own' },
      });
      expect(valuesOf(last(), 'x-org')).to.deep.equal(['org_a']);
      expect(valuesOf(last(), 'x-plan')).to.deep.equal(['pro']);
      expect(valuesOf(last(), 'x-kind')).to.deep.equal(['key']);
      expect(valuesOf(last(), 'x-scopes')[0]?.split(' ')).to.include('read:data');
      expect(valuesOf(last(), 'x-source')).to.deep.equal(['edge']);
      expect(valuesOf(last(), 'x-ip')).to.deep.equal(['198.51.100.9']);
      expect(valuesOf(last(), 'x-at')).to.deep.equal(['shop']);
      expect(valuesOf(last(), 'x-tag')).to.deep.equal(['own', 'one', 'two']);
      expect(valuesOf(last(), 'x-debug')).to.deep.equal([]);
      expect(valuesOf(last(), 'authorization')).to.deep.equal(['Basic b3Vycw==']);
      expect(valuesOf(last(), 'x-api-key')).to.deep.equal([]);
    });

    it('leaves out what a caller does not have', async () => {
      await shop.call('GET', '/shop/a', { headers: { 'x-org': 'org_a', 'x-plan': 'scale' } });
      for (const name of ['x-org', 'x-plan', 'x-scopes'])
        expect(valuesOf(last(), name), name).to.deep.equal([]);
      expect(valuesOf(last(), 'x-kind')).to.deep.equal(['public']);
    });

    it('changes the answer, and nothing that the gateway says in it', async () => {
      const { headers } = await shop.call('GET', '/shop/a');
      expect(headers.get('x-served-by')).to.equal('shop');
      expect(headers.get('content-type')).to.equal('text/plain');
      expect(headers.get('link')).to.equal('</b>, </a>; rel=next');
      expect(headers.get('x-kept')).to.equal('k');
      for (const name of ['server', 'x-internal', 'x_internal'])
        expect(headers.get(name), name).to.equal(null);
      expect(headers.get('x-request-id')).to.match(/^\w/);
      expect(headers.get('x-ratelimit-limit')).to.match(/^\d+$/);
    });

    it('leaves the gateway’s own answers alone', async () => {
      const refused = await shop.call('GET', '/shop/a', { key: 'tg_wrong' });
      expect([refused.status, refused.headers.get('x-served-by')]).to.deep.equal([401, null]);
      expect(refused.headers.get('content-type')).to.match(/^application\/json/);
    });

    it('lets no spelling and no way in of a client stand beside what it sets', async () => {
      const names = ['x-org', 'X-ORG', 'x_org', 'X_Org', 'x-kind', 'X_KIND', 'x_source', 'x-ip', 'x_plan'];
      const identity = [
        'x-gateway-identity',
        'X_Gateway_Identity',
        'x-consumer-id',
        'x_gateway_organization',
      ];
      const ways: ((name: string) => string)[] = [
        (name) => `Connection: close\r\n${name}: forged\r\n`,
        (name) => `Connection: close\r\n${name}: forged\r\n${name.toUpperCase()}: forged\r\n`,
        (name) => `Connection: close, ${name}\r\n${name}: forged\r\n`,
        (name) => `Connection: close, ${name}\r\n`,
        (name) => `Connection: close\r\nX-Tag: a\r\n\t\r\n${name}: forged\r\n`,
        (name) => `Connection: close\r\nTrailer: ${name}\r\nTransfer-Encoding: chunked\r\n`,
      ];
      for (const [index, way] of ways.entries()) {
        for (const name of [...names, ...identity]) {
          const isChunked = way(name).includes('chunked');
          const body = isChunked ? `2\r\n{}\r\n0\r\n${name}: forged\r\n\r\n` : '';
          const type = isChunked ? 'Content-Type: application/json\r\n' : '';
          const line = isChunked ? 'POST' : 'GET';
          const from = `X-Forwarded-For: 10.7.${index}.${names.indexOf(name) + 20}\r\n`;
          const head = `${line} /shop/a HTTP/1.1\r\nHost: x\r\n${from}${type}${way(name)}\r\n`;
          const before = shop.seen.length;
          const { statusLine } = await rawRequest(shop.origin, head + body);
          if (shop.seen.length === before) {
            // A folded line is no header: the parser refuses the request whole.
            expect(statusLine, JSON.stringify(head)).to.match(/^HTTP\/1\.1 400 /);
            continue;
          }
          expect(JSON.stringify(last().rawHeaders), `${index} ${name}`).to.not.include('forged');
          expect(valuesOf(last(), 'x-kind'), `${index} ${name}`).to.deep.equal(['public']);
          expect(valuesOf(last(), 'x-source'), `${index} ${name}`).to.deep.equal(['edge']);
          expect(valuesOf(last(), 'x-org'), `${index} ${name}`).to.deep.equal([]);
        }
      }
      expect(shop.seen.length).to.be.at.least(5 * (names.length + identity.length));
    });
  });
});
