/** What authentication costs: CPU of a cached verdict, and of a request through the gateway with and without the auth policy. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { listen, originOf } from '../../gateway/http/listen.ts';
import { readApiKey } from '../../plugins/auth/read-api-key.ts';
import { createWatchedVerdicts } from '../support/watched-keys.ts';

/** The goals of the auth bench: microseconds of a cached verdict, and what auth may add to a request. */
const VERDICT_US = 5;
const ADDED = 0.15;

const JUDGED = 1_000_000;
const ROUNDS = 10;
const REQUESTS = 4_000;
const CONNECTIONS = 16;

/** CPU microseconds of reading the key from raw headers and judging it, over `keys` live keys in turn. */
async function verdictCost(keys: number): Promise<number> {
  const fixture = await createWatchedVerdicts();
  const texts: string[] = [];
  for (let count = 0; count < keys; count++) texts.push(await fixture.addKey());
  const sent = texts.map((key) => [
    ...[
      'Host',
      'gateway.example',
      'User-Agent',
      'bench/1',
      'Accept',
      '*/*',
      'Content-Type',
      'application/json',
    ],
    // A string of its own, as the parser makes one for each request.
    ...['X-Api-Key', Buffer.from(key).toString('latin1')],
  ]);
  for (const text of texts) await fixture.isGood(text);
  const start = process.cpuUsage();
  for (let count = 0; count < JUDGED; count++) {
    const reading = readApiKey(sent[count % keys] as string[]);
    if (typeof reading === 'string') throw new Error(reading);
    if (fixture.verdicts.judge(reading.key, () => true) === null) throw new Error('a good key was refused');
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / JUDGED;
}

interface Target {
  readonly child: ChildProcess;
  readonly pool: Pool;
  readonly headers: Record<string, string>;
}

async function startTarget(upstream: string, configDir: string): Promise<Target> {
  const child = fork(join(import.meta.dirname, 'auth-target.js'), [upstream, configDir]);
  const [{ origin, key }] = (await once(child, 'message')) as [{ origin: string; key: string }];
  const headers = { 'x-api-key': key, accept: '*/*' };
  return { child, pool: new Pool(origin, { connections: CONNECTIONS }), headers };
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
  return cpu.user + cpu.system;
}

/** CPU microseconds per request of the target's process. */
async function requestCost({ child, pool, headers }: Target): Promise<number> {
  const before = await cpuOf(child);
  let left = REQUESTS;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await pool.request({ path: '/v1/query/websites', method: 'GET', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the gateway answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return ((await cpuOf(child)) - before) / REQUESTS;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(name: string, value: number, unit: string, goal: number): void {
  process.stdout.write(
    `${name}: ${value.toFixed(3)} ${unit} (goal ${goal}) ${value <= goal ? 'ok' : 'MISSED'}\n`,
  );
}

for (const keys of [1, 1_000]) {
  report(`cached verdict, ${keys} keys`, await verdictCost(keys), 'µs CPU', VERDICT_US);
}

const folder = mkdtempSync(join(tmpdir(), `tidegate-bench-${randomBytes(4).toString('hex')}`));
const shipped = join(PACKAGE_ROOT, 'config');
cpSync(shipped, folder, { recursive: true });
const system = readFileSync(join(folder, 'system.config.yml'), 'utf8');
const standIn = join(import.meta.dirname, 'no-auth/manifest.js');
writeFileSync(join(folder, 'system.config.yml'), system.replace(/\S+\/auth\/manifest\.js/, standIn));

const server = createServer((_req, res) => res.end('{"success":true}'));
const upstream = originOf(await listen(server, 0, '127.0.0.1'));
const targets = { with: await startTarget(upstream, shipped), without: await startTarget(upstream, folder) };
const costs: { with: number[]; without: number[] } = { with: [], without: [] };
for (let round = -2; round < ROUNDS; round++) {
  for (const name of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    const cost = await requestCost(targets[name]);
    if (round >= 0) costs[name].push(cost);
  }
}
const ratios = costs.with.map((cost, round) => cost / (costs.without[round] ?? Number.NaN));
process.stdout.write(
  `request with auth ${median(costs.with).toFixed(1)} µs, without ${median(costs.without).toFixed(1)} µs CPU\n`,
);
report('auth adds to a request', median(ratios) - 1, 'of it', ADDED);
for (const { child, pool } of Object.values(targets)) {
  await pool.close();
  child.disconnect();
}
server.close();
rmSync(folder, { recursive: true, force: true });
