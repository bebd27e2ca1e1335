/** The documents that express-gateway reads: their values are final, whatever they look like. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { startGateway } from '../../../support/start-gateway.ts';
import { writeEdited } from '../../../support/start-limited-gateway.ts';
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

describe('what express-gateway compiled of schemas', () => {
  const folder = createTempDirectory();
  after(() => folder.remove());

  it('is that of the schema which a start has, whatever an earlier one in the process had', async () => {
    const configDir = folder.file('config');
    writeEdited(configDir, []);
    const model = join(configDir, 'models', 'users.json');
    const sound = readFileSync(model, 'utf8');
    const start = async (text: string) => {
      writeFileSync(model, text);
      await (await startGateway({ upstream: 'http://127.0.0.1:1', configDir })).close();
    };
    await start(sound);
    const broken = sound.replace('"object"', '"nonsense"');
    expect(String(await rejection(start(broken)))).to.include('schema is invalid');
    await start(sound.replace('"properties"', '"required": ["a"], "properties"'));
    await start(sound);
  });
});
