/** What policies of third parties do to headers: it reaches the backend, without the client's credentials, and below `headers`. */
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startUpstream } from '../../support/start-gateway.ts';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';

const TOUCHING = join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins/touching.js');
const HEADERS = '- headers: [{ action: { request: { set: { x-lang: fixed, x-fixed: kept } } } }]';
const STEPS: Readonly<Record<string, readonly string[]>> = {
  touched: ['- touch:'],
  proven: ['- prove:', '- touch:'],
  fixed: [HEADERS, '- touch:'],
};

describe('headers that policies of third parties change', () => {
  let gateway: LimitedGateway;
  let shop: Awaited<ReturnType<typeof startUpstream>>;
  let key: string;

  before(async () => {
    shop = await startUpstream((req, res) => {
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify(req.headers));
    });
    const pipelines = Object.entries(STEPS).map(([name, steps]) => {
      const policies = ['- auth:', ...steps, '- body:', '- rate-limit:'].map((step) => `      ${step}\n`);
      return `  ${name}:\n    apiEndpoints: [${name}]\n    policies:\n${policies.join('')}      - proxy: [{ action: { serviceEndpoint: shop } }]\n`;
    });
    const endpoints = Object.keys(STEPS).map(
      (name) => `  ${name}: { paths: [/${name}], access: optional }\n`,
    );
    gateway = await startLimitedGateway([
      ['gateway.config.yml', 'apiEndpoints:\n', `apiEndpoints:\n${endpoints.join('')}`],
      ['gateway.config.yml', 'serviceEndpoints:\n', `serviceEndpoints:\n  shop: { url: "${shop.origin}" }\n`],
      ['gateway.config.yml', 'redirect, not-found]', 'redirect, not-found, headers, touch, prove]'],
      ['gateway.config.yml', 'pipelines:\n', `pipelines:\n${pipelines.join('')}`],
      [
        'system.config.yml',
        'plugins:\n',
        `plugins:\n  touching: { package: "${TOUCHING}" }\n  headers: { package: "\${PLUGIN_DIR}/headers/manifest.js" }\n`,
      ],
    ]);
    key = await gateway.organization('org_touched');
  });
  after(async () => {
    await gateway.close();
    await shop.close();
  });

  const headersOf = async (path: string, headers: Record<string, string>) =>
    (await gateway.call('GET', path, { headers })).body as Record<string, string>;

  it('carry no credential of the client, whatever a policy does to it', async () => {
    const cookie = 'a=b; tg_access=SECRET; tg_refresh=SECRET; track=1';
    const came: Record<string, string>[] = [
      { cookie },
      { cookie, 'x-api-key': key },
      { authorization: `Bearer ${key}` },
    ];
    for (const credentials of came) {
      const found = await headersOf('/touched', credentials);
      expect(found['x-found']).to.equal('{"raw":[]}');
      expect(JSON.stringify(found)).to.not.include('SECRET').and.not.include(key);
      expect(found).to.not.have.any.keys('cookie', 'authorization', 'x-api-key');
    }
  });

  it('carry the credentials of a policy, which the next one sees, beside none of the client', async () => {
    const came: Record<string, string>[] = [
      {},
      { cookie: 'a=b' },
      { authorization: `Bearer ${key}`, cookie: 'a=b' },
    ];
    for (const credentials of came) {
      const found = await headersOf('/proven', credentials);
      expect(found).to.include({ authorization: 'Basic b3du again', cookie: 'own=1' });
      expect(JSON.parse(found['x-found'] ?? '')).to.include({
        authorization: 'Basic b3du',
        cookie: 'own=1',
      });
    }
  });

  it('yield to what the configuration sets', async () => {
    expect(await headersOf('/fixed', { 'x-lang': 'FORGED', 'x-fixed': 'forged' })).to.include({
      'x-lang': 'fixed',
      'x-fixed': 'kept',
    });
    expect(await headersOf('/touched', { 'x-lang': 'UPPER' })).to.include({ 'x-lang': 'upper' });
  });

  it('stay in no other spelling beside the changed one', async () => {
    const lines = 'X-Shop: mine\r\nX_Shop: forged\r\n';
    const request = `GET /touched HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`;
    const { body } = await rawRequest(gateway.origin, request);
    expect(body).to.include('"x-shop":"touched"').and.not.include('forged');
  });
});
