/** The thread that attacks: away from the event loop that measures, so that only the server's slowness counts. */
import { parentPort, workerData } from 'node:worker_threads';
import { runPacedLoad } from '../paced-load.ts';
import { type Attack, type AttackKeys, attackTarget } from './attack.ts';

/** What the thread is started with. */
export interface AttackerWork {
  /** The attack's module. */
  readonly url: string;
  readonly origin: string;
  readonly keys: AttackKeys;
  readonly seconds: number;
}

/** How often each status was answered; 0: no answer. */
export type AttackStatuses = Readonly<Record<number, number>>;

const { url, origin, keys, seconds } = workerData as AttackerWork;
const { attack } = (await import(url)) as { attack: Attack };
const target = attackTarget(origin, keys);
const statuses: Record<number, number> = {};

async function send(number: number): Promise<void> {
  const status = await target.send(attack.attacker.request(number)).then(
    (answer) => answer.status,
    () => 0,
  );
  statuses[status] = (statuses[status] ?? 0) + 1;
}

const { load } = attack.attacker;
if ('perSecond' in load) await runPacedLoad({ perSecond: load.perSecond, seconds, send });
else {
  const endMs = performance.now() + seconds * 1_000;
  let next = 0;
  const caller = async () => {
    while (performance.now() < endMs) await send(next++);
  };
  await Promise.all(Array.from({ length: load.callers }, caller));
}
parentPort?.postMessage(statuses);
