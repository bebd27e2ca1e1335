/** What flags cost: CPU of evaluating 100 of them for one caller, and of the whole request through the gateway. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { stringify } from 'yaml';
import { compileFlags, type FlagsByKey } from '../../services/resources/flags/compile-flags.ts';
import { bulkQuerySchema } from '../../services/resources/flags/evaluation-query.ts';
import { evaluateBulk } from '../../services/resources/flags/evaluation-routes.ts';
import { newFlagFields } from '../../services/resources/flags/judge-flag.ts';
import { flagInputSchema } from '../../services/resources/flags/schema.ts';
import { entityTagOf } from '../../services/shared/http/entity-tag.ts';
import type { Flag } from '../../services/shared/model/flag.ts';
import { startProcess } from '../support/gateway-process.ts';
import { cpuMicroseconds } from './process-usage.ts';
import { median } from './report.ts';

/** The goal: microseconds of evaluating all flags for one caller, answer and entity tag included. */
const BULK_US = 500;

const FLAGS = 100;
const ROUNDS = 7;
const EVALUATIONS = 3_000;
const REQUESTS = 1_000;
const CONNECTIONS = 8;

/** Fields of the flags as a file names them: a quarter each of rules, rollouts, weighted variants, and dependants. */
const fieldsOf = (i: number) => ({
  ...{
    id: `flg_${i}`,
    key: `flag-number-${i}`,
    websiteId: 'web_bench',
    payload: { columns: i, label: 'some text' },
  },
  ...[
    {
      rules: [
        { type: 'email', operator: 'ends_with', value: '@example.net', enabled: true },
        {
          type: 'user_id',
          operator: 'in',
          values: Array.from({ length: 500 }, (_, n) => `user-${n * 7}`),
          enabled: true,
        },
        { type: 'property', operator: 'equals', field: 'plan', value: 'pro', enabled: false },
      ],
    },
    { type: 'rollout', rolloutPercentage: i },
    {
      type: 'multivariant',
      variants: ['a', 'b', 'c', 'd'].map((key) => ({
        key,
        value: `value ${key}`,
        type: 'string',
        weight: 25,
      })),
    },
    { defaultValue: true, dependencies: [`flag-number-${i - 1}`, `flag-number-${i - 2}`] },
  ][i % 4],
});

function compiled(): FlagsByKey {
  const stored = {
    organizationId: 'org_bench',
    version: 1,
    createdAt: '',
    updatedAt: '',
    createdBy: 'bench',
  };
  const flags = Array.from({ length: FLAGS }, (_, i): Flag => {
    const { id, ...asked } = fieldsOf(i);
    const { key, websiteId = null, ...rest } = flagInputSchema.parse(asked);
    return { ...stored, id, key, websiteId, scopeId: 'web_bench', ...newFlagFields({ key }, rest) };
  });
  return compileFlags({ flags, groups: new Map() }).get(null) ?? new Map();
}

const PROPERTIES = JSON.stringify({ plan: 'free', seats: 12, country: 'DE' });

/** CPU microseconds of one evaluation as the service makes it, from the parsed query to the bytes and their tag. */
function evaluationCost(flags: FlagsByKey): number {
  const start = process.cpuUsage();
  for (let count = 0; count < EVALUATIONS; count++) {
    const asked = { clientId: 'web_bench', userId: `user-${count}`, email: 'a@example.com' };
    const answer = evaluateBulk(flags, bulkQuerySchema.parse({ ...asked, properties: PROPERTIES }));
    if (answer.count !== FLAGS) throw new Error(`${answer.count} flags were evaluated`);
    entityTagOf(Buffer.from(JSON.stringify(answer)));
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / EVALUATIONS;
}

/** CPU microseconds that the whole server uses for one request, gateway, service and loopback included. */
async function requestCost(pool: Pool, pid: number): Promise<number> {
  const before = cpuMicroseconds(pid);
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) {
      const query = new URLSearchParams({
        clientId: 'web_bench',
        userId: `user-${left}`,
        properties: PROPERTIES,
      });
      const answer = await pool.request({ method: 'GET', path: `/public/v1/flags/bulk?${query}` });
      const body = (await answer.body.json()) as { count?: number };
      if (body.count !== FLAGS)
        throw new Error(`${answer.statusCode}: ${JSON.stringify(body).slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (cpuMicroseconds(pid) - before) / REQUESTS;
}

async function rounds(measure: () => number | Promise<number>): Promise<number> {
  await measure();
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await measure());
  return median(costs);
}

async function throughGateway(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-flags-bench-'));
  const file = join(folder, 'provision.yml');
  const organization = {
    ...{ id: 'org_bench', name: 'Bench', plan: 'scale', limits: { publicPerMinute: 1_000_000 } },
    websites: [{ id: 'web_bench', name: 'Bench', domain: 'bench.example.com' }],
    flags: Array.from({ length: FLAGS }, (_, i) => fieldsOf(i)),
  };
  writeFileSync(file, stringify({ organizations: [organization] }));
  const server = await startProcess('main', { DATA_DIR: folder, PROVISION_FILE: file });
  const pool = new Pool(server.origin, { connections: CONNECTIONS });
  try {
    return await rounds(() => requestCost(pool, server.child.pid ?? 0));
  } finally {
    await pool.close();
    await server.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

const flags = compiled();
const cost = await rounds(() => evaluationCost(flags));
if (cost > BULK_US) process.exitCode = 1;
console.log(
  `evaluation of ${FLAGS} flags: ${cost.toFixed(0)} µs CPU (goal ${BULK_US}) ${cost <= BULK_US ? 'met' : 'MISSED'}`,
);
console.log(`whole request, gateway and service: ${(await throughGateway()).toFixed(0)} µs CPU`);
