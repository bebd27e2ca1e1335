/** What flags cost: CPU of evaluating 100 of them for one caller, and of the whole request through the gateway. */
import { compileFlags, type FlagsByKey } from '../../services/resources/flags/compile-flags.ts';
import { evaluateBulk } from '../../services/resources/flags/evaluate-bulk.ts';
import { bulkQuerySchema } from '../../services/resources/flags/evaluation-query.ts';
import { newFlagFields } from '../../services/resources/flags/judge-flag.ts';
import { flagInputSchema } from '../../services/resources/flags/schema.ts';
import type { Flag } from '../../services/shared/model/flag.ts';
import { CONNECTIONS, FLAGS, type FlagTarget, fieldsOf, PROPERTIES, startFlagTarget } from './flag-target.ts';
import { cpuMicroseconds } from './process-usage.ts';
import { median } from './report.ts';

/** The goal: microseconds of evaluating all flags for one caller, answer and entity tag included. */
const BULK_US = 500;

const ROUNDS = 7;
const EVALUATIONS = 3_000;
const REQUESTS = 1_000;

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

/** CPU microseconds of one evaluation as the service makes it, from the parsed query to the bytes and their tag. */
function evaluationCost(flags: FlagsByKey): number {
  const start = process.cpuUsage();
  for (let count = 0; count < EVALUATIONS; count++) {
    const asked = { clientId: 'web_bench', userId: `user-${count}`, email: 'a@example.com' };
    const { bytes } = evaluateBulk(flags, bulkQuerySchema.parse({ ...asked, properties: PROPERTIES }));
    const end = bytes.subarray(-40).toString();
    if (!end.endsWith(`,"count":${FLAGS}}`)) throw new Error(`it ends with ${end}`);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / EVALUATIONS;
}

/** CPU microseconds that the whole server uses for one request, gateway, service and loopback included. */
async function requestCost({ pid, askAll }: FlagTarget): Promise<number> {
  const before = cpuMicroseconds(pid);
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) await askAll(`user-${left}`);
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
  const target = await startFlagTarget();
  try {
    return await rounds(() => requestCost(target));
  } finally {
    await target.close();
  }
}

const flags = compiled();
const cost = await rounds(() => evaluationCost(flags));
if (cost > BULK_US) process.exitCode = 1;
console.log(
  `evaluation of ${FLAGS} flags: ${cost.toFixed(0)} µs CPU (goal ${BULK_US}) ${cost <= BULK_US ? 'met' : 'MISSED'}`,
);
console.log(`whole request, gateway and service: ${(await throughGateway()).toFixed(0)} µs CPU`);
