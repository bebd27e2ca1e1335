/** What authentication costs: CPU of a cached verdict, and of a request through the gateway with and without the auth policy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { listen, originOf } from '../../gateway/serve/http/listen.ts';
import { readApiKey } from '../../plugins/auth/read-api-key.ts';
import { createWatchedVerdicts } from '../support/watched-keys.ts';
import {
  type AuthTarget,
  SHIPPED_CONFIGURATION,
  startAuthTarget,
  writeNoAuthConfiguration,
} from './auth-targets.ts';

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

/** CPU microseconds per request of the target's process. */
async function requestCost(target: AuthTarget, pool: Pool): Promise<number> {
  const headers = { 'x-api-key': target.key, accept: '*/*' };
  const before = await target.cpu();
  let left = REQUESTS;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await pool.request({ path: '/v1/query/websites', method: 'GET', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the gateway answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return ((await target.cpu()) - before) / REQUESTS;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints a figure beside its goal; a missed one is the exit code 1. */
function report(name: string, value: number, unit: string, goal: number): void {
  const isMet = value <= goal;
  if (!isMet) process.exitCode = 1;
  process.stdout.write(`${name}: ${value.toFixed(3)} ${unit} (goal ${goal}) ${isMet ? 'ok' : 'MISSED'}\n`);
}

for (const keys of [1, 1_000]) {
  report(`cached verdict, ${keys} keys`, await verdictCost(keys), 'µs CPU', VERDICT_US);
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-'));
const server = createServer((_req, res) => res.end('{"success":true}'));
const targets: AuthTarget[] = [];
const pools: Pool[] = [];
try {
  writeNoAuthConfiguration(folder);
  const upstream = originOf(await listen(server, 0, '127.0.0.1'));
  for (const configDir of [SHIPPED_CONFIGURATION, folder]) {
    const target = await startAuthTarget(upstream, configDir);
    targets.push(target);
    pools.push(new Pool(target.origin, { connections: CONNECTIONS }));
  }
  // Costs of each round, with auth and without.
  const costs: readonly [number[], number[]] = [[], []];
  for (let round = -2; round < ROUNDS; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const [target, pool] = [targets[which], pools[which]];
      if (!target || !pool) throw new Error('both gateways run by now');
      const cost = await requestCost(target, pool);
      if (round >= 0) costs[which].push(cost);
    }
  }
  const [withAuth, without] = costs;
  process.stdout.write(
    `request with auth ${median(withAuth).toFixed(1)} µs, without ${median(without).toFixed(1)} µs CPU\n`,
  );
  const ratios = withAuth.map((cost, round) => cost / (without[round] ?? Number.NaN));
  report('auth adds to a request', median(ratios) - 1, 'of it', ADDED);
} finally {
  for (const pool of pools) await pool.close();
  for (const target of targets) await target.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
