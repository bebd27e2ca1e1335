/** Kept answers of two gateway processes are forgotten by `tidegate cache purge`: at once, and after Redis was gone, as soon as it is back. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { withForeignBackends } from '../support/foreign-backends.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { runCli } from '../support/run-cli.ts';
import { startUpstream } from '../support/start-gateway.ts';
import { newKeyText } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { until } from '../support/until.ts';

const KEY = newKeyText();
const PROVISIONING = `
organizations:
  - id: org_k
    name: K
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    apiKeys: [{ id: key_k, name: k, key: ${KEY}, scopes: [read:data], access: { level: global } }]
`;

describe('kept answers over two gateways', () => {
  let redis: TestRedis | null;
  let backend: Awaited<ReturnType<typeof startUpstream>>;
  let config: TempDirectory;
  let folder: TempDirectory;
  let gateways: ServerProcess[];
  let environment: Record<string, string>;
  /** How often the backend answered. */
  let answered: number;

  beforeEach(async () => {
    redis = null;
    gateways = [];
    answered = 0;
    backend = await startUpstream((_req, res) => res.end(`answer ${++answered}`));
    const steps = ['- cache: [{ action: { seconds: 3600 } }]'];
    config = withForeignBackends({ news: { service: [`url: ${backend.origin}`], steps } }, ['cache']);
    folder = createTempDirectory();
    writeFileSync(folder.file('provision.yml'), PROVISIONING);
  });
  afterEach(async () => {
    await Promise.all(gateways.map((each) => each.end('SIGKILL')));
    await redis?.kill();
    await backend.close();
    config.remove();
    folder.remove();
  });

  async function start(): Promise<void> {
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    environment = {
      DATA_DIR: folder.file('data'),
      CONFIG_DIR: config.path,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
      ...(redis === null ? {} : { REDIS_URL: redis.url }),
    };
    const provisioned = { ...environment, PROVISION_FILE: folder.file('provision.yml') };
    gateways.push(await startProcess('main', provisioned));
    if (redis !== null) gateways.push(await startProcess('main-gateway', environment));
  }

  /** What each gateway answers. */
  const ask = (): Promise<string[]> =>
    Promise.all(
      gateways.map(async ({ origin }) => {
        const response = await fetch(`${origin}/news`, { headers: { 'x-api-key': KEY } });
        expect(response.status).to.equal(200);
        return response.text();
      }),
    );

  async function expectKept(): Promise<string[]> {
    const first = await ask();
    expect(await ask()).to.deep.equal(first);
    return first;
  }

  async function purge(): Promise<void> {
    const { code, out, error } = await runCli(['cache', 'purge'], environment);
    expect(code, error).to.equal(0);
    expect(out).to.equal('Every process that can be told forgets its kept answers.\n');
  }

  async function expectForgotten(before: readonly string[]): Promise<void> {
    await until('every gateway to ask anew', async () =>
      (await ask()).every((text, index) => text !== before[index]),
    );
  }

  it('are forgotten by a live server', async () => {
    await start();
    const before = await expectKept();
    await purge();
    await expectForgotten(before);
  });

  it('are forgotten by both that hear of it by Redis, and by one that was cut off once it is back', async function () {
    requireRedis(this);
    redis = await startRedis();
    await start();
    const before = await expectKept();
    await purge();
    await expectForgotten(before);
    const kept = await expectKept();
    const cutOff = kept[1];
    await redis.kill();
    await purge();
    const [, stillKept] = await ask();
    expect(stillKept, 'nobody told it').to.equal(cutOff);
    await redis.start();
    await expectForgotten(kept);
  });
});
