/** The respond policy: fixed answers, maintenance, and that it opens nothing that was closed. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { createTestGateway } from '../../../plugins/kit/testing.ts';
import { respondPolicy } from '../../../plugins/respond/respond-policy.ts';
import { expectError } from '../../support/answers.ts';
import { checkShop, type ShopOptions, startShopGateway } from '../../support/start-shop-gateway.ts';

const answering = (action: string): ShopOptions => ({
  steps: [],
  plugins: ['respond'],
  answer: `- respond: [{ action: ${action} }]`,
});

describe('the respond policy', () => {
  const gateway = createTestGateway();

  it('answers what it was told, with the headers of every answer', async () => {
    const params = {
      json: { a: ['ü'] },
      status: 410,
      headers: { 'cache-control': 'public, max-age=60', 'x-a': 'b' },
    };
    const { status, headers, text } = await gateway.run(respondPolicy, params);
    expect([status, text]).to.deep.equal([410, '{"a":["ü"]}']);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(headers.get('content-length')).to.equal('12');
    expect(headers.get('cache-control')).to.equal('public, max-age=60');
    expect(headers.get('x-a')).to.equal('b');
    expect(headers.get('x-request-id')).to.equal('req_test');
    expect(headers.get('x-ratelimit-limit')).to.match(/^\d+$/);
  });

  it('writes text as it is, and nothing where there is nothing', async () => {
    const text = await gateway.run(respondPolicy, { text: 'User-agent: *', contentType: 'text/plain' });
    expect([text.status, text.text, text.headers.get('content-type')]).to.deep.equal([
      200,
      'User-agent: *',
      'text/plain',
    ]);
    const head = await gateway.run(respondPolicy, { text: 'abc' }, { method: 'HEAD' });
    expect([head.text, head.headers.get('content-length')]).to.deep.equal(['', '3']);
    const none = await gateway.run(respondPolicy, { status: 204 });
    expect([none.status, none.text, none.headers.get('content-length')]).to.deep.equal([204, '', null]);
  });

  it('tells maintenance as every error is told', async () => {
    const params = { maintenance: { message: 'Back at noon.', retryAfterSeconds: 60 } };
    const { status, code, headers, json } = await gateway.run(respondPolicy, params);
    expect([status, code, headers.get('retry-after')]).to.deep.equal([503, 'UPSTREAM_UNAVAILABLE', '60']);
    expect(json).to.deep.include({ success: false, error: 'Back at noon.' });
  });

  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[4].respond[0].action';

    it('is explained for a path', async () => {
      const does = async (action: string) => {
        const checked = await checkShop(answering(action));
        if (Array.isArray(checked)) throw new Error(checked.join('\n'));
        return explainRequest(checked, 'GET', '/shop/a').policies.at(-1)?.does;
      };
      expect(await does('{ text: abc }')).to.equal('answers 200 with 3 bytes');
      expect(await does('{ maintenance: {} }')).to.equal('answers 503, to try again in 300 s');
    });

    it('is refused where it says two things, or what is the gateway’s', async () => {
      const faults: Record<string, string> = {
        '{ status: 302 }': `${at}.status: is for the policy redirect, or for caches`,
        '{ status: 304 }': `${at}.status: is for the policy redirect, or for caches`,
        '{ status: 204, text: a }': `${at}.status: 204 has no body`,
        '{ text: a, json: 1 }': `${at}.json: stands beside text; only one can be the body`,
        '{ maintenance: {}, text: a }': `${at}.maintenance: stands alone: it is an answer of its own`,
        '{ headers: { X_Request_Id: a } }': `${at}.headers.X_Request_Id: "X_Request_Id" is the gateway's own`,
        '{ headers: { x-gateway-identity: a } }': `${at}.headers.x-gateway-identity: "x-gateway-identity" is the gateway's own`,
        '{ headers: { Access-Control-Allow-Origin: "*" } }': `${at}.headers.Access-Control-Allow-Origin: "Access-Control-Allow-Origin" is the gateway's own`,
        '{ body: a }': `${at}.body: unknown key "body"; allowed: status, text, json, contentType, headers, maintenance`,
      };
      const found = await Promise.all(Object.keys(faults).map((action) => checkShop(answering(action))));
      expect(found).to.deep.equal(Object.values(faults).map((fault) => [fault]));
    });
  });

  it('answers in a started gateway only whom the endpoint admits, and counts them', async () => {
    const endpoint = ['paths: "/shop/*"', 'scopes: [read:data]'];
    const shop = await startShopGateway({ ...answering('{ json: { open: false } }'), endpoint });
    try {
      const key = await shop.organization('org_a');
      for (const headers of [{}, { 'x-gateway-identity': 'forged' }, { 'x-consumer-id': 'org_a' }] as Record<
        string,
        string
      >[])
        expectError(await shop.call('GET', '/shop/a', { headers }), 401, 'AUTH_REQUIRED', shop.clock.now());
      const first = await shop.call('GET', '/shop/a', { key });
      expect([first.status, first.body]).to.deep.equal([200, { open: false }]);
      const second = await shop.call('POST', '/shop/b', { key, body: { a: 1 } });
      const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));
      expect([second.status, remaining(second)]).to.deep.equal([200, remaining(first) - 1]);
      expect(shop.seen).to.deep.equal([]);
    } finally {
      await shop.close();
    }
  });
});
