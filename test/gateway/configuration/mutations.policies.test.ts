/** No slip in a pipeline with policies for backends passes the check and lets in whom the rule refused, or loses another policy. */
import { join } from 'node:path';
import { expect } from 'chai';
import { admittedBeyond } from '../../../gateway/configuration/warn-of-looser-rules.ts';
import { readForSlips, type Slip, type SlippedConfiguration } from '../../support/slips.ts';
import { jwtShop, jwtStep } from '../../support/start-jwt-gateway.ts';
import { writeEdited } from '../../support/start-limited-gateway.ts';
import { type ShopOptions, shopEdits } from '../../support/start-shop-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const SHOPS: Readonly<Record<string, ShopOptions>> = {
  'ip, headers, rewrite, concurrency, request-schema, canary and cache': {
    endpoint: ['paths: "/shop/*"', 'methods: [GET, POST]', 'scopes: [read:data]'],
    steps: ['- ip: [{ action: { allow: [203.0.113.0/24], plans: { pro: { deny: [203.0.113.7] } } } }]'],
    body: '- body: [{ action: { read: whole } }]',
    late: [
      '- request-schema: [{ action: { schema: { type: object, required: [sku], properties: { sku: { type: string } } } } }]',
      '- headers: [{ action: { request: { set: { x-org: { claim: organization } } } } }]',
      '- rewrite: [{ action: { prefix: /api } }]',
      '- concurrency: [{ action: { most: 5 } }]',
      '- canary: [{ action: { weights: { next: 10 }, rules: [{ to: next, organizations: [org_a] }] } }]',
      '- cache: [{ action: { seconds: 60, staleSeconds: 30 } }]',
    ],
    plugins: ['ip', 'headers', 'rewrite', 'concurrency', 'request-schema', 'canary', 'cache'],
    services: { next: '{ url: "http://next.test", identity: { audience: next } }' },
  },
  jwt: jwtShop(jwtStep('https://login.example.com/keys')),
};

describe('a slip in a pipeline', () => {
  for (const [policies, shop] of Object.entries(SHOPS)) {
    describe(`with ${policies}`, () => {
      let folder: TempDirectory;
      let configuration: SlippedConfiguration;
      before(async () => {
        folder = createTempDirectory();
        const directory = join(folder.path, 'config');
        writeEdited(directory, shopEdits(shop, 'http://shop.test:8080'));
        configuration = await readForSlips(directory);
      });
      after(() => folder.remove());

      const endpointOf = ({ endpoints }: SlippedConfiguration['valid']) =>
        endpoints.find(({ name }) => name === 'shop');
      const policiesOf = ({ pipelines }: SlippedConfiguration['valid']) =>
        pipelines.find(({ name }) => name === 'shop')?.steps.map(({ policy }) => policy) ?? [];
      /** The policy whose own step, or whole place in the pipeline, the slip changes; it may go. */
      const touched = ({ steps }: Slip): string | undefined =>
        steps[0] === 'pipelines' ? policiesOf(configuration.valid)[Number(steps[3])] : undefined;

      it('is refused, or admits nobody more and leaves every other policy in place', () => {
        const { valid } = configuration;
        const rule = endpointOf(valid) ?? expect.fail('there is no shop');
        let refused = 0;
        let passed = 0;
        const places = [
          ['apiEndpoints', 'shop'],
          ['pipelines', 'shop'],
          ...Object.keys(shop.services ?? {}).map((name) => ['serviceEndpoints', name]),
        ];
        for (const slip of places.flatMap((place) => configuration.slips(...place))) {
          const told = `${slip.steps.join('.')} ${slip.name}`;
          const checked = configuration.check(slip);
          if (checked === null) {
            refused++;
            continue;
          }
          passed++;
          const found = endpointOf(checked) ?? expect.fail(told);
          expect(admittedBeyond(found, rule), told).to.deep.equal([]);
          const own = touched(slip);
          expect(
            policiesOf(checked).filter((policy) => policy !== own),
            told,
          ).to.deep.equal(policiesOf(valid).filter((policy) => policy !== own));
        }
        expect(refused, `${passed} passed`).to.be.greaterThan(passed);
      }).timeout(600_000);
    });
  }
});
