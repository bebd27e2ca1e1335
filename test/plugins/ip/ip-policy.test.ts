/** The ip policy: who passes by the lists, who by those of the plan, and that no client can claim another address. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { ipPolicy } from '../../../plugins/ip/ip-policy.ts';
import { createTestGatewayOver } from '../../../plugins/kit/testing/test-gateway.ts';
import { TestClock } from '../../../plugins/kit/testing.ts';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { checkShop, type ShopGateway, startShopGateway } from '../../support/start-shop-gateway.ts';

describe('the ip policy', () => {
  let address = '192.0.2.7';
  const gateway = createTestGatewayOver(new TestClock(), { addressOf: () => address });
  const passes = async (params: Record<string, unknown>, from: string, plan?: string) => {
    address = from;
    const answer = await gateway.run(ipPolicy, params, { caller: plan === undefined ? null : { plan } });
    if (!answer.passed) expect([answer.status, answer.code]).to.deep.equal([403, 'ACCESS_DENIED']);
    return answer.passed;
  };

  it('admits only what is allowed, and never what is denied', async () => {
    const params = { allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.9.0.0/16'] };
    expect(await passes(params, '10.1.2.3')).to.equal(true);
    expect(await passes(params, '::ffff:10.1.2.3')).to.equal(true);
    expect(await passes(params, '2001:db8::5')).to.equal(true);
    expect(await passes(params, '10.9.0.1')).to.equal(false);
    expect(await passes(params, '::ffff:10.9.0.1')).to.equal(false);
    expect(await passes(params, '11.0.0.1')).to.equal(false);
  });

  it('admits everybody else where there is only a list of those denied', async () => {
    expect(await passes({ deny: ['10.0.0.0/8'] }, '11.0.0.1')).to.equal(true);
    expect(await passes({ deny: ['10.0.0.0/8'] }, '10.0.0.1')).to.equal(false);
  });

  it('refuses an address that nobody can read, whichever list there is', async () => {
    for (const params of [{ allow: ['0.0.0.0/0', '::/0'] }, { deny: ['10.0.0.0/8'] }])
      expect(await passes(params, 'unknown'), JSON.stringify(params)).to.equal(false);
  });

  it('takes the lists of the plan in place of the others, for callers on it alone', async () => {
    const params = { allow: ['10.0.0.0/8'], plans: { pro: { deny: ['10.0.0.0/8'] } } };
    expect(await passes(params, '10.0.0.1', 'free')).to.equal(true);
    expect(await passes(params, '11.0.0.1', 'free')).to.equal(false);
    expect(await passes(params, '10.0.0.1', 'pro')).to.equal(false);
    expect(await passes(params, '11.0.0.1', 'pro')).to.equal(true);
    expect(await passes(params, '11.0.0.1')).to.equal(false);
    expect(await passes({ plans: { pro: { allow: ['10.0.0.0/8'] } } }, '11.0.0.1', 'free')).to.equal(true);
  });

  describe('in the configuration', () => {
    const step = (action: string) => ({ steps: [`- ip: [{ action: ${action} }]`], plugins: ['ip'] });
    const at = 'gateway.config.yml pipelines.shop.policies[1].ip[0].action';

    it('is explained for a path', async () => {
      const checked = await checkShop(
        step('{ allow: [10.0.0.0/8], plans: { free: { deny: [10.9.0.0/16] } } }'),
      );
      if (Array.isArray(checked)) throw new Error(checked.join('\n'));
      const { policies } = explainRequest(checked, 'GET', '/shop/items');
      expect(policies.find(({ policy }) => policy === 'ip')?.does).to.equal(
        'only 10.0.0.0/8 pass; on the plan free every address passes, but never 10.9.0.0/16',
      );
    });

    it('is refused where it says nothing, or names what is none', async () => {
      const faults: Record<string, string> = {
        '{}': `${at}: needs allow or deny, or plans`,
        '{ plans: { free: {} } }': `${at}.plans.free: needs allow or deny`,
        '{ allow: [] }': `${at}.allow: [] is not allowed; allowed: a list, each item text`,
        '{ allow: [10.0.0.1/8] }': `${at}.allow[0]: "10.0.0.1/8" has bits beyond its prefix; write 10.0.0.0/8`,
        '{ deny: [office] }': `${at}.deny[0]: "office" is neither an address nor a network, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32`,
        '{ allow: ["::1"], denied: [] }': `${at}.denied: unknown key "denied"; allowed: allow, deny, plans`,
        '{ plans: { fre: { deny: ["::1"] } } }': `${at}.plans.fre: no price plan is named "fre"; allowed: free, hobby, pro, scale; did you mean "free"?`,
      };
      for (const [action, fault] of Object.entries(faults))
        expect(await checkShop(step(action)), action).to.deep.equal([fault]);
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    before(async () => {
      shop = await startShopGateway({
        steps: [
          '- ip: [{ action: { allow: [198.51.100.0/24], plans: { pro: { allow: [203.0.113.0/24] } } } }]',
        ],
        plugins: ['ip'],
      });
    });
    beforeEach(() => {
      shop.seen.length = 0;
    });
    after(() => shop.close());

    it('lets through who is in the list, and nobody else', async () => {
      const now = () => shop.clock.now();
      expectSuccess(await shop.call('GET', '/shop/a', { address: '198.51.100.9' }), 200, now());
      const refused = await shop.call('GET', '/shop/a', { address: '198.51.101.9' });
      expectError(refused, 403, 'ACCESS_DENIED', now());
      expect(shop.seen).to.have.length(1);
    });

    it('goes by the plan of the organization that the key belongs to', async () => {
      const pro = await shop.organization('org_pro', 'pro');
      const free = await shop.organization('org_free');
      const status = async (key: string, address: string) =>
        (await shop.call('GET', '/shop/a', { key, address })).status;
      expect(await status(pro, '203.0.113.4')).to.equal(200);
      expect(await status(pro, '198.51.100.9')).to.equal(403);
      expect(await status(free, '203.0.113.4')).to.equal(403);
      expect(await status(free, '198.51.100.9')).to.equal(200);
    });

    it('counts what it refuses', async () => {
      const ask = () => shop.call('GET', '/shop/a', { address: '192.0.2.44' });
      const remaining = async () => Number((await ask()).headers.get('x-ratelimit-remaining'));
      const before = await remaining();
      expect(await remaining()).to.equal(before - 1);
    });

    it('believes no header but that of a trusted proxy, and of that the last hop alone', async () => {
      const forged = [
        'X-Forwarded-For: 198.51.100.9, 192.0.2.1',
        'X-Forwarded-For: 198.51.100.9\r\nX-Forwarded-For: 192.0.2.1',
        'X-Real-IP: 198.51.100.9\r\nX-Forwarded-For: 192.0.2.1',
        'True-Client-IP: 198.51.100.9\r\nX-Forwarded-For: 192.0.2.1',
        'Forwarded: for=198.51.100.9\r\nX-Forwarded-For: 192.0.2.1',
        'X_Forwarded_For: 198.51.100.9\r\nX-Forwarded-For: 192.0.2.1',
        'CF-Connecting-IP: 198.51.100.9',
        'Connection: close, X-Forwarded-For\r\nX-Client-IP: 198.51.100.9\r\nX-Forwarded-For: 192.0.2.1',
      ];
      for (const lines of forged) {
        const head = `GET /shop/a HTTP/1.1\r\nHost: x\r\n${/^connection/im.test(lines) ? '' : 'Connection: close\r\n'}${lines}\r\n\r\n`;
        const { statusLine } = await rawRequest(shop.origin, head);
        expect(statusLine, lines).to.equal('HTTP/1.1 403 ACCESS_DENIED');
      }
      expect(shop.seen).to.deep.equal([]);
    });

    it('holds on every path, method and preflight of its pipeline', async () => {
      const address = '192.0.2.50';
      for (const [method, path] of [
        ['HEAD', '/shop/a'],
        ['DELETE', '/shop/a'],
        ['POST', '/shop/a'],
        ['GET', '/shop/?a=198.51.100.9'],
        ['OPTIONS', '/shop/a'],
      ] as const)
        expect((await shop.call(method, path, { address })).status, `${method} ${path}`).to.equal(403);
      expect(shop.seen).to.deep.equal([]);
    });
  });
});
