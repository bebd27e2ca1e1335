/** Secrets planted wherever a client or a configuration may put one occur in nothing that the service tells of itself. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { freePort } from '../support/free-port.ts';
import { createLogWatch, type LogWatch } from '../support/log-watch.ts';
import { makeShare } from '../support/made-share.ts';
import { ownerSession } from '../support/owner-session.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';

const EMAIL = 'owner@example.com';
const PLATFORM = [
  'configuration',
  'explain?method=GET&path=/v1/flags',
  'explain?method=GET&path=/v1/flags&as=owner&organization=org_main',
  'history',
  'changes?number=1',
  'upstreams',
  'organizations',
  'traffic',
  'limits',
];

/** By where each is planted. */
const PLANTED = {
  header: 'plantedinaheader1',
  cookie: 'plantedinacookie2',
  query: 'plantedinaquery3',
  body: 'plantedinabody4',
  path: 'plantedinapath5',
  key: 'plantedinakey6',
  password: 'plantedinapassword7',
  event: 'plantedinanevent8',
  configuration: 'plantedintheconfiguration9',
  share: 'plantedinalinkofashare10'.padEnd(43, 'A'),
} as const;

/** The shipped configuration, which sends a secret of its own to the service of links and flags. */
function configurationWithSecret(): TempDirectory {
  const folder = createTempDirectory();
  cpSync(`${PACKAGE_ROOT}/config`, folder.path, { recursive: true });
  const edit = (name: string, from: string, to: string) => {
    const text = readFileSync(folder.file(name), 'utf8');
    expect(text).to.include(from);
    writeFileSync(folder.file(name), text.replace(from, to));
  };
  edit(
    'system.config.yml',
    'plugins:\n',
    'plugins:\n  headers:\n    package: $\u007BPLUGIN_DIR}/headers/manifest.js\n',
  );
  edit('gateway.config.yml', 'policies: [auth,', 'policies: [headers, auth,');
  const proxy = '      - rate-limit:\n      - proxy:\n          - action: { serviceEndpoint: resources }\n';
  const secret = `      - headers:\n          - action: { request: { set: { x-backend-key: ${PLANTED.configuration} } } }\n`;
  edit('gateway.config.yml', proxy, proxy.replace('      - proxy:\n', `${secret}      - proxy:\n`));
  return folder;
}

describe('planted secrets', function () {
  this.timeout(60_000);
  let folder: TempDirectory;
  let collector: TraceCollector;
  let server: TestServer | null = null;
  let log: LogWatch;

  before(async () => {
    folder = configurationWithSecret();
    collector = await startTraceCollector();
    log = createLogWatch();
  });
  after(async () => {
    await server?.close();
    await collector.close();
    folder.remove();
  });

  it('occur in no log, access log, trace, metric or view, nor in what is counted', async () => {
    const lines = folder.file('access.log');
    const metricsPort = await freePort();
    server = await startTidegate({
      configDir: folder.path,
      logger: log.logger,
      settings: {
        ACCESS_LOG: lines,
        ACCESS_LOG_SAMPLE: '1',
        TRACING_URL: collector.url,
        TRACING_SAMPLE: '1',
        ADMIN_PORT: `${metricsPort}`,
      },
    });
    const { call, keys } = server;
    const headers = { 'x-planted': PLANTED.header, authorization: `Basic ${PLANTED.header}` };
    const login = async (password: string) =>
      call('POST', '/v1/auth/login', {
        headers: { origin: 'http://localhost' },
        body: { email: EMAIL, password },
      });
    const asOperator = await ownerSession(server);

    await login(PLANTED.password);
    await call('GET', `/v1/links?search=${PLANTED.query}`, { key: keys.all, headers });
    await call('GET', `/v1/links/${PLANTED.path}`, { key: keys.all });
    await call('GET', `/${PLANTED.path}/nowhere`);
    const { token } = await makeShare(server);
    for (const link of [token, PLANTED.share]) {
      await call('GET', `/share/${link}`);
      await call('DELETE', `/share/${link}`);
      await call('POST', `/public/v1/shares/${link}/query`, { body: { parameters: ['top_pages'] } });
      await call('POST', `/public/v1/shares/${link}/unlock`, { body: { password: PLANTED.password } });
    }
    await call('GET', '/v1/flags', { key: `tg_${PLANTED.key}` });
    await call('GET', '/v1/flags', {
      headers: { cookie: `tg_access=${PLANTED.cookie}`, origin: 'http://localhost' },
    });
    await call('POST', '/v1/links', {
      key: keys.all,
      body: { slug: PLANTED.body, targetUrl: `nonsense ${PLANTED.body}` },
    });
    await call('POST', '/v1/links', { key: keys.all, body: `{"${PLANTED.body}` });
    await call('POST', `/v1/query?website_id=web_shop`, {
      key: keys.all,
      body: {
        parameters: ['summary'],
        preset: 'today',
        filters: [{ field: 'path', op: 'eq', value: PLANTED.body }],
      },
    });
    await call('POST', '/v1/query/custom', {
      key: keys.all,
      body: { website_id: 'web_shop', query: `select '${PLANTED.body}' as planted from events` },
    });
    await call('POST', '/track', {
      key: keys.all,
      body: { name: 'seen', websiteId: 'web_shop', properties: { secret: PLANTED.event } },
    });
    await call('POST', '/track', {
      key: keys.all,
      body: { name: '', websiteId: 'web_shop', path: PLANTED.event },
    });

    const told: Record<string, string> = {};
    for (const view of [...PLATFORM, `explain?method=GET&path=/v1/flags&as=${keys.all}`])
      told[view] = JSON.stringify((await call('GET', `/v1/platform/${view}`, asOperator)).body);
    for (const path of [
      '/v1/usage/limits',
      '/v1/usage/plans',
      '/v1/usage/requests?groupBy=key,endpoint,outcome,limit',
      '/v1/audit',
    ])
      told[path] = JSON.stringify((await call('GET', path, asOperator)).body);
    told.ingest = JSON.stringify((await call('GET', '/v1/websites/web_shop/ingest', { key: keys.all })).body);
    told.metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await server.close();
    server = null;
    told.traces = collector.bodies.join('\n');
    told['access log'] = existsSync(lines) ? readFileSync(lines, 'utf8') : '';
    told.log = log.lines.join('');

    // Each of them tells something.
    expect(told.explain ?? told['explain?method=GET&path=/v1/flags']).to.include('"policy":"headers"');
    expect(told['access log']).to.include('"endpoint":"track"');
    expect(told.traces).to.include('POST /v1/query/custom');
    expect(told.metrics).to.include('tidegate_requests_total');
    for (const [output, text] of Object.entries(told)) {
      expect(text, output).to.have.length.above(10);
      for (const [place, secret] of Object.entries(PLANTED))
        expect(text.includes(secret), `${output} holds what was planted in a ${place}`).to.equal(false);
      expect(text.includes(token), `${output} holds the token of a share`).to.equal(false);
      for (const name of ['all', 'readOnly', 'trackOnly'] as const)
        expect(text.includes(keys[name]), `${output} holds a key`).to.equal(false);
    }
  });
});
