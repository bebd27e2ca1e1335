/** A counter store in memory that fails when the test says so, and counts how often it is asked. */
import type { Clock } from '../../services/shared/ports/clock.ts';
import {
  type CounterStore,
  chargeUse,
  type LimitDecision,
  type LimitState,
  type LimitUse,
} from '../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';

/** `works`; `fails` at once; `loses` the answer: counts, then fails; `hangs` until {@link FailingCounterStore.release}. */
export type Trouble = 'works' | 'fails' | 'loses' | 'hangs';

export class FailingCounterStore implements CounterStore {
  trouble: Trouble = 'works';
  asked = 0;
  readonly #counted: MemoryCounterStore;
  readonly #lastKnown: MemoryCounterStore;
  #held: (() => void)[] = [];

  /** `lastKnown` takes its decisions over. */
  constructor(clock: Clock, lastKnown: MemoryCounterStore) {
    this.#counted = new MemoryCounterStore(clock);
    this.#lastKnown = lastKnown;
  }

  async decide(subject: string, uses: readonly LimitUse[]): Promise<LimitDecision> {
    this.asked++;
    if (this.trouble === 'hangs') await new Promise<void>((resolve) => this.#held.push(resolve));
    else if (this.trouble === 'fails') throw new Error('the store fails');
    const decision = this.#counted.decide(subject, uses);
    if (this.trouble !== 'works') throw new Error('the answer was lost');
    this.#lastKnown.adopt(subject, uses, decision);
    return decision;
  }

  async charge(subject: string, use: LimitUse, amount: number): Promise<LimitState> {
    return (await this.decide(subject, [chargeUse(use, amount)])).states[0] as LimitState;
  }

  /** Ends what hangs, as it would have ended now. */
  release(): void {
    for (const resolve of this.#held.splice(0)) resolve();
  }

  peek(subject: string, use: LimitUse) {
    return this.#counted.peek(subject, use);
  }

  close(): Promise<void> {
    return this.#counted.close();
  }
}
