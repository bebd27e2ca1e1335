/** What looking costs: CPU of a request through the gateway with nothing on, with metrics that are served, with the access log, and with tracing. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { listen, originOf } from '../../gateway/serve/http/listen.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { freePort } from '../support/free-port.ts';
import { cpuMicroseconds } from './process-usage.ts';
import { runBench } from './run-bench.ts';
import { type RunningTidegate, startGatewayAlone } from './tidegate-process.ts';
import { provisioning } from './tidegate-target.ts';

/** The most that the log at its default sample, and metrics, may add to the CPU of a request. */
const ADDED = 0.05;
const ROUNDS = 11;
const WARM_UP_ROUNDS = 2;
const REQUESTS = 10_000;
const CONNECTIONS = 16;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Settings, and the most that they may add, as a share; null: any. */
interface Kind {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly goal: number | null;
}

interface Target {
  readonly name: string;
  readonly goal: number | null;
  readonly running: RunningTidegate;
  readonly pool: Pool;
  readonly costs: number[];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** CPU microseconds of a request, all threads of the gateway included. */
async function requestCost({ running, pool }: Target, key: string): Promise<number> {
  const headers = { 'x-api-key': key, accept: '*/*' };
  const before = cpuMicroseconds(running.process.pid);
  let left = REQUESTS;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await pool.request({ path: '/v1/query/websites', method: 'GET', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the gateway answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return (cpuMicroseconds(running.process.pid) - before) / REQUESTS;
}

await runBench('No options.', async (_args, processes, folder) => {
  const server = createServer((_req, res) => res.end('{"success":true}'));
  const upstreamUrl = originOf(await listen(server, 0, '127.0.0.1'));
  const key = createApiKeyText('bench', randomBytes);
  const collector = createServer((req, res) => {
    req.resume().on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  const TRACING_URL = originOf(await listen(collector, 0, '127.0.0.1'));
  const kinds: readonly Kind[] = [
    { name: 'nothing', settings: {}, goal: null },
    { name: 'metrics', settings: { ADMIN_PORT: `${await freePort()}` }, goal: ADDED },
    { name: 'access log, 1 of 100', settings: { ACCESS_LOG: path.join(folder, 'sampled.log') }, goal: ADDED },
    {
      name: 'access log, each request',
      settings: { ACCESS_LOG: path.join(folder, 'all.log'), ACCESS_LOG_SAMPLE: '1' },
      goal: null,
    },
    { name: 'tracing, 1 of 100', settings: { TRACING_URL }, goal: null },
    { name: 'tracing, each request', settings: { TRACING_URL, TRACING_SAMPLE: '1' }, goal: null },
  ];
  const targets: Target[] = [];
  for (const [index, { name, settings, goal }] of kinds.entries()) {
    const own = path.join(folder, `${index}`);
    const to = { processes, root: ROOT, folder: own, upstreamUrl, provisioning: provisioning(key) };
    const running = await startGatewayAlone({ ...to, processor: null, settings });
    targets.push({
      name,
      goal,
      running,
      pool: new Pool(running.url, { connections: CONNECTIONS }),
      costs: [],
    });
  }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (let turn = 0; turn < targets.length; turn++) {
      const target = targets[(turn + round + WARM_UP_ROUNDS) % targets.length] as Target;
      const cost = await requestCost(target, key);
      if (round >= 0) target.costs.push(cost);
    }
  }
  for (const { pool } of targets) await pool.close();
  server.close();
  collector.closeAllConnections();
  collector.close();
  const [off, ...others] = targets;
  if (!off) throw new Error('nothing was measured');
  process.stdout.write(`${off.name}: ${median(off.costs).toFixed(1)} µs CPU a request\n`);
  for (const { name, goal, costs } of others) {
    const added = median(costs.map((cost, round) => cost / (off.costs[round] ?? Number.NaN))) - 1;
    const verdict = goal === null ? '' : ` (goal ${goal}) ${added <= goal ? 'ok' : 'MISSED'}`;
    if (verdict.endsWith('MISSED')) process.exitCode = 1;
    process.stdout.write(
      `${name}: ${median(costs).toFixed(1)} µs, ${added < 0 ? '' : '+'}${(100 * added).toFixed(1)} %${verdict}\n`,
    );
  }
});
