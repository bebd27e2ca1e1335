/** Endpoints that only express can serve (a host, a pathRegex, a policy of a third party), beside those of the dispatch table. */

import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { loadConfiguration } from '../../../../gateway/configuration/load-configuration.ts';
import { createGateway, type Gateway } from '../../../../gateway/serve/create-gateway.ts';
import { createPasswordHasher } from '../../../../services/shared/credentials/password-hasher.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { MemoryCounterStore } from '../../../../services/shared/storage/memory/memory-counter-store.ts';
import { expectCommonHeaders } from '../../../support/answers.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { rawRequest } from '../../../support/raw-request.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

const PLUGINS = ['auth', 'scopes', 'rate-limit', 'openapi', 'errors'];

const SYSTEM = `
plugins:
${PLUGINS.map((name) => `  ${name}: { package: "${PACKAGE_ROOT}/dist/plugins/${name}/manifest.js" }`).join('\n')}
  stamp: { package: "${PACKAGE_ROOT}/dist/test/gateway/configuration/plugins/stamp.js" }
  answering: { package: "${PACKAGE_ROOT}/dist/test/gateway/configuration/plugins/answering.js" }
db:
  redis: { emulate: false, lazyConnect: true, namespace: EG }
`;

const GATEWAY = `
apiEndpoints:
  by-host:
    host: secret.example.com
    paths: /*
    scopes: [read:data]
  by-regex:
    pathRegex: ^/exports-[0-9]+$
    scopes: [read:data]
  special:
    paths: /reports/special
    scopes: [read:data]
  foreign:
    paths: /foreign
    methods: GET
    access: public
  reports:
    paths: /reports/*
    access: public
  unmatched:
    paths: /*
    access: optional
serviceEndpoints: {}
policies: [auth, scopes, rate-limit, openapi, not-found, stamp, answering]
pipelines:
  guarded:
    apiEndpoints: [by-host, by-regex, special]
    policies:
      - auth:
      - stamp: { action: { header: X-Stamp }, condition: { name: always } }
      - scopes:
      - rate-limit:
      - openapi:
  open:
    apiEndpoints: [reports]
    policies:
      - auth:
      - rate-limit:
      - openapi:
  foreign:
    apiEndpoints: [foreign]
    policies:
      - auth:
      - answering:
      - rate-limit:
      - openapi:
  unmatched:
    apiEndpoints: [unmatched]
    policies:
      - auth:
      - rate-limit:
      - not-found:
`;

describe('endpoints on express', () => {
  let directory = '';
  let gateway: Gateway;
  let origin = '';
  const clock = createTestClock(Date.now());

  before(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-express-'));
    cpSync(path.join(PACKAGE_ROOT, 'config/models'), path.join(directory, 'models'), { recursive: true });
    cpSync(path.join(PACKAGE_ROOT, 'config/plans.yml'), path.join(directory, 'plans.yml'));
    writeFileSync(path.join(directory, 'system.config.yml'), SYSTEM);
    writeFileSync(path.join(directory, 'gateway.config.yml'), GATEWAY);
    gateway = await start(directory, clock);
    const { port } = await gateway.listen(0, '127.0.0.1');
    origin = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    await gateway?.close(1_000);
    rmSync(directory, { recursive: true, force: true });
  });

  /** The status of a request without a credential. */
  async function statusOf(target: string, host = 'any.example.com'): Promise<string> {
    const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { statusLine, headers } = await rawRequest(origin, request);
    expect(headers.get('x-ratelimit-limit')).to.equal('100');
    expect(headers.get('content-type')).to.match(/^application\/json/);
    return statusLine.split(' ')[1] ?? '';
  }

  it('keep their rule where a public endpoint of the table has their path too', async () => {
    expect(await statusOf('/reports/other')).to.equal('200');
    expect(await statusOf('/reports/special')).to.equal('401');
    expect(await statusOf('/REPORTS/special')).to.equal('401');
  });

  it('answer with the common headers, whoever answers', async () => {
    const response = await fetch(`${origin}/foreign`);
    expect(response.status).to.equal(418);
    expectCommonHeaders(response.headers, clock.now());
  });

  it('show every parameter, as the services behind the gateway read them', async () => {
    const response = await fetch(`${origin}/foreign?${'a&'.repeat(2_000)}b[c]=1&d=2&d=3`);
    const { query } = (await response.json()) as { query: Record<string, unknown> };
    expect(query)
      .to.include({ 'b[c]': '1' })
      .and.to.deep.include({ d: ['2', '3'] });
  });

  it('show no identity that a client made up', async () => {
    const lines = ['x-gateway-identity', 'X_Gateway_Identity', 'x-consumer-id']
      .map((name) => `${name}: forged\r\n`)
      .join('');
    const request = `GET /foreign HTTP/1.1\r\nHost: any.example.com\r\n${lines}x-own: kept\r\nConnection: close\r\n\r\n`;
    const { body } = await rawRequest(origin, request);
    expect(body).to.contain('kept').and.not.contain('forged');
  });

  it('answer a wrong method with 405 and what is allowed, where no endpoint of a host might answer it', async () => {
    const byHost = / {2}by-host:\n {4}host: [^\n]*\n {4}paths: [^\n]*\n {4}scopes: [^\n]*\n/;
    expect(GATEWAY).to.match(byHost);
    writeFileSync(
      path.join(directory, 'gateway.config.yml'),
      GATEWAY.replace(byHost, '').replace('[by-host, ', '['),
    );
    const other = await start(directory, clock);
    try {
      const { port } = await other.listen(0, '127.0.0.1');
      const response = await fetch(`http://127.0.0.1:${port}/foreign`, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      expect((await response.json()) as object).to.include({ code: 'METHOD_NOT_ALLOWED' });
    } finally {
      await other.close(1_000);
    }
  });

  it('keep their rule on their host', async () => {
    expect(await statusOf('/reports/other', 'secret.example.com')).to.equal('401');
    expect(await statusOf('/nothing', 'secret.example.com')).to.equal('401');
    expect(await statusOf('/nothing')).to.equal('404');
  });

  it('keep their rule where their regular expression matches', async () => {
    expect(await statusOf('/exports-1')).to.equal('401');
    expect(await statusOf('/exports-a')).to.equal('404');
  });
});

async function start(directory: string, clock: TestClock): Promise<Gateway> {
  const log = createLogWatch();
  const gateway = await createGateway({
    configuration: await loadConfiguration(directory, {}),
    documents: createMemoryDocumentStore(clock),
    counters: new MemoryCounterStore(clock),
    metrics: new PrometheusMetrics(),
    bus: new MemoryBus(),
    ids: createIds(),
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: { serviceDomain: 'localhost', originPorts: [] },
    cookieKey: randomBytes(32),
    identity: { token: () => 'none', backendToken: () => 'none', publicKeys: { keys: [] } },
    clock,
    logger: log.logger,
    openApiText: () => '{"opened":true}',
    trustedProxies: [],
  });
  return {
    ...gateway,
    async close(graceMs) {
      await gateway.close(graceMs);
      log.assertClean();
    },
  };
}
