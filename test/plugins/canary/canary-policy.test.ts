/** The canary policy: who gets which backend, what that learns of the caller, and that no client becomes another by a header. */
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { createBackendOf } from '../../../plugins/canary/shares.ts';
import { IDENTITY_HEADER } from '../../../services/shared/identity/identity-token.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startUpstream } from '../../support/start-gateway.ts';
import {
  checkShop,
  type ShopGateway,
  type ShopOptions,
  startShopGateway,
} from '../../support/start-shop-gateway.ts';

const TO_MAIN = '- proxy: [{ action: { serviceEndpoint: main } }]';
const behind = (
  action: string,
  services: Readonly<Record<string, string>>,
  answer = TO_MAIN,
): ShopOptions => ({
  ...{ steps: [], late: [`- canary: [{ action: ${action} }]`], plugins: ['canary'] },
  ...{ services, answer },
});

describe('the canary policy', () => {
  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[4].canary[0].action';
    const names = { main: 'http://main.test', next: 'http://next.test', other: 'http://other.test' };
    const checked = (action: string, services: Readonly<Record<string, string>> = names) =>
      checkShop(behind(action, services));

    it('is explained for a path, and uses the backends that it names', async () => {
      const action =
        '{ weights: { next: 10 }, rules: [{ to: other, header: { name: x-canary, values: [a, b] } }, { to: main, organizations: [org_a] }, { to: next, cookie: { name: canary, values: ["1"] } }] }';
      const found = await checked(action);
      if (Array.isArray(found)) throw new Error(found.join('\n'));
      const does = explainRequest(found, 'GET', '/shop/items').policies.map((one) => one.does);
      expect(does).to.include(
        'sends x-canary: a or b to other; org_a to main; the cookie canary=1 to next; 10 % to next, by organization; others to the backend of proxy',
      );
    });

    it('is refused with weights that are none, and backends that do not exist or know callers otherwise', async () => {
      const two = { main: 'http://main.test', next: 'http://next.test' };
      const number = 'allowed: an integer from 0 to 100';
      const faults: Record<string, string> = {
        '{}': `${at}: needs weights or rules`,
        '{ weights: { next: 101 } }': `${at}.weights.next: 101 is not allowed; ${number}`,
        '{ weights: { next: -1 } }': `${at}.weights.next: -1 is not allowed; ${number}`,
        '{ weights: { next: 0.5 } }': `${at}.weights.next: 0.5 is not allowed; ${number}`,
        '{ weights: { next: "10" } }': `${at}.weights.next: "10" is not allowed; ${number}`,
        '{ weights: { next: 60, main: 41 } }': `${at}.weights: add up to 101, more than 100`,
        '{ weights: { nxt: 10 }, rules: [{ to: next, organizations: [a] }] }': `${at}.weights.nxt: no serviceEndpoint is named "nxt"; allowed: `,
        '{ weights: { next: 1, main: 10 } }': `${at}.weights.main: "main" is the backend of proxy, which gets the rest by itself`,
        '{ weights: { next: 1, query: 10 } }': `${at}.weights.query: "query" is the query service, but "main" is a foreign backend: they know callers in other ways`,
        '{ rules: [{ to: next }] }': `${at}.rules[0]: needs exactly one of header, cookie and organizations`,
        '{ rules: [{ to: next, organizations: [a], cookie: { name: b, values: [c] } }] }': `${at}.rules[0]: needs exactly one of`,
        '{ rules: [{ to: nexts, organizations: [a] }, { to: next, organizations: [a] }] }': `${at}.rules[0].to: no serviceEndpoint is named "nexts"; allowed: `,
        '{ rules: [{ to: next, header: { name: X_Gateway_Identity, values: [c] } }] }': `${at}.rules[0].header.name: "X_Gateway_Identity" is the gateway's own`,
        '{ rules: [{ to: next, header: { name: x-api-key, values: [c] } }] }': `${at}.rules[0].header.name: "x-api-key" is the gateway's own`,
        '{ rules: [{ to: next, header: { name: x-a, values: [""] } }] }': `${at}.rules[0].header.values[0]: "" is not allowed`,
        '{ weights: { next: 1 }, per: key }': `${at}.per: "key" is not allowed; allowed: organization, user, address`,
      };
      for (const [action, fault] of Object.entries(faults)) {
        const found = (await checked(action, two)) as string[];
        expect(found[0]?.slice(0, fault.length), action).to.equal(fault);
      }
    });

    it('is refused before rate-limit, twice, and where no proxy follows', async () => {
      const action = '{ weights: { next: 1 } }';
      const two = { main: 'http://main.test', next: 'http://next.test' };
      const step = `- canary: [{ action: ${action} }]`;
      const found = async (options: ShopOptions) =>
        ((await checkShop(options)) as string[]).map((fault) => fault.replace(/^.*\.action: /, ''));
      expect(await found({ ...behind(action, two), steps: [step], late: [] })).to.deep.equal([
        'stands before "rate-limit", which may still refuse the request',
      ]);
      const twice = `- canary: [{ action: ${action} }, { action: ${action} }]`;
      expect(await found({ ...behind(action, two), late: [twice] })).to.deep.equal([
        'is the second one of its pipeline, which would overrule the first',
      ]);
      expect(
        await found(behind(action, { next: 'http://next.test' }, '- respond: [{ action: { text: a } }]')),
      ).to.include('chooses between backends, but its pipeline has no proxy');
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    const backends: Awaited<ReturnType<typeof startUpstream>>[] = [];
    /** The identity token of the latest request. */
    let token: unknown;
    /** The headers of the latest request as text. */
    let raw = '';

    before(async () => {
      const services: Record<string, string> = {};
      for (const name of ['main', 'next']) {
        const backend = await startUpstream((req, res) => {
          token = req.headers[IDENTITY_HEADER];
          raw = JSON.stringify(req.rawHeaders);
          req.resume();
          res.writeHead(200, { 'x-served-by': name, 'content-type': 'application/json' }).end('{}');
        });
        backends.push(backend);
        services[name] = `{ url: "${backend.origin}", identity: { audience: shop-${name} } }`;
      }
      const action =
        '{ weights: { next: 50 }, rules: [{ to: main, organizations: [org_fixed] }, { to: next, header: { name: X-Canary, values: [always] } }, { to: main, header: { name: X-Canary, values: [never] } }, { to: next, cookie: { name: canary, values: ["1"] } }] }';
      shop = await startShopGateway(behind(action, services));
    });
    after(async () => {
      await shop.close();
      for (const backend of backends) await backend.close();
    });

    const served = async (options: Parameters<ShopGateway['call']>[2]) => {
      const answer = await shop.call('GET', '/shop/a', options);
      expect(answer.status).to.equal(200);
      return answer.headers.get('x-served-by');
    };
    const sideOf = (caller: string) => createBackendOf({ next: 50 })(caller) ?? 'main';

    it('keeps an organization at its side, whatever its address, and tells each backend in its own audience', async () => {
      const sides = new Set<string>();
      for (let index = 0; index < 12; index++) {
        const id = `org_side_${index}`;
        const key = await shop.organization(id, 'scale');
        const side = sideOf(`organization:${id}`);
        sides.add(side);
        for (let count = 0; count < 3; count++) {
          expect(await served({ key }), id).to.equal(side);
          expect(decodeJwt(String(token))).to.deep.include({ aud: `shop-${side}` });
          expect((decodeJwt(String(token)).caller as Record<string, unknown>).organizationId).to.equal(id);
        }
      }
      expect([...sides]).to.have.members(['main', 'next']);
    });

    it('keeps callers without a credential at the side of their address, an IPv6 network as one', async () => {
      for (let index = 1; index <= 8; index++) {
        const address = `192.0.2.${index}`;
        expect(await served({ address })).to.equal(sideOf(`address:${address}`));
      }
      const network = await served({ address: '2001:db8:7:1::1' });
      expect(await served({ address: '2001:db8:7:1:ffff::9' })).to.equal(network);
    });

    it('follows its rules before the weights, the first that fits', async () => {
      const fixed = await shop.organization('org_fixed');
      expect(await served({ key: fixed, headers: { 'x-canary': 'always' } })).to.equal('main');
      for (let index = 1; index <= 6; index++) {
        const address = `198.51.100.${index}`;
        expect(await served({ address, headers: { 'X-CANARY': 'always' } })).to.equal('next');
        expect(await served({ address, headers: { 'x-canary': 'never', cookie: 'canary=1' } })).to.equal(
          'main',
        );
        expect(await served({ address, headers: { cookie: 'a=b; canary=1' } })).to.equal('next');
        const usual = sideOf(`address:${address}`);
        const others: Record<string, string>[] = [
          { 'x-canary': 'alway' },
          { 'x-canary': 'always, never' },
          { cookie: 'canary=2' },
          { cookie: 'canary=1; canary=2' },
          { cookie: 'xcanary=1' },
        ];
        for (const headers of others)
          expect(await served({ address, headers }), JSON.stringify(headers)).to.equal(usual);
      }
      expect(raw).to.not.include('canary=');
    });

    it('judges by nothing that a client forges, and forwards nothing of it to either side', async () => {
      const ids = ['org_forge_a', 'org_forge_b', 'org_forge_c', 'org_forge_d'];
      const names = [
        ...['x-gateway-identity', 'X_Gateway_Identity', 'x-gateway-organization', 'x_gateway_organization'],
        ...['x-consumer-id', 'X-Organization-Id', 'x-org-id', 'x-user-id', 'X_User_Id'],
      ];
      for (const id of ids) {
        const key = await shop.organization(id, 'scale');
        for (const name of names) {
          for (const connection of ['close', `close, ${name}`]) {
            const lines = [
              'GET /shop/a HTTP/1.1',
              'Host: x',
              `X-Api-Key: ${key}`,
              `Connection: ${connection}`,
              `${name}: org_fixed`,
            ];
            const { statusLine, headers } = await rawRequest(shop.origin, `${lines.join('\r\n')}\r\n\r\n`);
            expect(statusLine, name).to.include('200');
            expect(headers.get('x-served-by'), name).to.equal(sideOf(`organization:${id}`));
            expect(raw, name).to.not.include('org_fixed');
          }
        }
      }
    });

    it('refuses what is refused without a canary', async () => {
      const chosen: Record<string, string>[] = [{ 'x-canary': 'always' }, { cookie: 'canary=1' }];
      for (const headers of chosen)
        expect((await shop.call('GET', '/shop/a', { key: 'tg_wrong', headers })).status).to.equal(401);
    });

    it('counts the requests of each backend by its name', async () => {
      const counted = async (service: string) => {
        const [line = ''] = (await shop.metrics())
          .split('\n')
          .filter((each) => each.startsWith(`tidegate_upstream_requests_total{service="${service}"}`));
        return Number(line.split(' ').at(-1));
      };
      const before = [await counted('main'), await counted('next')];
      await served({ headers: { 'x-canary': 'always' } });
      await served({ headers: { 'x-canary': 'never' } });
      await served({ headers: { 'x-canary': 'never' } });
      expect([await counted('main'), await counted('next')]).to.deep.equal([
        (before[0] ?? 0) + 2,
        (before[1] ?? 0) + 1,
      ]);
    });
  });
});
