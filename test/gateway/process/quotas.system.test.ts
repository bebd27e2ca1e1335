/** Quotas of a server that is killed with SIGKILL: what was answered stays counted, and not one request more passes. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { newKeyText } from '../../support/start-tidegate.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';

const KEY = newKeyText();
const QUOTA = 100;
const PROVISIONING = `
organizations:
  - id: org_quota
    name: Quota
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    apiKeys:
      - { id: key_quota, name: quota, key: ${KEY}, scopes: [read:data], access: { level: global } }
`;

describe('quotas of a server that is killed', function () {
  this.timeout(240_000);
  const directory = createTempDirectory();
  const settings = {
    CONFIG_DIR: directory.file('config'),
    PROVISION_FILE: directory.file('provision.yml'),
  };
  let server: ServerProcess | null = null;

  before(() => {
    cpSync(join(PACKAGE_ROOT, 'config'), settings.CONFIG_DIR, { recursive: true });
    const plans = join(settings.CONFIG_DIR, 'plans.yml');
    const text = readFileSync(plans, 'utf8');
    writeFileSync(plans, text.replace('perMinute: 300\n', `perMinute: 300\n    perMonth: ${QUOTA}\n`));
    writeFileSync(settings.PROVISION_FILE, PROVISIONING);
  });
  after(async () => {
    await server?.end('SIGKILL');
    directory.remove();
  });

  /** The status of each request; null where the server was killed before it answered. */
  function send(origin: string, count: number): Promise<(number | null)[]> {
    const ask = () =>
      fetch(`${origin}/v1/query/websites`, { headers: { 'x-api-key': KEY } }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => null,
      );
    return Promise.all(Array.from({ length: count }, ask));
  }
  const passed = (statuses: readonly (number | null)[]): number =>
    statuses.filter((status) => status === 200).length;

  it('passes exactly the quota of a month over kills, of any number of parallel requests', async () => {
    for (let attempt = 0; ; attempt++) {
      const month = new Date().getUTCMonth();
      try {
        await passesTheQuota({ ...settings, DATA_DIR: directory.file(`data-${attempt}`) });
        return;
      } catch (fault) {
        // Over the end of a month there are two quotas; the next attempt has one.
        if (new Date().getUTCMonth() === month) throw fault;
        await server?.end('SIGKILL');
      }
    }
  });

  async function passesTheQuota(settings: Record<string, string>): Promise<void> {
    server = await startProcess('main', settings);
    expect(passed(await send(server.origin, 30))).to.equal(30);
    await server.end('SIGKILL');

    server = await startProcess('main', settings);
    const { origin } = server;
    expect(passed(await send(origin, 10))).to.equal(10);
    // Killed while requests are under way: those that were counted and not answered are the only ones that are lost.
    const sending = send(origin, 20);
    await server.end('SIGKILL');
    const answered = passed(await sending);

    server = await startProcess('main', settings);
    const last = await send(server.origin, 300);
    expect(30 + 10 + answered + passed(last)).to.be.within(QUOTA - (20 - answered), QUOTA);
    expect(last.filter((status) => status === 429)).to.have.length(300 - passed(last));
    await server.end('SIGKILL');

    server = await startProcess('main', settings);
    const refused = await fetch(`${server.origin}/v1/query/websites`, { headers: { 'x-api-key': KEY } });
    const body = (await refused.json()) as { readonly limit: number; readonly reset: string };
    expect([refused.status, body.limit]).to.deep.equal([429, QUOTA]);
    expect(body.reset).to.match(/-01T00:00:00\.000Z$/);
  }
});
