/** `tidegate check`, `routes` and `explain` by what they print and their exit code. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { DEFAULT_CUSTOM_SQL } from '../../../config/custom-sql-settings.ts';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { registerCheckCommand } from '../../../gateway/cli/check.ts';
import { registerExplainCommand } from '../../../gateway/cli/explain.ts';
import { Refusal } from '../../../gateway/cli/refusal.ts';
import { registerRoutesCommand } from '../../../gateway/cli/routes.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';

const GOOD = path.join(PACKAGE_ROOT, 'test/gateway/configuration/good');
const SHIPPED = path.join(PACKAGE_ROOT, 'config');
const testVariables = {
  PLUGIN_DIR: path.join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins'),
  TRACKING_URL: 'http://127.0.0.1:4001',
};

/** Runs a command over `configDir`; the lines that it printed. */
async function run(configDir: string, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const context = {
    configDir: () => configDir,
    surroundings: () => ({
      variables: configDir === SHIPPED ? configurationVariables(UNSTARTED_SERVICE_URLS) : testVariables,
      customSql: DEFAULT_CUSTOM_SQL,
    }),
    organizations: async () => [],
    out: (line: string) => void lines.push(...line.split('\n')),
  };
  const program = new Command().exitOverride();
  registerCheckCommand(program, context);
  registerRoutesCommand(program, context);
  registerExplainCommand(program, context);
  await program.parseAsync(args, { from: 'user' });
  return lines;
}

async function refusalOf(running: Promise<unknown>): Promise<Refusal> {
  const thrown = await running.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Refusal)) throw new Error(`not refused: ${thrown}`);
  return thrown;
}

describe('tidegate check', () => {
  let broken = '';
  before(() => {
    broken = mkdtempSync(path.join(tmpdir(), 'tidegate-check-'));
    cpSync(GOOD, broken, { recursive: true });
    writeFileSync(path.join(broken, 'plans.yml'), 'plans: {}\nlimit: {}\n');
  });
  after(() => rmSync(broken, { recursive: true, force: true }));

  const FAULTS = [
    'plans.yml:1 plans: the plan "free" is missing; new organizations get it',
    'plans.yml:1 limits: is missing; allowed: a map of public',
    'plans.yml:2 limit: unknown key "limit"; allowed: plans, plan, documents, limits, standardFields, overrides; did you mean "limits"?',
  ];

  it('says how much it found good, of the directory of the settings or the one named', async () => {
    const ok = [
      'warning: gateway.config.yml:8 apiEndpoints.links.paths: GET, POST /links/:id: the tracking service has no such route',
      'warning: gateway.config.yml:2 apiEndpoints: no endpoint leads to POST /identify, POST /events, POST /vitals, POST /errors, POST /batch, POST /, GET /px.gif, GET /tracker.js of the tracking service, so nobody can call them',
      'variable STAMP_PREFIX: not set, by default',
      `ok: 3 endpoints, 2 pipelines, 7 policies, 2 plugins, 1 service, 1 plan in ${GOOD}`,
    ];
    expect(await run(GOOD, 'check')).to.deep.equal(ok);
    expect(await run('/nowhere', 'check', GOOD)).to.deep.equal(ok);
  });

  it('tells every fault, a line each, and refuses', async () => {
    const refusal = await refusalOf(run(broken, 'check'));
    expect(refusal.message.split('\n')).to.have.members([...FAULTS, `3 faults in ${broken}`]);
    expect(refusal.details).to.deep.equal([]);
  });

  it('tells the faults in parts with --json', async () => {
    const refusal = await refusalOf(run(broken, 'check', '--json'));
    expect(refusal.code).to.equal('CONFIGURATION_ERROR');
    expect(refusal.details.map((detail) => detail.message)).to.have.members(FAULTS);
    expect(refusal.details.find((detail) => detail.field === 'limit')).to.deep.include({
      file: 'plans.yml',
      line: 2,
      suggestion: 'limits',
    });
  });

  it('tells the first three slips of a file, and how many followed from them', async () => {
    const slipped = mkdtempSync(path.join(tmpdir(), 'tidegate-check-'));
    cpSync(SHIPPED, slipped, { recursive: true });
    const file = path.join(slipped, 'gateway.config.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('apiEndpoints:', 'apiEndpoints: {'));
    const lines = (await refusalOf(run(slipped, 'check'))).message.split('\n');
    const slips = lines.filter((line) => line.startsWith('gateway.config.yml'));
    expect(slips).to.have.length(3);
    expect(slips[2]).to.match(/\(and \d+ more like it\)$/);
    rmSync(slipped, { recursive: true, force: true });
  });

  it('counts with --json', async () => {
    const [line = ''] = await run(GOOD, 'check', '--json');
    expect(JSON.parse(line)).to.deep.include({ success: true, endpoints: 3, pipelines: 2, directory: GOOD });
  });

  it('is what routes and explain ask first', async () => {
    for (const args of [['routes'], ['explain', 'GET', '/links']]) {
      const refusal = await refusalOf(run(broken, ...args));
      expect(refusal.message.split('\n')).to.include.members(FAULTS);
    }
  });
});

describe('tidegate routes', () => {
  it('lists every method and path with rule, policies, service and place', async () => {
    expect(await run(GOOD, 'routes')).to.deep.equal([
      'METHOD  PATH        ENDPOINT   RULE          PIPELINE   POLICIES                                 SERVICE  PLACE',
      'POST    /track      track      track:events  backend    auth stamp body scopes rate-limit proxy  backend  gateway.config.yml:3',
      'GET     /links      links      public        backend    auth stamp body scopes rate-limit proxy  backend  gateway.config.yml:7',
      'POST    /links      links      public        backend    auth stamp body scopes rate-limit proxy  backend  gateway.config.yml:7',
      'GET     /links/:id  links      public        backend    auth stamp body scopes rate-limit proxy  backend  gateway.config.yml:7',
      'POST    /links/:id  links      public        backend    auth stamp body scopes rate-limit proxy  backend  gateway.config.yml:7',
      '*       /*          unmatched  optional      unmatched  auth rate-limit not-found                -        gateway.config.yml:12',
    ]);
  });

  it('gives the same rows as JSON', async () => {
    const [line = ''] = await run(GOOD, 'routes', '--json');
    const { routes } = JSON.parse(line) as { routes: object[] };
    expect(routes).to.have.length(6);
    expect(routes[0]).to.deep.equal({
      method: 'POST',
      path: '/track',
      endpoint: 'track',
      rule: 'track:events',
      pipeline: 'backend',
      policies: ['auth', 'stamp', 'body', 'scopes', 'rate-limit', 'proxy'],
      service: 'backend',
      file: 'gateway.config.yml',
      line: 3,
    });
  });
});

describe('tidegate explain', () => {
  it('says which endpoint, rule, policies, limits and service a request meets', async () => {
    expect(await run(GOOD, 'explain', 'post', '/track?x=1')).to.deep.equal([
      'POST /track: answered when its rule and limits allow',
      'endpoint  track (/track)',
      'place     gateway.config.yml:3',
      'rule      track:events',
      'pipeline  backend',
      'policy    auth',
      'policy    stamp {"header":"X-Stamp"} when {"name":"method","methods":"POST"}',
      'policy    body {"maxBytes":1024,"read":"stream"}',
      'policy    scopes',
      'policy    rate-limit',
      'policy    proxy {"serviceEndpoint":"backend"}',
      'limit     valid key or session, plan free: 50 per 10 s and 300 per 60 s, per organization (fixed; without the store local; replaced by per10Seconds and perMinute)',
      'limit     neither key nor session, public: 100 per 60 s, per address, in group other (fixed; without the store local)',
      'limit     refused key, public: 100 per 60 s, per address, in group failed-credentials (fixed; without the store local)',
      'service   backend (http://127.0.0.1:4001), identity for tracking',
    ]);
  });

  it('speaks of sessions where no key is let in, and shows no address that nobody set', async () => {
    const lines = await run(SHIPPED, 'explain', 'POST', '/v1/api-keys/x/rotate');
    expect(lines).to.include('rule      session of owner or admin');
    expect(lines).to.include(
      'limit     session of owner or admin, plan free: 50 per 10 s and 300 per 60 s, per organization (fixed; without the store local; replaced by per10Seconds and perMinute)',
    );
    expect(lines.at(-1)).to.equal(
      'service   resources (at RESOURCES_URL, else within the process of the gateway), identity for resources',
    );
    const text = lines.join('\n');
    expect(text).to.not.include('valid key').and.not.include('localhost');
    const [json = ''] = await run(SHIPPED, 'explain', 'POST', '/v1/api-keys/x/rotate', '--json');
    expect(JSON.parse(json).service.urls).to.equal(null);
  });

  it('says of a wrong method who is told of it: whom the endpoints of the path ask for', async () => {
    const [scoped = '', open = ''] = [
      ...(await run(GOOD, 'explain', 'GET', '/track', '--json')),
      ...(await run(GOOD, 'explain', 'PUT', '/links', '--json')),
    ];
    expect(JSON.parse(scoped)).to.deep.include({ pipeline: 'unmatched', rule: 'any valid credential' });
    expect(JSON.parse(open)).to.deep.include({ pipeline: 'unmatched', rule: 'public' });
    expect(open).to.include('in group links');
  });

  const verdicts: [string, string, string, string][] = [
    ['GET', '/links/abc', 'links', 'answered when its rule and limits allow'],
    ['HEAD', '/links/abc', 'links', 'answered when its rule and limits allow'],
    ['DELETE', '/links/abc', 'unmatched', '405: this path answers GET, POST, HEAD'],
    ['GET', '/track', 'unmatched', '405: this path answers POST'],
    ['GET', '/nothing/here', 'unmatched', '404: no endpoint has this path'],
    ['GET', '/Links', 'unmatched', '404: no endpoint has this path'],
    ['GET', '/links/', 'unmatched', '404: no endpoint has this path'],
    [
      'GET',
      '/links/%2e%2e/track',
      'unmatched',
      '404: dot segments, encoded slashes and backslashes match no endpoint',
    ],
  ];
  for (const [method, target, endpoint, verdict] of verdicts) {
    it(`says of ${method} ${target}: ${verdict}`, async () => {
      const [line = ''] = await run(GOOD, 'explain', method, target, '--json');
      expect(JSON.parse(line)).to.deep.include({ success: true, method, path: target, endpoint, verdict });
    });
  }
});
