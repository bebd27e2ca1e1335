/** `tidegate check --connect`: what it says of backends that are up, down, not ready, or asked at a wrong path. */
import { expect } from 'chai';
import { runProgram } from '../../../gateway/cli/create-program.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { freePort } from '../../support/free-port.ts';
import { UpstreamService } from '../../support/upstream-service.ts';

describe('tidegate check --connect', () => {
  let up: UpstreamService;
  let dead = '';
  before(async () => {
    up = await UpstreamService.start();
    dead = `http://127.0.0.1:${await freePort()}`;
  });
  after(() => up.kill());
  beforeEach(() => {
    up.isReady = true;
  });

  /** Runs it over the shipped configuration with a backend of one's own that these lines declare. */
  async function check(lines: readonly string[], ...more: string[]) {
    const folder = withForeignBackends({ orders: { service: lines } });
    let out = '';
    let error = '';
    const code = await runProgram(['check', folder.path, '--connect', ...more], {
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
    });
    folder.remove();
    return { code, folder: folder.path, out: out.trimEnd().split('\n'), error: error.trimEnd().split('\n') };
  }

  it('says what answered, and which services start with the gateway', async () => {
    const { code, out } = await check([`url: ${up.origin}`, 'healthCheck: { path: /health/ready }']);
    expect(code).to.equal(0);
    expect(out.slice(0, -1)).to.deep.equal([
      `asked orders: ${up.origin}/health/ready 200`,
      'not asked tracking: it starts with the gateway',
      'not asked query: it starts with the gateway',
      'not asked resources: it starts with the gateway',
    ]);
    expect(out.at(-1)).to.match(/^ok: .* 4 services/);
  });

  it('refuses a health path that the backend does not have, required or not', async () => {
    up.answer = (_req, res) => res.writeHead(404).end();
    for (const required of [true, false]) {
      const lines = [`url: ${up.origin}`, 'healthCheck: { path: /ready }', `required: ${required}`];
      const { code, error, folder } = await check(lines);
      expect(code).to.equal(1);
      expect(error).to.deep.equal([
        `gateway.config.yml serviceEndpoints.orders.healthCheck.path: ${up.origin}/ready answered 404; allowed: a path that answers 2xx without a credential`,
        `1 fault in ${folder}`,
      ]);
    }
  });

  it('warns of an optional backend that is down, or not ready, and refuses a required one', async () => {
    up.isReady = false;
    for (const [url, why] of [
      [dead, /is not ready: .*ECONNREFUSED/],
      [up.origin, /is not ready: .*\/health\/ready answered 503/],
    ] as const) {
      const lines = [`url: ${url}`, 'healthCheck: { path: /health/ready }'];
      const optional = await check(lines);
      expect(optional.code).to.equal(0);
      expect(optional.out[0]).to.match(/^warning: gateway\.config\.yml serviceEndpoints\.orders: /);
      expect(optional.out[0]).to.match(why);
      const required = await check([...lines, 'required: true']);
      expect(required.code).to.equal(1);
      expect(required.error[0]).to.match(why);
    }
  });

  it('tells all of it in one object with --json', async () => {
    const good = await check([`url: ${up.origin}`], '--json');
    expect(JSON.parse(good.out.join(''))).to.deep.include({
      success: true,
      asked: [{ service: 'orders', url: up.origin, path: '/health/ready', status: 200 }],
      unstarted: ['tracking', 'query', 'resources'],
      warnings: [],
    });
    const bad = await check([`url: ${dead}`, 'required: true'], '--json');
    const { details } = JSON.parse(bad.error.join('')) as { details: { field: string }[] };
    expect(details.map(({ field }) => field)).to.deep.equal(['serviceEndpoints.orders']);
  });
});
