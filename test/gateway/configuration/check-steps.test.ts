/** Steps of a pipeline: no policy that protects can be made to depend on how a client writes its request. */
import { expect } from 'chai';
import { checkShop } from '../../support/start-shop-gateway.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  ip: '{ allow: [10.0.0.0/8] }',
  headers: '{ request: { set: { x-shop-user: { claim: user } } } }',
  rewrite: '{ prefix: /api }',
  concurrency: '{ most: 1 }',
  'request-schema': '{ schema: { type: object } }',
  cache: '{ seconds: 60 }',
  canary: '{ rules: [{ to: shop, organizations: [org_a] }] }',
};
const CONDITIONS = ['{ name: pathExact, path: /shop/admin }', '{ name: method, methods: GET }'];

describe('steps of a pipeline', () => {
  for (const [policy, action] of Object.entries(ACTIONS)) {
    it(`take no condition where they protect: ${policy}`, async () => {
      const asked = (condition: string) =>
        checkShop({
          steps: [],
          body: '- body: [{ action: { read: whole } }]',
          late: [`- ${policy}: [{ action: ${action}${condition} }]`],
          plugins: [policy],
        });
      expect(await asked('')).to.not.be.an('array');
      for (const condition of CONDITIONS)
        expect(await asked(`, condition: ${condition}`), condition).to.deep.equal([
          `gateway.config.yml pipelines.shop.policies[4].${policy}[0].condition: "${policy}" takes no condition: when it does not hold, the protection would be skipped`,
        ]);
    });
  }
});
