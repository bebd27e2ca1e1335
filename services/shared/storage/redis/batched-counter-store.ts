/**
 * Counts here and tells the shared store every few milliseconds, so that most requests wait for no other process; near a
 * limit each is decided by the store. What several processes admit beyond a limit is bounded (docs/limits.md, Fast counting).
 */
import {
  type CounterStore,
  chargeUse,
  type LimitDecision,
  type LimitState,
  type LimitUse,
  neededOf,
} from '../../ports/counter-store.ts';
import type { MemoryCounterStore } from '../memory/memory-counter-store.ts';

/** How often counts are told, in milliseconds. */
export const TOLD_EVERY_MS = 75;
/** With less than this part of a window left, the store decides. */
export const NEAR = 0.2;
/** Subjects that are counted here at a time; the store decides for further ones. */
const MOST_KNOWN = 100_000;
/** A subject that asked nothing for so long is forgotten: the store decides its next request. In milliseconds. */
const FORGOTTEN_MS = 60_000;

export interface BatchedCounterStoreOptions {
  /** Rejects within its own timeout, and copies its decisions into `lastKnown` as they come. */
  readonly remote: CounterStore;
  /** Decides here, from the last known counts and what was counted since. */
  readonly lastKnown: MemoryCounterStore;
  /** Default {@link TOLD_EVERY_MS}; 0: only {@link BatchedCounterStore.tell} does. */
  readonly toldEveryMs?: number;
}

interface Owed {
  use: LimitUse;
  amount: number;
}

/** What was admitted here for a subject and not told yet, by the name of the limit. */
interface Batch {
  readonly owed: Map<string, Owed>;
  askedAtMs: number;
}

export class BatchedCounterStore implements CounterStore {
  readonly #remote: CounterStore;
  readonly #lastKnown: MemoryCounterStore;
  readonly #known = new Map<string, Batch>();
  readonly #dirty = new Set<string>();
  readonly #timer: NodeJS.Timeout | null;
  /** Whether the store took what it was last told: else each decision asks it, so that its loss is noticed. */
  #isHealthy = true;
  #forgotAtMs = performance.now();

  constructor({ remote, lastKnown, toldEveryMs = TOLD_EVERY_MS }: BatchedCounterStoreOptions) {
    this.#remote = remote;
    this.#lastKnown = lastKnown;
    this.#timer = toldEveryMs === 0 ? null : setInterval(() => void this.tell(), toldEveryMs).unref();
  }

  decide(subject: string, uses: readonly LimitUse[]): LimitDecision | Promise<LimitDecision> {
    const batch = this.#known.get(subject);
    if (batch === undefined || !this.#isHealthy || this.#isNear(subject, uses))
      return this.#exactly(subject, uses);
    const decision = this.#lastKnown.decide(subject, uses);
    batch.askedAtMs = performance.now();
    for (const use of uses) if (use.cost > 0) owe(batch, use, use.cost);
    this.#dirty.add(subject);
    return decision;
  }

  async charge(subject: string, use: LimitUse, amount: number): Promise<LimitState> {
    return (await this.#exactly(subject, [chargeUse(use, amount)])).states[0] as LimitState;
  }

  peek(subject: string, use: LimitUse): LimitState {
    return this.#lastKnown.peek(subject, use);
  }

  /** Tells the store what was counted here. Never rejects: what it does not take is told the next time. */
  async tell(): Promise<void> {
    const told = [...this.#dirty].map((subject) => this.#settle(subject, this.#known.get(subject)));
    const outcomes = await Promise.allSettled(told);
    if (told.length > 0) this.#isHealthy = outcomes.every(({ status }) => status === 'fulfilled');
    this.#forget();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.tell();
    await this.#remote.close();
  }

  #isNear(subject: string, uses: readonly LimitUse[]): boolean {
    for (const use of uses) {
      const { remaining } = this.#lastKnown.peek(subject, use);
      if (remaining - neededOf(use) < use.limit * NEAR) return true;
    }
    return false;
  }

  /** The store decides, once it knows what was counted here. */
  async #exactly(subject: string, uses: readonly LimitUse[]): Promise<LimitDecision> {
    let batch = this.#known.get(subject);
    if (batch === undefined) {
      batch = { owed: new Map(), askedAtMs: 0 };
      if (this.#known.size < MOST_KNOWN) this.#known.set(subject, batch);
    }
    batch.askedAtMs = performance.now();
    await this.#settle(subject, batch);
    const decision = await this.#remote.decide(subject, uses);
    this.#isHealthy = true;
    this.#countAgain(subject, batch);
    return decision;
  }

  /** Rejects when the store does not answer: what was owed stays owed. A call whose answer is lost may count twice. */
  async #settle(subject: string, batch: Batch | undefined): Promise<void> {
    this.#dirty.delete(subject);
    if (batch === undefined || batch.owed.size === 0) return;
    const owed = [...batch.owed.values()];
    batch.owed.clear();
    try {
      await this.#remote.decide(
        subject,
        owed.map(({ use, amount }) => chargeUse(use, amount)),
      );
    } catch (fault) {
      for (const { use, amount } of owed) owe(batch, use, amount);
      this.#dirty.add(subject);
      throw fault;
    }
    this.#countAgain(subject, batch);
  }

  /** The store's answer replaced the counts here, without what was counted while it was under way. */
  #countAgain(subject: string, { owed }: Batch): void {
    if (owed.size === 0) return;
    this.#lastKnown.decide(
      subject,
      [...owed.values()].map(({ use, amount }) => chargeUse(use, amount)),
    );
  }

  #forget(): void {
    const now = performance.now();
    if (now - this.#forgotAtMs < FORGOTTEN_MS) return;
    this.#forgotAtMs = now;
    for (const [subject, { owed, askedAtMs }] of this.#known)
      if (owed.size === 0 && now - askedAtMs >= FORGOTTEN_MS) this.#known.delete(subject);
  }
}

function owe({ owed }: Batch, use: LimitUse, amount: number): void {
  const known = owed.get(use.name);
  if (known === undefined) owed.set(use.name, { use, amount });
  else {
    known.use = use;
    known.amount += amount;
  }
}
