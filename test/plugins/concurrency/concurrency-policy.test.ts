/** The concurrency policy: how many are under way, and that every end of a request gives its place back. */
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { expectError } from '../../support/answers.ts';
import {
  checkShop,
  type ShopGateway,
  type ShopOptions,
  startShopGateway,
} from '../../support/start-shop-gateway.ts';
import { until } from '../../support/until.ts';

const behind = (action: string): ShopOptions => ({
  steps: [],
  late: [`- concurrency: [{ action: ${action} }]`],
  plugins: ['concurrency'],
});

describe('the concurrency policy', () => {
  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[4].concurrency[0].action';

    it('is explained for a path', async () => {
      const checked = await checkShop(behind('{ most: 5, plans: { scale: 50 } }'));
      if (Array.isArray(checked)) throw new Error(checked.join('\n'));
      const does = explainRequest(checked, 'GET', '/shop/items').policies.map((one) => one.does);
      expect(does).to.include('at most 5, 50 on the plan scale under way per organization, in each process');
    });

    it('is refused before rate-limit, and with numbers or plans that are none', async () => {
      const faults: Record<string, string> = {
        '{}': `${at}.most: is missing; allowed: an integer from 1 to 100000`,
        '{ most: 0 }': `${at}.most: 0 is not allowed; allowed: an integer from 1 to 100000`,
        '{ most: 1, per: user }': `${at}.per: "user" is not allowed; allowed: organization, key, address`,
        '{ most: 1, plans: { scal: 2 } }': `${at}.plans.scal: no price plan is named "scal"; allowed: free, hobby, pro, scale; did you mean "scale"?`,
        '{ most: 1, name: A }': `${at}.name: "A" is not allowed; allowed: text matching ^[a-z][a-z0-9-]{0,49}$`,
      };
      const found = await Promise.all(Object.keys(faults).map((action) => checkShop(behind(action))));
      expect(found.map((each) => (each as string[])[0])).to.deep.equal(Object.values(faults));
      const early = await checkShop({
        steps: ['- concurrency: [{ action: { most: 1 } }]'],
        plugins: ['concurrency'],
      });
      expect(early).to.deep.equal([
        'gateway.config.yml pipelines.shop.policies[1].concurrency[0].action: stands before "rate-limit": requests that it refuses would go uncounted, or take places',
      ]);
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    /** Answers that the shop keeps waiting; those for /shop/now go at once. */
    const held: ServerResponse[] = [];

    before(async () => {
      shop = await startShopGateway(behind('{ most: 2, plans: { pro: 3 } }'), (req, res) => {
        if (req.url?.startsWith('/shop/now')) res.end('{}');
        else if (req.url?.startsWith('/shop/broken')) req.socket.destroy();
        else held.push(res);
      });
    });
    afterEach(async () => {
      for (const res of held.splice(0)) res.end('{}');
    });
    after(() => shop.close());

    let organizations = 0;
    const newKey = (plan = 'free') =>
      shop.organization(`org_${++organizations}`, plan, { per10Seconds: 1_000_000, perMinute: 1_000_000 });
    const now = (key: string, path = '/shop/now') => shop.call('GET', path, { key });
    const isFree = async (key: string) => (await now(key)).status === 200;

    it('lets so many pass, and refuses one more until one of them has ended', async () => {
      const key = await newKey();
      const pending = [
        shop.call('GET', '/shop/slow', { key }),
        shop.call('POST', '/shop/slow', { key, body: {} }),
      ];
      await until('the shop has them', () => held.length === 2);
      const refused = await now(key);
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', shop.clock.now());
      expect(refused.headers.get('retry-after')).to.equal('1');
      expect(refused.headers.get('x-ratelimit-limit')).to.equal('2');
      expect(refused.body).to.deep.include({ limit: 2, remaining: 0 });
      held.shift()?.end('{}');
      await until('a place is free', () => isFree(key));
      held.shift()?.end('{}');
      expect((await Promise.all(pending)).map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('counts each organization by itself, by the number of its plan', async () => {
      const [free, pro] = [await newKey(), await newKey('pro')];
      const started = [free, free, pro, pro, pro].map((key) => shop.call('GET', '/shop/slow', { key }));
      await until('the shop has them', () => held.length === 5);
      expect([(await now(free)).status, (await now(pro)).status]).to.deep.equal([429, 429]);
      expect((await now(await newKey())).status).to.equal(200);
      for (const res of held.splice(0)) res.end('{}');
      expect((await Promise.all(started)).map(({ status }) => status)).to.deep.equal([
        200, 200, 200, 200, 200,
      ]);
      await until('a place is free', () => isFree(free));
    });

    it('gives every place back: answered, broken by the backend, refused for its body, left by the client', async () => {
      const key = await newKey();
      const { hostname, port } = new URL(shop.origin);
      const slow = `GET /shop/slow HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
      const sent = (text: string): Socket => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        socket.write(text);
        return socket;
      };
      for (let round = 0; round < 3; round++) {
        expect((await now(key)).status).to.equal(200);
        expect((await now(key, '/shop/broken')).status).to.equal(502);
        expect(
          (await shop.call('POST', '/shop/now', { key, headers: { 'content-type': 'text/css' }, body: 'a' }))
            .status,
        ).to.equal(415);
        // Two that wait, both places taken; the client resets both.
        const leaving = [1, 2].map(() => sent(slow));
        await until('the shop has them', () => held.length === 2);
        expect((await now(key)).status).to.equal(429);
        for (const socket of leaving) socket.resetAndDestroy();
        await until('a place is free', () => isFree(key));
        held.length = 0;
        // Two in one connection, of which the second waits for the first to be answered.
        const piped = sent(slow.repeat(2));
        await until('the shop has them', () => held.length === 2);
        expect((await now(key)).status).to.equal(429);
        piped.resetAndDestroy();
        await until('a place is free', () => isFree(key));
        held.length = 0;
      }
      // All places are free: so many pass at once.
      const both = [1, 2].map(() => shop.call('GET', '/shop/slow', { key }));
      await until('the shop has them', () => held.length === 2);
      for (const res of held.splice(0)) res.end('{}');
      expect((await Promise.all(both)).map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('passes exactly so many of many at once', async () => {
      const key = await newKey('pro');
      const all = Array.from({ length: 40 }, () => shop.call('GET', '/shop/slow', { key }));
      const refused = all.map((answer) => answer.then(({ status }) => status));
      let done = 0;
      for (const each of refused) void each.then(() => done++);
      await until('all but three are refused', () => done === 37 && held.length === 3);
      for (const res of held.splice(0)) res.end('{}');
      const statuses = await Promise.all(refused);
      expect(statuses.filter((status) => status === 200)).to.have.length(3);
      expect(statuses.filter((status) => status === 429)).to.have.length(37);
    });

    it('lets no client count as another by a header', async () => {
      const key = await newKey();
      const pending = [1, 2].map(() => shop.call('GET', '/shop/slow', { key }));
      await until('the shop has them', () => held.length === 2);
      for (const name of [
        'x-gateway-identity',
        'x_gateway_organization',
        'x-consumer-id',
        'x-forwarded-for',
      ]) {
        const answer = await shop.call('GET', '/shop/now', { key, headers: { [name]: '198.51.100.1' } });
        expect(answer.status, name).to.equal(429);
      }
      for (const res of held.splice(0)) res.end('{}');
      await Promise.all(pending);
    });
  });
});
