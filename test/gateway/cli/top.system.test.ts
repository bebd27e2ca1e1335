/** `tidegate top` against a running server: it shows the load that callers made, and who was refused. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { runCli } from '../../support/run-cli.ts';
import { startTidegate, type TestServer } from '../../support/start-tidegate.ts';

const MAIN = join(PACKAGE_ROOT, 'dist/gateway/cli/main.js');

describe('tidegate top', function () {
  this.timeout(30_000);
  let server: TestServer;
  let port: number;
  before(async () => {
    port = await freePort();
    server = await startTidegate({ settings: { ADMIN_PORT: `${port}` } });
  });
  after(() => server.close());
  const top = (...args: string[]) =>
    runCli(['top', '--once', '--every', '1', ...args], { DATA_DIR: server.dataDir });

  it('shows requests by endpoint, refusals by limit, and the throttled caller within seconds', async () => {
    const key = server.keys.free;
    const shown = top('--json');
    let refused = 0;
    for (let sent = 0; sent < 60; sent++)
      if ((await server.call('GET', '/v1/websites', { key })).status === 429) refused++;
    expect(refused).to.be.above(0);
    const { code, out, error } = await shown;
    expect([code, error]).to.deep.equal([0, '']);
    const frame = JSON.parse(out).data;
    expect(frame.seconds).to.be.within(0.9, 20);
    expect(frame.requests.perSecond).to.be.above(0);
    expect(frame.process.residentMb).to.be.above(30);

    const text = (await top()).out;
    expect(text).to.match(/^throttled +key +endpoint +limit +refused +resets$/m);
    expect(text).to.match(new RegExp(`^org_free +\\S+ +\\S+ +plan, 10 s +${refused} +20\\S+Z$`, 'm'));
  });

  it('reads any process that has ADMIN_PORT, which names no callers', async () => {
    const { code, out } = await runCli(
      ['top', '--once', '--every', '1', '--url', `http://127.0.0.1:${port}`],
      {},
    );
    expect(code).to.equal(0);
    expect(out).to.match(/^requests +\d/m);
    expect(out).to.not.include('throttled');
  });

  it('goes on looking, and says so, while the process is away', async () => {
    const metrics = createServer((_, res) => res.end('tidegate_connections 7\n'));
    const away = await freePort();
    const listen = () => new Promise<void>((resolve) => metrics.listen(away, '127.0.0.1', resolve));
    await listen();
    const running = spawn(
      process.execPath,
      [MAIN, 'top', '--every', '1', '--json', '--url', `http://127.0.0.1:${away}`],
      { env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let [out, error] = ['', ''];
    running.stdout.on('data', (text: Buffer) => {
      out += text;
    });
    running.stderr.on('data', (text: Buffer) => {
      error += text;
    });
    try {
      await eventually(() => out).satisfies((text) => expect(text).to.include('"connections":7'));
      metrics.closeAllConnections();
      await new Promise((resolve) => metrics.close(resolve));
      await eventually(() => error).satisfies((text) =>
        expect(text).to.include(`http://127.0.0.1:${away}/metrics does not answer`),
      );
      const before = out.length;
      await listen();
      await eventually(() => out.length).satisfies((length) => expect(length).to.be.above(before));
    } finally {
      running.kill('SIGINT');
      metrics.closeAllConnections();
      metrics.close();
    }
    await once(running, 'exit');
  });

  it('says what is wrong with a url, an interval, and a folder without a server', async () => {
    const closed = await freePort();
    for (const [args, error] of [
      [['--url', 'nonsense'], '"nonsense" is no address'],
      [['--url', 'file:///etc'], 'is no address'],
      [['--url', `http://127.0.0.1:${closed}`], `http://127.0.0.1:${closed}/metrics does not answer: `],
      [['--url', server.origin], '/metrics answered 404'],
      [['--every', '0'], 'a whole number of seconds, 1 to 3600'],
    ] as const) {
      const outcome = await runCli(['top', '--once', ...args], { DATA_DIR: server.dataDir });
      expect([outcome.code, outcome.out]).to.deep.equal([outcome.code === 0 ? -1 : outcome.code, '']);
      expect(outcome.error).to.include(error);
    }
    const none = await runCli(['top', '--once'], { DATA_DIR: `${server.dataDir}/none` });
    expect(none.error).to.include('neither a server nor a gateway runs in DATA_DIR');
  });
});
