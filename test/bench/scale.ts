/** Whether many routes and many keys slow a gateway down: how long it takes to start, and the CPU of a request, with one of each and with 1,000 routes and 100,000 keys. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { dataPathsOf } from '../../config/data-directory.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { openDatabase } from '../../services/shared/storage/sqlite/open-database.ts';
import { writeLargeConfiguration } from '../support/large-configuration.ts';
import { startUpstream } from '../support/start-gateway.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { cpuMicroseconds } from './process-usage.ts';
import { runBench } from './run-bench.ts';
import { startEmbedded, startScript } from './tidegate-process.ts';
import { provisioning } from './tidegate-target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const USAGE = 'npm run bench:scale [-- ROUTES KEYS]';
const ROUNDS = 7;
/** Requests of one round. */
const REQUESTS = 8_000;
const CONNECTIONS = 32;
/** Keys in use at a time: each is looked up every few seconds, whatever their number, and this is not about look-ups. */
const KEYS_IN_USE = 100;

/** Where our own services would be; the load asks backends alone. */
const UNASKED = 'http://127.0.0.1:1';

interface Size {
  readonly routes: number;
  readonly keys: number;
}

interface Scaled extends Size {
  readonly url: string;
  readonly pid: number;
  readonly startSeconds: number;
  readonly asked: readonly { readonly path: string; readonly key: string }[];
}

/** Copies the one key of a stopped installation until there are as many as `keys`; their texts, the own one first. */
function multiplyKeys(dataDir: string, own: string, count: number): string[] {
  const database = openDatabase(dataPathsOf(dataDir).documents);
  const first = database.prepare('SELECT organization_id, document FROM api_keys').get([]) as {
    organization_id: string;
    document: string;
  };
  const insert = database.prepare('INSERT INTO api_keys VALUES (?, ?, 1, ?)');
  const keys = [own];
  database.exec('BEGIN');
  for (let number = 1; number < count; number++) {
    const key = createApiKeyText('bench', randomBytes);
    const id = `key_bench${number}`;
    const keyHash = createHash('sha256').update(key).digest('hex');
    const document = { ...JSON.parse(first.document), id, name: id, keyHash };
    insert.run([id, first.organization_id, JSON.stringify(document)]);
    keys.push(key);
  }
  database.exec('COMMIT');
  database.close();
  return keys;
}

async function start(
  processes: BenchProcesses,
  folder: string,
  upstreamUrl: string,
  { routes, keys }: Size,
): Promise<Scaled> {
  mkdirSync(folder);
  const configDir = path.join(folder, 'config');
  // One backend: what more of them cost is another question.
  writeLargeConfiguration(configDir, routes, upstreamUrl, routes);
  const own = createApiKeyText('bench', randomBytes);
  const options = { processes, root: ROOT, folder, provisioning: provisioning(own), processor: null };
  const first = await startEmbedded(options);
  await first.process.stop();
  const texts = multiplyKeys(path.join(folder, 'data'), own, keys);
  const begin = performance.now();
  const { url, process: running } = await startScript('start:gateway', options, {
    CONFIG_DIR: configDir,
    QUERY_URL: UNASKED,
    TRACKING_URL: UNASKED,
    RESOURCES_URL: UNASKED,
  });
  const startSeconds = (performance.now() - begin) / 1_000;
  const inUse = Math.min(KEYS_IN_USE, keys);
  const asked = Array.from({ length: Math.max(routes, inUse) }, (_, number) => {
    const key = texts[Math.floor(((number % inUse) * keys) / inUse)] as string;
    return { path: `/team0/r${number % routes}`, key };
  });
  return { routes, keys, url, pid: running.pid, startSeconds, asked };
}

/** Asks each route and key in turn; the CPU of the gateway for one request, in microseconds. */
async function round({ url, pid, asked }: Scaled): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let next = 0;
  const before = cpuMicroseconds(pid);
  const client = async () => {
    for (let number = next++; number < REQUESTS; number = next++) {
      const { path: at, key } = asked[number % asked.length] as Scaled['asked'][number];
      const { statusCode, body } = await pool.request({
        path: at,
        method: 'GET',
        headers: { 'x-api-key': key },
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${at} answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  await pool.close();
  return (cpuMicroseconds(pid) - before) / REQUESTS;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

await runBench(USAGE, async (args, processes, folder) => {
  const [routes = 1_000, keys = 100_000] = args.map(Number);
  const upstream = await startUpstream((_req, res) => res.end('{}'));
  try {
    const one = await start(processes, path.join(folder, 'one'), upstream.origin, { routes: 1, keys: 1 });
    const many = await start(processes, path.join(folder, 'many'), upstream.origin, { routes, keys });
    // The index of keys is read beside the first requests.
    await delay(2_000);
    const costs = new Map<Scaled, number[]>([one, many].map((each) => [each, []]));
    for (let number = 0; number < ROUNDS; number++) {
      for (const [each, found] of costs) {
        const cost = await round(each);
        // In the first round code is compiled and keys are looked up.
        if (number > 0) found.push(cost);
      }
    }
    console.table(
      [...costs].map(([each, found]) => ({
        routes: each.routes,
        keys: each.keys,
        'start, s': each.startSeconds.toFixed(1),
        'CPU of a request, median µs': median(found).toFixed(1),
      })),
    );
    const pairs = (costs.get(many) ?? []).map((cost, at) => cost / (costs.get(one)?.[at] ?? 1));
    console.log(`CPU with many beside one, median of the rounds: ${median(pairs).toFixed(3)}`);
  } finally {
    await upstream.close();
  }
});
