/** What rate limits cost: CPU of a decision in memory, memory of a million callers, round trips and time in Redis. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../services/shared/storage/redis/redis-counter-store.ts';
import { commandCalls } from '../support/command-calls.ts';
import { missingRedis, startRedis } from '../support/redis-server.ts';
import { measureRedisMemory } from './redis-memory.ts';
import { median } from './report.ts';

/** The goals: microseconds of a decision, megabytes of a million callers, round trips of a decision in Redis. */
const DECISION_US = 3;
const CALLERS_MB = 200;
const ROUND_TRIPS = 1;

const CALLERS = 1_000_000;
const DECISIONS = 500_000;
const ROUNDS = 7;

const COUNTED = { cost: 1, algorithm: 'fixed', onStoreFailure: 'local' } as const;
/** Both windows of a plan and the limit of an endpoint. */
const USES: readonly LimitUse[] = [
  { ...COUNTED, name: 'plan@10s', limit: 1_000_000_000, windowMs: 10_000 },
  { ...COUNTED, name: 'plan@60s', limit: 1_000_000_000, windowMs: 60_000 },
  { ...COUNTED, name: 'custom-sql', limit: 1_000_000_000, windowMs: 60_000 },
];
const SLIDING: readonly LimitUse[] = USES.map((use) => ({ ...use, algorithm: 'sliding' }));

/** A subject as the gateway names organizations, a string of its own. */
function subjectOf(index: number): string {
  return Buffer.from(`organization:org_01J${`${index}`.padStart(23, '0')}`).toString('latin1');
}

function subjectsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => subjectOf(index));
}

/** CPU microseconds of one call, over the subjects in a scattered order. */
function costOf(subjects: readonly string[], call: (subject: string) => void): number {
  const start = process.cpuUsage();
  let at = 0;
  for (let count = 0; count < DECISIONS; count++) {
    at = (at + 7_919) % subjects.length;
    call(subjects[at] as string);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / DECISIONS;
}

/** The least that three counters can cost: an object each in a map, and nothing ever dropped. */
function createBareCounters(): (subject: string) => void {
  const maps = USES.map(() => new Map<string, { used: number; endsAtMs: number }>());
  return (subject) => {
    const now = Date.now();
    for (let index = 0; index < USES.length; index++) {
      const map = maps[index] as (typeof maps)[number];
      const { windowMs } = USES[index] as LimitUse;
      const counter = map.get(subject);
      if (counter === undefined || counter.endsAtMs <= now)
        map.set(subject, { used: 1, endsAtMs: now + windowMs });
      else counter.used++;
    }
  };
}

/** Notes a missed goal in the exit code. */
function report(name: string, value: number, unit: string, goal: number): void {
  if (value > goal) process.exitCode = 1;
  process.stdout.write(
    `${name}: ${value.toFixed(2)} ${unit} (goal ${goal}) ${value <= goal ? 'met' : 'MISSED'}\n`,
  );
}

function measureDecisions(): void {
  for (const callers of [1, 1_000, 100_000]) {
    const subjects = subjectsOf(callers);
    const stores = {
      fixed: new MemoryCounterStore(systemClock),
      sliding: new MemoryCounterStore(systemClock),
    };
    const measured = {
      bare: createBareCounters(),
      fixed: (subject: string) => void stores.fixed.decide(subject, USES),
      sliding: (subject: string) => void stores.sliding.decide(subject, SLIDING),
    };
    const costs: Record<keyof typeof measured, number[]> = { bare: [], fixed: [], sliding: [] };
    const names = ['bare', 'fixed', 'sliding'] as const;
    for (let round = -2; round < ROUNDS; round++) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const cost = costOf(subjects, measured[name]);
        if (round >= 0) costs[name].push(cost);
      }
    }
    for (const name of ['fixed', 'sliding'] as const) {
      const ratio = median(costs[name].map((cost, round) => cost / (costs.bare[round] as number)));
      const text = `decision, ${name}, ${callers} callers (${ratio.toFixed(1)} × three bare counters)`;
      report(text, median(costs[name]), 'µs CPU', DECISION_US);
    }
  }
}

function measureMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const store = new MemoryCounterStore({ now: () => 1_800_000_000_000 });
  const before = held();
  const residentBefore = process.memoryUsage.rss() / 1e6;
  let slowestMs = 0;
  for (let count = 0; count < CALLERS; count++) {
    const subject = subjectOf(count);
    const start = performance.now();
    store.decide(subject, USES);
    slowestMs = Math.max(slowestMs, performance.now() - start);
  }
  const text = `memory, ${store.size} callers, subjects included`;
  report(text, held() - before, 'MB', CALLERS_MB);
  process.stdout.write(
    `resident memory grew by ${(process.memoryUsage.rss() / 1e6 - residentBefore).toFixed(0)} MB; the slowest of these decisions took ${slowestMs.toFixed(1)} ms\n`,
  );
}

async function measureRedis(): Promise<void> {
  const missing = missingRedis();
  if (missing !== null) {
    process.stdout.write(`Redis: ${missing}\n`);
    return;
  }
  const redis = await startRedis();
  const store = new RedisCounterStore({ address: parseRedisUrl(redis.url), onConnection: () => {} });
  await store.connected();
  const subjects = subjectsOf(1_000);
  const count = 20_000;
  const inFlight = 32;
  await store.decide('warm', USES);
  const calls = await commandCalls(redis.url);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let left = count;
  const waits: number[] = [];
  const ask = async (): Promise<void> => {
    while (left-- > 0) {
      const since = performance.now();
      await store.decide(subjects[left % subjects.length] as string, USES);
      waits.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, ask));
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const { evalsha, ...others } = await calls.since();
  const roundTrips = ((evalsha ?? 0) + (others.eval ?? 0) + (others.script ?? 0)) / count;
  report('round trips of a decision in Redis', roundTrips, 'script calls', ROUND_TRIPS);
  process.stdout.write(
    `Redis, ${inFlight} at once: ${(count / seconds).toFixed(0)} decisions/s, median ${median(waits).toFixed(2)} ms, ${((user + system) / count).toFixed(1)} µs CPU here\n`,
  );
  await store.close();
  await redis.kill();
  await measureRedisMemory();
}

measureMemory();
measureDecisions();
await measureRedis();
