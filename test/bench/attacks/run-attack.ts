/** Runs one attack: starts the embedded server as shipped, measures the victim's waits without the attacker and with it. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { SCOPES } from '../../../services/shared/access/scopes.ts';
import { createApiKeyText } from '../../../services/shared/credentials/api-key-text.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { startProcess } from '../../support/gateway-process.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { runPacedLoad, type Sent, waitOf } from '../paced-load.ts';
import {
  ACCOMPLICE,
  ATTACKER,
  type Attack,
  type AttackKeys,
  type AttackTarget,
  attackTarget,
  type Tenant,
  VICTIM,
} from './attack.ts';
import type { AttackerWork, AttackStatuses } from './attacker-thread.ts';

/** Before anything counts: connections are opened and code is compiled. */
const WARM_UP_SECONDS = 2;
/** The attack runs alone for so long before the victim is measured under it. */
const LEAD_SECONDS = 1;

/** Waits of one of the victim's calls, in milliseconds. */
export interface VictimWaits {
  readonly name: string;
  readonly before: { readonly p50: number; readonly p95: number };
  readonly during: { readonly p50: number; readonly p95: number };
  /** Answers that were not 200, before and during. */
  readonly failed: number;
}

export interface AttackReport {
  readonly waits: readonly VictimWaits[];
  /** What the attacker was answered. */
  readonly statuses: AttackStatuses;
}

/** A server under an attack's conditions: its documents are stored, and it was prepared. */
export interface AttackedServer {
  readonly keys: AttackKeys;
  readonly target: AttackTarget;
  close(): Promise<void>;
}

/** Starts it; `settings` go before the attack's own. */
export async function startAttacked(
  attack: Attack,
  settings: Readonly<Record<string, string>> = {},
): Promise<AttackedServer> {
  const directory = createTempDirectory();
  const keys: AttackKeys = {
    victim: createApiKeyText('tg', randomBytes),
    attacker: createApiKeyText('tg', randomBytes),
    accomplice: createApiKeyText('tg', randomBytes),
  };
  const ends: (() => Promise<unknown>)[] = [async () => directory.remove()];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const file = directory.file('provision.yml');
    writeFileSync(file, JSON.stringify({ organizations: organizations(attack, keys) }), { mode: 0o600 });
    if (attack.seed) {
      const { documents: path } = dataPathsOf(directory.path);
      const documents = createSqliteDocumentStore({ path, clock: systemClock });
      await attack.seed(documents);
      await documents.close();
    }
    const server = await startProcess('main', {
      ...{ DATA_DIR: directory.path, PROVISION_FILE: file },
      ...{ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error', ...attack.settings, ...settings },
    });
    ends.push(() => server.end('SIGTERM'));
    const target = attackTarget(server.origin, keys);
    await attack.prepare?.(target);
    return { keys, target, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

/** The attack's module stands at `url`. Everything that is started ends with the promise. */
export async function runAttack(attack: Attack, url: string, seconds: number): Promise<AttackReport> {
  const { keys, target, close } = await startAttacked(attack);
  try {
    await measure(attack, target, WARM_UP_SECONDS);
    const before = await measure(attack, target, seconds);
    const { leadSeconds = LEAD_SECONDS } = attack;
    const { origin } = target;
    const attacking = attackFor({ url, origin, keys, seconds: leadSeconds + seconds });
    await new Promise((resolve) => setTimeout(resolve, leadSeconds * 1_000));
    const during = await measure(attack, target, seconds);
    const statuses = await attacking;
    const waits = Object.keys(attack.victim).map((name) => waitsOf(name, before, during));
    return { waits, statuses };
  } finally {
    await close();
  }
}

function organizations(attack: Attack, keys: AttackKeys): unknown[] {
  const of = (
    name: Tenant,
    { organizationId, websiteId }: { readonly organizationId: string; readonly websiteId: string },
  ) => ({
    ...{ id: organizationId, name, plan: 'scale' },
    websites: [{ id: websiteId, name, domain: `${name}.example.com` }],
    apiKeys: [{ id: `key_${name}`, name, key: keys[name], scopes: [...SCOPES], access: { level: 'global' } }],
    ...attack.organizations?.[name],
  });
  return [of('victim', VICTIM), of('attacker', ATTACKER), of('accomplice', ACCOMPLICE)];
}

type Measured = ReadonlyMap<string, readonly Sent[]>;

/** All of the victim's calls side by side. */
async function measure(attack: Attack, target: AttackTarget, seconds: number): Promise<Measured> {
  const all = Object.entries(attack.victim).map(async ([name, { perSecond, request }]) => {
    const send = async (number: number) => {
      const { status, text } = await target.send(request(number));
      if (status !== 200) throw new Error(`${name} was answered ${status}: ${text.slice(0, 200)}`);
    };
    return [name, await runPacedLoad({ perSecond, seconds, send })] as const;
  });
  return new Map(await Promise.all(all));
}

function attackFor(work: AttackerWork): Promise<AttackStatuses> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./attacker-thread.js', import.meta.url), { workerData: work });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function waitsOf(name: string, before: Measured, during: Measured): VictimWaits {
  const [calm, hit] = [before.get(name) ?? [], during.get(name) ?? []];
  const part = (sent: readonly Sent[]) => ({ p50: waitOf(sent, 0.5), p95: waitOf(sent, 0.95) });
  const failed = [...calm, ...hit].filter((sent) => sent.failed).length;
  return { name, before: part(calm), during: part(hit), failed };
}
