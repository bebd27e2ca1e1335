/** The cache policy in the configuration: where it may stand, and what is said of it. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { checkShop, type ShopOptions } from '../../support/start-shop-gateway.ts';

const behind = (action: string, more: Partial<ShopOptions> = {}): ShopOptions => ({
  steps: [],
  late: [`- cache: [{ action: ${action} }]`],
  plugins: ['cache'],
  ...more,
});

describe('the cache policy', () => {
  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[4].cache[0].action';

    it('is explained for a path', async () => {
      const checked = await checkShop(behind('{ seconds: 60, staleSeconds: 30 }'));
      if (Array.isArray(checked)) throw new Error(checked.join('\n'));
      expect(explainRequest(checked, 'GET', '/shop/a').policies.map((one) => one.does)).to.include(
        'keeps answers to GET for 60 s where they say nothing else, then 30 s more while it asks anew, for callers of an organization with the same rights',
      );
    });

    it('is refused with values that are none, and at every place but the last before proxy', async () => {
      const first = async (options: ShopOptions) => ((await checkShop(options)) as string[])[0];
      expect(await first(behind('{}'))).to.equal(
        `${at}.seconds: is missing; allowed: an integer from 0 to 86400`,
      );
      expect(await first(behind('{ seconds: 1, per: key }'))).to.equal(
        `${at}.per: "key" is not allowed; allowed: organization, caller`,
      );
      expect(await first(behind('{ seconds: 1, maxBytes: 65536 }'))).to.equal(
        `${at}.maxAnswerBytes: is more than maxBytes, so nothing so large could be kept`,
      );
      const step = '- cache: [{ action: { seconds: 1 } }]';
      const early = (await checkShop(behind('', { steps: [step], late: [] }))) as string[];
      expect(early.join('\n')).to.include(
        'stands before "rate-limit": its answers would go to callers unjudged',
      );
      const rewrite = '- rewrite: [{ action: { prefix: /a } }]';
      const plugins = ['cache', 'rewrite'];
      expect(
        (await first(behind('', { late: [step, rewrite], plugins })))?.replace(/^.*action: /, ''),
      ).to.equal('stands before "rewrite", which kept answers would pass by; write it last before "proxy"');
      expect(await checkShop(behind('', { late: [rewrite, step], plugins }))).to.not.be.an('array');
      const answer = '- respond: [{ action: { text: a } }]';
      const others = { answer, plugins: ['cache', 'respond'] };
      expect((await first(behind('{ seconds: 1 }', others)))?.replace(/^.*action: /, '')).to.equal(
        'keeps answers of backends, but its pipeline has no proxy',
      );
    });

    it('cannot stand before auth', async () => {
      const found = await checkShop(
        behind('', { steps: [], late: [], first: ['- cache: [{ action: { seconds: 1 } }]'] }),
      );
      expect((found as string[]).join('\n')).to.include('"cache" comes before "auth"');
    });
  });
});
