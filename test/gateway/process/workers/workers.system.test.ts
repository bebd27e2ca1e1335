/** Several gateway workers on one port: what an operator and a client rely on while they end and are replaced. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '../../../support/free-port.ts';
import { FailedStart, type ServerProcess, startProcess } from '../../../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../../../support/redis-server.ts';
import { KEYS, PROVISIONING } from '../../../support/test-organizations.ts';
import { until } from '../../../support/until.ts';

const WORKERS = 2;
/** A balancer asks every 2 s and waits 1 s for the answer: until then it may send requests to a gateway that leaves. */
const LEARNED_MS = 3_000;

describe('GATEWAY_WORKERS', () => {
  let folder: string;
  let redis: TestRedis;
  let embedded: ServerProcess;
  let environment: Record<string, string>;
  let gateway: ServerProcess;
  let metricsPort: number;

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
    folder = mkdtempSync(join(tmpdir(), 'tidegate-workers-'));
    writeFileSync(join(folder, 'provision.yml'), PROVISIONING);
    const [query, tracking, resources, admin] = await Promise.all(Array.from({ length: 4 }, freePort));
    metricsPort = admin ?? 0;
    environment = {
      DATA_DIR: join(folder, 'data'),
      REDIS_URL: redis.url,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
    embedded = await startProcess('main', { ...environment, PROVISION_FILE: join(folder, 'provision.yml') });
    environment.GATEWAY_WORKERS = `${WORKERS}`;
    gateway = await startProcess('main-gateway', { ...environment, ADMIN_PORT: `${metricsPort}` });
  });
  after(async () => {
    await gateway?.end('SIGKILL');
    await embedded?.end('SIGKILL');
    await redis?.kill();
    rmSync(folder ?? '', { recursive: true, force: true });
  });

  /** Identifiers of the worker processes. */
  function workers(): number[] {
    return childrenOf(gateway);
  }

  async function ask(key = KEYS.all): Promise<number> {
    const response = await fetch(`${gateway.origin}/v1/query/websites`, { headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    return response.status;
  }

  /** Asks without pause until told to stop; every status that is not 200, and every fault, of what was asked before `endMs`. */
  function askOn(): { stop(endMs?: number): Promise<unknown[]> } {
    let isOn = true;
    const failed: { askedMs: number; status: unknown }[] = [];
    const loops = Array.from({ length: 4 }, async () => {
      while (isOn) {
        const askedMs = performance.now();
        const status = await ask().catch((fault: unknown) => fault);
        if (status === 200) continue;
        failed.push({ askedMs, status: status instanceof Error ? (status.cause ?? status) : status });
        // Nobody answers any more: asked without pause, that would take the processor.
        await delay(20);
      }
    });
    return {
      async stop(endMs = Number.POSITIVE_INFINITY) {
        isOn = false;
        await Promise.all(loops);
        return failed.filter(({ askedMs }) => askedMs < endMs).map(({ status }) => status);
      },
    };
  }
  /** Every worker of before has a successor. */
  async function allAreOthers(before: readonly number[]): Promise<void> {
    await until('all of them are others', () => {
      const now = workers();
      return now.length === WORKERS && now.every((pid) => !before.includes(pid));
    });
  }

  it('answers on one port with as many processes', async () => {
    expect(workers()).to.have.length(WORKERS);
    expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).to.deep.equal(Array(20).fill(200));
  });

  it('shows on one port what all of them measured', async () => {
    const asked = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const line = /^tidegate_request_duration_seconds_count\{[^}]*endpoint="query-websites"[^}]*\} (\d+)$/gm;
      return [...text.matchAll(line)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await asked();
    // Connections of their own, so that both workers have some.
    const calls = Array.from({ length: 30 }, () =>
      fetch(`${gateway.origin}/v1/query/websites`, {
        headers: { 'x-api-key': KEYS.all, connection: 'close' },
      }).then((response) => response.arrayBuffer()),
    );
    await Promise.all(calls);
    await until('every request is counted', async () => (await asked()) === before + 30);
  });

  it('replaces a worker that is killed', async () => {
    const [first] = workers();
    process.kill(first ?? 0, 'SIGKILL');
    await until('the worker is gone', () => !workers().includes(first ?? 0));
    await until('another one took its place', () =>
      gateway.output().includes('a new worker replaced one that ended'),
    );
    expect(workers()).to.have.length(WORKERS);
    await until('it answers', async () => (await ask().catch(() => 0)) === 200);
    expect(gateway.output()).to.contain('a worker ended and is replaced');
  });

  it('replaces them one by one at SIGUSR2, and no request fails', async () => {
    const before = workers();
    expect(before).to.have.length(WORKERS);
    const asking = askOn();
    gateway.child.kill('SIGUSR2');
    await allAreOthers(before);
    expect(await asking.stop()).to.deep.equal([]);
  });

  it('has as many as before when one dies while its successor starts', async () => {
    const before = workers();
    gateway.child.kill('SIGUSR2');
    await until('a successor starts', () => workers().length > WORKERS);
    // The next to be replaced is the one that listens longest.
    const [next] = workers().filter((pid) => before.includes(pid));
    if (next !== undefined && isThere(next)) process.kill(next, 'SIGKILL');
    await until('all of them are others', () => {
      const now = workers();
      return now.length >= WORKERS && now.every((pid) => !before.includes(pid));
    });
    // Longer than until a worker that ended by itself is replaced and listens.
    await delay(3_000);
    await until('there are as many as before', () => workers().length === WORKERS);
  });

  it('keeps the workers that get SIGUSR2 too, as those of a service manager do that signals all processes', async () => {
    const before = workers();
    const asking = askOn();
    for (const pid of before) process.kill(pid, 'SIGUSR2');
    process.kill(gateway.child.pid ?? 0, 'SIGHUP');
    await delay(1_000);
    expect(workers()).to.have.members(before);
    expect(await asking.stop()).to.deep.equal([]);
  });

  it('replaces and ends a worker that is frozen too, which hears no SIGTERM', async () => {
    const other = await startProcess('main-gateway', environment);
    const before = workers();
    const [inOther, here] = [childrenOf(other)[0] ?? 0, before[0] ?? 0];
    process.kill(inOther, 'SIGSTOP');
    process.kill(here, 'SIGSTOP');
    const code = other.end('SIGTERM');
    gateway.child.kill('SIGUSR2');
    const left = () => [inOther, here].filter(isThere);
    await until('both are gone', () => left().length === 0);
    expect(await code).to.equal(0);
    await allAreOthers(before);
    expect(await ask()).to.equal(200);
  });

  it('ends in order at SIGTERM in the middle of a restart, with no fault in its log and no process left', async () => {
    const other = await startProcess('main-gateway', environment);
    other.child.kill('SIGUSR2');
    await until('a new one starts', () => childrenOf(other).length > WORKERS);
    const all = childrenOf(other);
    expect(await other.end('SIGTERM')).to.equal(0);
    expect(other.output()).to.not.match(/"level":[56]0/);
    expect(all.filter(isThere)).to.deep.equal([]);
  });

  it('says why it cannot start, once, and ends with 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const fault = await startProcess('main-gateway', { ...environment, PORT: `${port}` }).catch(
      (thrown: unknown) => thrown,
    );
    taken.close();
    expect(fault).to.be.instanceOf(FailedStart);
    const { code, output } = fault as FailedStart;
    expect(code).to.equal(1);
    expect(output.match(/cannot be used/g)).to.have.length(1);
  });

  it('ends all of them at SIGTERM with what is in flight, and with 0, after notice to balancers', async () => {
    const answers = Array.from({ length: 20 }, () => ask());
    await answers[0];
    const pids = workers();
    const asking = askOn();
    const sinceMs = performance.now();
    const code = gateway.end('SIGTERM');
    expect(await Promise.all(answers)).to.deep.equal(Array(20).fill(200));
    await until('every worker says that it leaves', async () => {
      const asked = Array.from({ length: 4 * WORKERS }, () => fetch(`${gateway.origin}/health/ready`));
      return (await Promise.all(asked)).every(({ status }) => status === 503);
    });
    expect(await code).to.equal(0);
    expect(await asking.stop(sinceMs + LEARNED_MS)).to.deep.equal([]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH');
  });
});

function childrenOf({ child }: ServerProcess): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', `${child.pid}`], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
