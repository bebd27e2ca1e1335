/**
 * Rate-limit counters of all gateway processes in Redis, whatever its form: one script call decides, by the server's
 * clock.
 */
import { createHash } from 'node:crypto';
import { Cluster, type Redis } from 'ioredis';
import { systemClock } from '../../ports/clock.ts';
import {
  type CounterStore,
  chargeUse,
  type LimitDecision,
  type LimitState,
  type LimitUse,
  neededOf,
  type Period,
} from '../../ports/counter-store.ts';
import { MemoryCounterStore } from '../memory/memory-counter-store.ts';
import { subWindowMs } from '../sub-windows.ts';
import { COUNTER_SCRIPT } from './counter-script.ts';
import { openRedis, reasonOf } from './open-redis.ts';
import type { RedisAddress } from './redis-address.ts';

/** `new RedisCounterStore({ address, onConnection })` is enough; it connects at once and keeps trying. */
export interface RedisCounterStoreOptions {
  readonly address: RedisAddress;
  /** How long a decision may take before it rejects, in milliseconds; default {@link COMMAND_TIMEOUT_MS}. */
  readonly commandTimeoutMs?: number;
  /** Called when the connection is lost (with its fault) and when it is back (null); at most once per change. */
  onConnection(fault: Error | null): void;
  /**
   * Adopts every decision (its `adopt`) and answers `peek`; by default a store of its own. A caller that counts locally
   * while Redis is away passes its own store, which then starts from the last known counts.
   */
  readonly lastKnown?: MemoryCounterStore;
  /** The script that decides; tests pass one with a clock that they can move. */
  readonly script?: string;
}

/** How long a decision may take by default, in milliseconds: within the 300 of contract.md section 4, Counters. */
export const COMMAND_TIMEOUT_MS = 250;

/**
 * `decide` rejects at once without a connection, and after `commandTimeoutMs` without an answer. Nothing is queued or
 * sent twice, so a call whose answer was lost has counted once or not at all.
 */
export class RedisCounterStore implements CounterStore {
  readonly #redis: Redis | Cluster;
  readonly #timeoutMs: number;
  readonly #lastKnown: MemoryCounterStore;
  readonly #script: string;
  /** The name of the script for EVALSHA. */
  readonly #scriptSha: string;
  readonly #onConnection: RedisCounterStoreOptions['onConnection'];
  #lost = false;
  #isReady = false;
  #closed = false;
  #waiting: (() => void)[] = [];

  constructor(options: RedisCounterStoreOptions) {
    this.#timeoutMs = options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
    this.#script = options.script ?? COUNTER_SCRIPT;
    this.#scriptSha = createHash('sha1').update(this.#script).digest('hex');
    this.#onConnection = options.onConnection;
    this.#lastKnown = options.lastKnown ?? new MemoryCounterStore(systemClock);
    this.#redis = openRedis(options.address);
    this.#redis.on('error', (fault: Error) => this.#noteLost(reasonOf(fault)));
    this.#redis.on('close', () => this.#noteLost(new Error('the connection to Redis closed')));
    this.#redis.on('ready', () => void this.#noteBack());
  }

  async decide(subject: string, uses: readonly LimitUse[]): Promise<LimitDecision> {
    const started = performance.now();
    const parameters = parametersOf(subject, uses);
    let reply: unknown;
    try {
      reply = await within(this.#timeoutMs, this.#redis.evalsha(this.#scriptSha, uses.length, ...parameters));
    } catch (fault) {
      if (!isUnknownScript(fault)) throw fault;
      const leftMs = this.#timeoutMs - (performance.now() - started);
      reply = await within(leftMs, this.#redis.eval(this.#script, uses.length, ...parameters));
    }
    const decision = decisionOf(reply, uses);
    this.#lastKnown.adopt(subject, uses, decision);
    return decision;
  }

  async charge(subject: string, use: LimitUse, amount: number): Promise<LimitState> {
    return (await this.decide(subject, [chargeUse(use, amount)])).states[0] as LimitState;
  }

  peek(subject: string, use: LimitUse): LimitState {
    return this.#lastKnown.peek(subject, use);
  }

  /** Resolves once decisions are possible: at once when connected. */
  async connected(): Promise<void> {
    if (this.#isReady) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets calls in progress end, for at most the command timeout. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#redis.status === 'ready') await within(this.#timeoutMs, this.#redis.quit()).catch(() => {});
    this.#redis.disconnect();
    await this.#lastKnown.close();
  }

  #noteLost(fault: Error): void {
    this.#isReady = false;
    if (this.#lost || this.#closed) return;
    this.#lost = true;
    this.#onConnection(fault);
  }

  async #noteBack(): Promise<void> {
    await this.#prepare();
    if (this.#redis.status !== 'ready' || this.#closed) return;
    this.#isReady = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
    if (!this.#lost) return;
    this.#lost = false;
    this.#onConnection(null);
  }

  /**
   * Loads the script in advance, so that the first decisions need no second call; without it they do. For a Cluster it
   * also opens the connections to the nodes: ioredis opens them at the first call, and refuses other calls meanwhile.
   */
  async #prepare(): Promise<void> {
    if (!(this.#redis instanceof Cluster)) {
      this.#redis.script('LOAD', this.#script).catch(() => {});
      return;
    }
    const loading = this.#redis.nodes('master').map((node) => node.script('LOAD', this.#script));
    await within(this.#timeoutMs, Promise.allSettled(loading)).catch(() => {});
  }
}

/** What stands in place of the sub-window of a quota, for the script. */
const CALENDAR: Readonly<Record<Period, number>> = { day: -1, month: -2 };

/** Keys, then six arguments for each. All keys of a subject are in one hash slot, since only the subject is in braces. */
function parametersOf(subject: string, uses: readonly LimitUse[]): (string | number)[] {
  const tag = subject.replaceAll(/[%{}]/g, encodeURIComponent);
  const parameters: (string | number)[] = [];
  for (const { name } of uses) parameters.push(`tidegate:{${tag}}:${name}`);
  for (const use of uses) {
    const sub = use.period === undefined ? subWindowMs(use) : CALENDAR[use.period];
    parameters.push(use.limit, use.windowMs, use.cost, sub, neededOf(use), use.shadow ? 1 : 0);
  }
  return parameters;
}

/** @throws Error when the reply does not have the script's form */
function decisionOf(reply: unknown, uses: readonly LimitUse[]): LimitDecision {
  if (!Array.isArray(reply) || reply.length !== 2 + uses.length * 3 || !reply.every(Number.isInteger)) {
    throw new Error('Redis answered a decision with something else');
  }
  const numbers: readonly number[] = reply;
  const states = uses.map(({ limit }, index): LimitState => {
    const [remaining, resetAtMs, violated] = numbers.slice(2 + index * 3, 5 + index * 3) as [
      number,
      number,
      number,
    ];
    if (violated === 2) return { limit, remaining, resetAtMs, violated: false, shadowed: true };
    return { limit, remaining, resetAtMs, violated: violated === 1 };
  });
  return { admitted: numbers[1] === 1, states, nowMs: numbers[0] as number };
}

function isUnknownScript(fault: unknown): boolean {
  return fault instanceof Error && fault.message.startsWith('NOSCRIPT');
}

/**
 * The answer, or a rejection when it takes longer. When the time is over, data that has arrived is read once more: a
 * busy process must not mistake its own delay for the store's.
 */
function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error('Command timed out'))),
      Math.max(0, milliseconds),
    );
    const settled = (): void => clearTimeout(timer);
    answer.then(resolve, reject);
    answer.then(settled, settled);
  });
}
