/** The processes that the bench of processes measures start on the configuration of today and answer. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { expect } from 'chai';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { type DistributedSystem, startDistributed } from '../support/distributed/start-distributed.ts';
import { requireMongodb } from '../support/mongodb/mongodb-server.ts';
import { requireRedis } from '../support/redis-server.ts';
import { benchCalls, WEBSITE } from './bench-calls.ts';
import { createBenchProcesses } from './bench-processes.ts';
import { startTwoQueries } from './blocked-query.ts';
import { benchProvisioning } from './ingest-target.ts';
import { requireNginx, startNginxUpstream } from './nginx-upstream.ts';
import { startWorkerGateways } from './worker-cost.ts';

describe('the processes of bench:processes', function () {
  this.timeout(240_000);
  const processes = createBenchProcesses();
  const key = createApiKeyText('bench', randomBytes);
  let nginx: string;
  let system: DistributedSystem | undefined;

  before(async function () {
    requireRedis(this);
    requireMongodb(this);
    nginx = requireNginx(this);
    system = await startDistributed({ provisioning: benchProvisioning(key, [WEBSITE]) });
  });
  after(async () => {
    await processes.stopAll();
    await system?.close();
  });

  it('are a gateway of one process and one of two workers before nginx', async () => {
    const { folder } = system as DistributedSystem;
    const upstream = await startNginxUpstream(processes, nginx, path.join(folder, 'nginx'), null);
    const gateways = await startWorkerGateways(system as DistributedSystem, upstream.url);
    for (const { origin } of Object.values(gateways)) {
      const before = await upstream.answered();
      const calls = benchCalls(origin, key);
      await calls.list();
      await calls.close();
      expect(await upstream.answered()).to.be.greaterThan(before + 1);
    }
  });

  it('are a gateway before two query processes, which takes every call of the bench', async () => {
    const { origin, pid } = await startTwoQueries(system as DistributedSystem);
    expect(pid).to.be.greaterThan(0);
    const calls = benchCalls(origin, key);
    try {
      await calls.trackAll(2, 0);
      await calls.track(0);
      await calls.list();
      await calls.summary();
    } finally {
      await calls.close();
    }
  });
});
