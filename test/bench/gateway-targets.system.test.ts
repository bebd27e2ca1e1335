/** What the gateway and links benches measure before nginx starts on the configuration of today and does its work. */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { startBareTarget } from './bare-target.ts';
import { createBenchProcesses } from './bench-processes.ts';
import { loadRequests } from './gateway-load.ts';
import { measureHalfLoad } from './half-load.ts';
import { LINK, startLinkTarget } from './link-target.ts';
import { hasNginxLua, startNginxLuaTarget } from './nginx-lua-target.ts';
import { requireNginx, startNginxUpstream, UPSTREAM_BODY, type Upstream } from './nginx-upstream.ts';
import { probeTarget } from './probe.ts';
import { METHODS } from './report.ts';
import { startTidegateTarget } from './tidegate-target.ts';

describe('what the benches measure before nginx', function () {
  this.timeout(240_000);
  const directory = createTempDirectory();
  const processes = createBenchProcesses();
  const place = { processes, root: PACKAGE_ROOT, processor: null };
  let upstream: Upstream;

  before(async function () {
    const nginx = requireNginx(this);
    upstream = await startNginxUpstream(processes, nginx, directory.file('nginx'), null);
  });
  after(async () => {
    await processes.stopAll();
    directory.remove();
  });

  // Stock express-gateway and fastify are none of this product: they come from lock files of their own, by a download.
  const started = {
    bare: startBareTarget,
    tidegate: startTidegateTarget,
    'nginx-lua': startNginxLuaTarget,
  };
  for (const [name, start] of Object.entries(started)) {
    it(`of bench:gateway ${name} passes the probe`, async function () {
      if (name === 'nginx-lua' && !hasNginxLua()) this.skip();
      mkdirSync(directory.file(name), { recursive: true });
      const apiKey = createApiKeyText('bench', randomBytes);
      const context = { ...place, apiKey, nodeArguments: [], upstreamUrl: upstream.url };
      const target = await start({ ...context, folder: directory.file(name) });
      const before = await upstream.answered();
      for (const method of METHODS) await probeTarget(target, loadRequests(apiKey)[method]);
      expect(await upstream.answered()).to.be.at.least(before + METHODS.length);
    });
  }

  it('of bench:gateway the paced client counts every request, and waits from when each was due', async () => {
    const found = await measureHalfLoad({
      ...place,
      ...{ target: 'upstream', url: upstream.url, method: 'POST', request: loadRequests('key').POST },
      ...{ perSecond: 200, seconds: 1, connections: 4 },
    });
    expect(found).to.include({ sent: 200, failures: 0 });
    expect(found.p50).to.be.above(0).and.at.most(found.p99);
  });

  /** What the first request of the links bench is answered. */
  async function follow(name: string, upstreamUrl: string | null): Promise<Response> {
    const { url } = await startLinkTarget({ ...place, folder: directory.file(name), upstreamUrl });
    return fetch(`${url}/${LINK.slug}`, { redirect: 'manual' });
  }

  it('of bench:links the gateway alone passes the request on', async () => {
    const answer = await follow('gateway', upstream.url);
    expect([answer.status, await answer.text()]).to.deep.equal([200, UPSTREAM_BODY]);
  });

  it('of bench:links the whole server redirects', async () => {
    const answer = await follow('whole', null);
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, LINK.targetUrl]);
  });
});
