/** What becomes of queries when one of two query processes stands still: before, and from its stop to its return. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DistributedSystem } from '../support/distributed/start-distributed.ts';
import type { BenchCalls } from './bench-calls.ts';
import { runPacedLoad, type Sent, waitOf } from './paced-load.ts';

/** The median wait may grow by this factor while one process stands still. */
export const MOST_TO_BEFORE = 1.25;
/** Share of the requests that may go to the process that stands still until it is found out. */
export const MOST_CAUGHT = 0.05;

const PER_SECOND = 20;
const BEFORE_SECONDS = 10;
const STOPPED_SECONDS = 12;
/** After the last request, until the stopped process goes on: what is not answered by then was sent to it. */
const LAST_SECONDS = 5;
/** Two failed health checks as they are by default: each a second long, two seconds apart; and as much again for a busy machine. */
const FOUND_OUT_SECONDS = 8;

export interface BlockedQuery {
  readonly before: readonly Sent[];
  /** Sent while one process stood still, and answered by the other. */
  readonly others: readonly Sent[];
  /** Sent to the one that stood still: answered once it went on. */
  readonly caught: readonly Sent[];
  /** Those of them that were due when the health check should have taken it out. */
  readonly caughtLate: number;
  readonly failed: number;
  /** Medians: while it stood still as a multiple of before. */
  readonly ratio: number;
}

/** `pid` is one of two query processes behind the gateway of these calls. */
export async function measureBlockedQuery(calls: BenchCalls, pid: number): Promise<BlockedQuery> {
  const send = (number: number) => (number % 5 === 0 ? calls.summary() : calls.list());
  await runPacedLoad({ perSecond: PER_SECOND, seconds: 3, send });
  const before = await runPacedLoad({ perSecond: PER_SECOND, seconds: BEFORE_SECONDS, send });
  process.kill(pid, 'SIGSTOP');
  const started = performance.now();
  const sending = runPacedLoad({ perSecond: PER_SECOND, seconds: STOPPED_SECONDS, send });
  await delay((STOPPED_SECONDS + LAST_SECONDS) * 1_000);
  const endedMs = performance.now() - started;
  process.kill(pid, 'SIGCONT');
  const sent = await sending;
  const isCaught = ({ dueMs, waitMs }: Sent) => dueMs + waitMs >= endedMs;
  const others = sent.filter((each) => !isCaught(each));
  const caught = sent.filter(isCaught);
  return {
    ...{ before, others, caught },
    caughtLate: caught.filter(({ dueMs }) => dueMs > FOUND_OUT_SECONDS * 1_000).length,
    failed: [...before, ...sent].filter(({ failed }) => failed).length,
    ratio: waitOf(others, 0.5) / waitOf(before, 0.5),
  };
}

/** A gateway before two query processes, and the process identifier of the second. */
export async function startTwoQueries(system: DistributedSystem): Promise<{ origin: string; pid: number }> {
  const second = await system.startService('query');
  const urls = `${system.services.query.origin},${second.origin}`;
  const { origin } = await system.startGateway({ QUERY_URL: urls });
  return { origin, pid: Number(second.child.pid) };
}
