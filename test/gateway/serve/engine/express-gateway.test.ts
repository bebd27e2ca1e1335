/** The documents that express-gateway reads: their values are final, whatever they look like. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { startShopGateway } from '../../../support/start-shop-gateway.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';

const VARIABLES = {
  TEST_EG_SECRET: 'not-for-backends',
  TEST_EG_HOLDS: `holds \${TEST_EG_SECRET}`,
  TEST_EG_QUOTES: 'a","x-injected":"yes',
};

describe('a pipeline that express-gateway runs', () => {
  const folder = createTempDirectory();
  before(() => Object.assign(process.env, VARIABLES));
  after(() => {
    for (const name of Object.keys(VARIABLES)) delete process.env[name];
    folder.remove();
  });

  it('gets no value in which a variable is replaced a second time', async () => {
    const secret = folder.file('secret');
    writeFileSync(secret, `pa\${TEST_EG_SECRET}ss\${TEST_EG_UNSET:-more}\n`);
    const set = [
      `x-literal: "$\${TEST_EG_SECRET}"`,
      `x-literal-quotes: "$\${TEST_EG_QUOTES}"`,
      `x-holds: "\${TEST_EG_HOLDS}"`,
      `x-quotes: "\${TEST_EG_QUOTES}"`,
      `x-secret: "\${file:${secret}}"`,
      'x-money: "5$ $$ $1"',
    ].join(', ');
    const gateway = await startShopGateway({
      steps: [],
      late: [`- headers: [{ action: { request: { set: { ${set} } } } }]`],
      plugins: ['headers'],
      endpoint: ['paths: "/shop/*"', 'access: optional', 'host: "127.0.0.1"'],
    });
    try {
      expect((await fetch(`${gateway.origin}/shop/a`)).status).to.equal(200);
      const headers = gateway.seen[0]?.headers;
      expect(headers).to.include({
        'x-literal': `\${TEST_EG_SECRET}`,
        'x-literal-quotes': `\${TEST_EG_QUOTES}`,
        'x-holds': VARIABLES.TEST_EG_HOLDS,
        'x-quotes': VARIABLES.TEST_EG_QUOTES,
        'x-secret': `pa\${TEST_EG_SECRET}ss\${TEST_EG_UNSET:-more}`,
        'x-money': '5$ $$ $1',
      });
      expect(headers).to.not.have.property('x-injected');
    } finally {
      await gateway.close();
    }
  });
});
