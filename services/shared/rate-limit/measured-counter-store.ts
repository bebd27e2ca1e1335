/** Counts what a counter store decides: requests admitted, and those refused by the limit that refused them. */
import { type PlansFile, PUBLIC_LIMIT } from '../plugin/plans.ts';
import type { CounterStore, LimitDecision, LimitState, LimitUse } from '../ports/counter-store.ts';
import type { Count, Metrics } from '../ports/metrics.ts';
import { NOTHING_PASSES } from './nothing-passes.ts';
import { PUBLIC_GROUPS } from './public-limit.ts';

/** Stands for a limit that was not declared. */
const OTHER = 'other';

/** The names that the limits of these plans are counted by. */
export function limitNames({ limits }: PlansFile): string[] {
  const named = Object.keys(limits).filter((name) => name !== PUBLIC_LIMIT);
  return ['plan', ...PUBLIC_GROUPS.map((group) => `${PUBLIC_LIMIT}:${group}`), ...named];
}

export class MeasuredCounterStore implements CounterStore {
  readonly #store: CounterStore;
  readonly #admitted: Count;
  readonly #refused: ReadonlyMap<string, Count>;
  readonly #refusedByOther: Count;

  /**
   * `limitNames` are the names that uses carry; of a use that names somebody besides (`custom-sql@key_…`) the part before
   * the @ counts.
   */
  constructor(store: CounterStore, metrics: Metrics, limitNames: readonly string[]) {
    this.#store = store;
    const names = [...new Set([...limitNames, OTHER])];
    this.#admitted = metrics
      .counter('tidegate_rate_limit_admitted_total', 'Requests that were counted and let pass.', {})
      .of({});
    const refused = metrics.counter(
      'tidegate_rate_limit_refused_total',
      'Requests that a limit refused; one that several refused counts at each.',
      { limit: names },
    );
    this.#refused = new Map(names.map((limit) => [limit, refused.of({ limit })]));
    this.#refusedByOther = refused.of({ limit: OTHER });
  }

  decide(subject: string, uses: readonly LimitUse[]): LimitDecision | Promise<LimitDecision> {
    const decision = this.#store.decide(subject, uses);
    return decision instanceof Promise
      ? decision.then((made) => this.#noted(made, uses))
      : this.#noted(decision, uses);
  }

  peek(subject: string, use: LimitUse): LimitState {
    return this.#store.peek(subject, use);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #noted(decision: LimitDecision, uses: readonly LimitUse[]): LimitDecision {
    if (decision.admitted) {
      this.#admitted.add();
      return decision;
    }
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      if (decision.states[index]?.violated && use !== NOTHING_PASSES) this.#countOf(use.name).add();
    }
    return decision;
  }

  #countOf(name: string): Count {
    const known = this.#refused.get(name);
    if (known !== undefined) return known;
    const end = name.indexOf('@');
    return (end === -1 ? undefined : this.#refused.get(name.slice(0, end))) ?? this.#refusedByOther;
  }
}
