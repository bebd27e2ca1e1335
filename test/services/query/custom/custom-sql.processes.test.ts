/** The processes of custom SQL: killed when the client leaves, replaced when they die, never shared between organizations. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SandboxPool } from '../../../../services/query/custom/sandbox-pool.ts';
import { contentOf } from '../../../support/file-content.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { type StartedQueryService, startQueryService } from '../../../support/query/start-query-service.ts';

const ENDLESS =
  "SELECT count(*) FROM events a, events b, events c, events d WHERE a.path || b.path || c.path || d.path = 'x'";

/** Waits until `condition` holds; the test's own limit ends it otherwise. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isAlive(pid: number): boolean {
  return /^State:\s+[^Z]/m.test(contentOf(`/proc/${pid}/status`));
}

describe('the processes of custom SQL', () => {
  let service: StartedQueryService;
  beforeEach(async () => {
    const log = Array.from({ length: 3_000 }, (_, i) =>
      eventRecord({ at: '2025-01-01T00:00:00Z', path: `/${i}` }),
    );
    service = await startQueryService({ log, now: Date.UTC(2025, 1, 1) });
  });
  afterEach(() => service.close());

  const count = async (as = 'global', website = 'web_a') =>
    service.call(`/v1/query/custom?website_id=${website}`, {
      method: 'POST',
      body: { sql: 'SELECT count(*) AS n FROM events' },
      as,
    });

  it('are not there before the first query, and stay warm after it', async () => {
    expect(service.customSql.processIds()).to.deep.equal([]);
    await count();
    expect(service.customSql.processIds()).to.have.length(2);
  });

  it('serve one organization each', async () => {
    await count();
    const before = service.customSql.processIds();
    expect((await count('other-organization', 'web_c')).body.data).to.deep.equal([{ n: 0 }]);
    // The one that was used is gone; the spare one serves now, and another is spare.
    const [used = 0, spare = 0] = before;
    await until(() => !service.customSql.processIds().includes(used));
    expect(service.customSql.processIds()).to.include(spare);
  });

  it('are killed when the client leaves, and the next query is answered', async function () {
    if (process.platform !== 'linux') this.skip();
    await count();
    const before = service.customSql.processIds();
    const leaving = new AbortController();
    const options = { method: 'POST', body: { sql: ENDLESS }, signal: leaving.signal };
    const left = service.call('/v1/query/custom?website_id=web_a', options).catch(() => null);
    const [used = 0] = before;
    const cpu = () => Number(readFileSync(`/proc/${used}/stat`, 'latin1').split(' ')[13]);
    const cpuBefore = cpu();
    await until(() => cpu() > cpuBefore + 5);
    leaving.abort();
    await left;
    await until(() => !isAlive(used));
    expect((await count()).body.data).to.deep.equal([{ n: 3_000 }]);
  });

  it('harm nobody when they die: the query is told, the next one gets another', async function () {
    if (process.platform !== 'linux') this.skip();
    await count();
    const [used = 0] = service.customSql.processIds();
    const cpu = () => Number(readFileSync(`/proc/${used}/stat`, 'latin1').split(' ')[13]);
    const cpuBefore = cpu();
    const running = service.custom({ sql: ENDLESS });
    await until(() => cpu() > cpuBefore + 5);
    process.kill(used, 'SIGKILL');
    expect((await running).body.code).to.equal('QUERY_ERROR');
    expect((await count()).body.data).to.deep.equal([{ n: 3_000 }]);
  });

  it('give way to others, with all their threads, once their query is long, and are not used again', async function () {
    if (process.platform !== 'linux') this.skip();
    await count();
    const [used = 0] = service.customSql.processIds();
    const priorities = () => readdirSync(`/proc/${used}/task`).map((thread) => getPriority(Number(thread)));
    expect(new Set(priorities())).to.deep.equal(new Set([getPriority()]));
    const leaving = new AbortController();
    const options = { method: 'POST', body: { sql: ENDLESS }, signal: leaving.signal };
    const left = service.call('/v1/query/custom?website_id=web_a', options).catch(() => null);
    await until(() => priorities().every((priority) => priority === 15));
    leaving.abort();
    await left;
    await until(() => !isAlive(used));
    expect((await count()).body.data).to.deep.equal([{ n: 3_000 }]);
  });

  it('stand back as far as the queries of their organization, and serve it no further once it asks little', async function () {
    if (process.platform !== 'linux') this.skip();
    const pool = new SandboxPool({ memoryMb: 512, threads: 1 });
    const { signal } = new AbortController();
    const serve = async (standsBack: 'busy' | 'heavy' | null) => {
      const sandbox = pool.take('org_a', standsBack);
      await sandbox.started(signal);
      const priority = getPriority(sandbox.pid ?? -1);
      await pool.give(sandbox, 'org_a');
      return { pid: sandbox.pid, priority };
    };
    try {
      const own = getPriority();
      const light = await serve(null);
      const busy = await serve('busy');
      const heavy = await serve('heavy');
      expect([light.priority, busy.priority, heavy.priority]).to.deep.equal([own, 5, 15]);
      expect([busy.pid, heavy.pid === busy.pid]).to.deep.equal([light.pid, false]);
      const again = await serve(null);
      expect([again.priority, again.pid === busy.pid]).to.deep.equal([own, false]);
    } finally {
      await pool.close();
    }
  });

  it('have an empty environment, and leave no copy of rows behind', async function () {
    if (process.platform !== 'linux') this.skip();
    await count();
    for (const pid of service.customSql.processIds()) {
      const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
        .split('\0')
        .map((entry) => entry.split('=')[0] ?? '');
      // What the channel to the service, the shell itself and a measurement of coverage need.
      const own = names.filter(
        (name) => name !== '' && !/^(?:NODE_CHANNEL_|NODE_V8_COVERAGE$|PWD$|OLDPWD$|SHLVL$|_$)/.test(name),
      );
      expect(own).to.deep.equal([]);
    }
    expect(readdirSync(join(service.directory, 'events.duckdb.exports'))).to.deep.equal([]);
  });

  it('are gone once the service is closed', async function () {
    if (process.platform !== 'linux') this.skip();
    await count();
    const pids = service.customSql.processIds();
    await service.customSql.close();
    await until(() => pids.every((pid) => !isAlive(pid)));
  });
});
