/** What many routes, keys or organizations cost a gateway: its start, its memory, and the CPU of a request, beside one of each. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { dataPathsOf } from '../../config/data-directory.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { openDatabase } from '../../services/shared/storage/sqlite/open-database.ts';
import { writeLargeConfiguration } from '../support/large-configuration.ts';
import { startUpstream } from '../support/start-gateway.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { median } from './report.ts';
import { startEmbedded, startScript } from './tidegate-process.ts';
import { provisioning } from './tidegate-target.ts';

const CONNECTIONS = 32;
/** Keys in use at a time: each is looked up every few seconds, whatever their number, and this is not about look-ups. */
export const KEYS_IN_USE = 100;

/** Where our own services would be; the load asks backends alone. */
const UNASKED = 'http://127.0.0.1:1';

export interface Size {
  readonly routes: number;
  /** Of all organizations together; at least one of each. */
  readonly keys: number;
  readonly organizations: number;
}

export interface ScaleBench {
  readonly processes: BenchProcesses;
  readonly root: string;
  readonly folder: string;
  /** The first is what the others are compared with. */
  readonly sizes: readonly Size[];
  /** Measured rounds, in each of which every gateway is asked so many times. */
  readonly rounds: number;
  readonly requests: number;
  readonly tell: (text: string) => void;
}

export interface ScaleRow extends Size {
  readonly startSeconds: number;
  /** Median of the rounds. */
  readonly cpuMicroseconds: number;
  /** Median of the rounds' own ratios to the first size. */
  readonly toFirst: number;
  /** After all rounds, in megabytes. */
  readonly residentMegabytes: number;
}

interface Scaled extends Size {
  readonly url: string;
  readonly pid: number;
  readonly startSeconds: number;
  readonly asked: readonly { readonly path: string; readonly key: string }[];
}

/** Copies the organization and the key of a stopped installation until there are as many as asked for; the texts of all keys, the own one first. */
function multiply(dataDir: string, own: string, { keys, organizations }: Size): string[] {
  const database = openDatabase(dataPathsOf(dataDir).documents);
  const documentOf = (table: string) =>
    JSON.parse((database.prepare(`SELECT document FROM ${table}`).get([]) as { document: string }).document);
  const [key, organization] = [documentOf('api_keys'), documentOf('organizations')];
  const insertInto = (table: string) => {
    const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?, 1, ?)`);
    return (document: Readonly<Record<string, unknown>>, organizationId: string) =>
      insert.run([document.id, organizationId, JSON.stringify(document)]);
  };
  const [addKey, addOrganization] = [insertInto('api_keys'), insertInto('organizations')];
  const texts = [own];
  const idOf = (number: number) => (number === 0 ? organization.id : `${organization.id}${number}`);
  database.exec('BEGIN');
  for (let number = 1; number < organizations; number++) {
    const id = idOf(number);
    addOrganization({ ...organization, id, name: id, slug: null }, id);
  }
  for (let number = 1; number < Math.max(keys, organizations); number++) {
    const text = createApiKeyText('bench', randomBytes);
    const id = `key_bench${number}`;
    const organizationId = idOf(number % organizations);
    const keyHash = createHash('sha256').update(text).digest('hex');
    addKey({ ...key, id, name: id, keyHash, organizationId }, organizationId);
    texts.push(text);
  }
  database.exec('COMMIT');
  database.close();
  return texts;
}

async function start(bench: ScaleBench, name: string, upstreamUrl: string, size: Size): Promise<Scaled> {
  const folder = path.join(bench.folder, name);
  mkdirSync(folder);
  const configDir = path.join(folder, 'config');
  // One backend: what more of them cost is another question.
  writeLargeConfiguration(configDir, size.routes, upstreamUrl, size.routes);
  const own = createApiKeyText('bench', randomBytes);
  const options = {
    ...{ processes: bench.processes, root: bench.root, folder, processor: null },
    provisioning: provisioning(own),
  };
  const first = await startEmbedded(options);
  await first.process.stop();
  const texts = multiply(path.join(folder, 'data'), own, size);
  const begin = performance.now();
  const { url, process: running } = await startScript('start:gateway', options, {
    CONFIG_DIR: configDir,
    QUERY_URL: UNASKED,
    TRACKING_URL: UNASKED,
    RESOURCES_URL: UNASKED,
  });
  const startSeconds = (performance.now() - begin) / 1_000;
  const inUse = Math.min(KEYS_IN_USE, texts.length);
  const asked = Array.from({ length: Math.max(size.routes, inUse) }, (_, number) => {
    const key = texts[Math.floor(((number % inUse) * texts.length) / inUse)] as string;
    return { path: `/team0/r${number % size.routes}`, key };
  });
  return { ...size, url, pid: running.pid, startSeconds, asked };
}

/** Asks each route and key in turn; the CPU of the gateway for one request, in microseconds. */
async function round({ url, pid, asked }: Scaled, requests: number): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let next = 0;
  const before = cpuMicroseconds(pid);
  const client = async () => {
    for (let number = next++; number < requests; number = next++) {
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
  return (cpuMicroseconds(pid) - before) / requests;
}

/** A row for each size, in their order. */
export async function measureScale(bench: ScaleBench): Promise<ScaleRow[]> {
  const upstream = await startUpstream((_req, res) => res.end('{}'));
  try {
    const costs = new Map<Scaled, number[]>();
    for (const [number, size] of bench.sizes.entries()) {
      bench.tell(
        `starting with ${size.routes} routes, ${size.keys} keys, ${size.organizations} organizations`,
      );
      costs.set(await start(bench, `size-${number}`, upstream.origin, size), []);
    }
    // The index of keys is read beside the first requests.
    await delay(2_000);
    for (let number = 0; number <= bench.rounds; number++) {
      bench.tell(number === 0 ? 'warming up' : `round ${number} of ${bench.rounds}`);
      for (const [each, found] of costs) {
        const cost = await round(each, bench.requests);
        // In the first round code is compiled and keys are looked up.
        if (number > 0) found.push(cost);
      }
    }
    const [first = []] = costs.values();
    return [...costs].map(([{ routes, keys, organizations, startSeconds, pid }, found]) => ({
      ...{ routes, keys, organizations, startSeconds },
      cpuMicroseconds: median(found),
      toFirst: median(found.map((cost, at) => cost / (first[at] ?? Number.NaN))),
      residentMegabytes: residentMegabytes(pid),
    }));
  } finally {
    await upstream.close();
  }
}
