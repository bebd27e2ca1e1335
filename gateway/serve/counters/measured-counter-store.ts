/** Counts the decisions of a counter store: admitted requests, and refused ones by the limit that refused them. */

import { NOTHING_PASSES } from '../../../plugins/kit/nothing-passes.ts';
import { type PlansFile, PUBLIC_LIMIT } from '../../../services/shared/plans/plans.ts';
import { PUBLIC_GROUPS } from '../../../services/shared/plans/public-limit.ts';
import type {
  CounterStore,
  LimitDecision,
  LimitState,
  LimitUse,
} from '../../../services/shared/ports/counter-store.ts';
import type { Count, Metrics } from '../../../services/shared/ports/metrics.ts';

/** The name of limits that were not declared. */
const OTHER = 'other';

/** The names under which the limits of these plans are counted. */
export function limitNames({ limits }: PlansFile): string[] {
  const named = Object.keys(limits).filter((name) => name !== PUBLIC_LIMIT);
  return ['plan', ...PUBLIC_GROUPS.map((group) => `${PUBLIC_LIMIT}:${group}`), ...named];
}

export class MeasuredCounterStore implements CounterStore {
  readonly #store: CounterStore;
  readonly #admitted: Count;
  readonly #refused: ReadonlyMap<string, Count>;
  readonly #shadowed: ReadonlyMap<string, Count>;
  readonly #charged: ReadonlyMap<string, Count>;

  /**
   * `limitNames` are the names in uses; if a use also names a subject (`custom-sql@key_…`), the part before the @ counts.
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
    const shadowed = metrics.counter(
      'tidegate_rate_limit_shadowed_total',
      'Requests that a limit with enforce: false would have refused.',
      { limit: names },
    );
    this.#shadowed = new Map(names.map((limit) => [limit, shadowed.of({ limit })]));
    const charged = metrics.counter(
      'tidegate_rate_limit_charged_afterwards_total',
      'What requests were charged when they were over, in the unit of the limit.',
      { limit: names },
    );
    this.#charged = new Map(names.map((limit) => [limit, charged.of({ limit })]));
  }

  decide(subject: string, uses: readonly LimitUse[]): LimitDecision | Promise<LimitDecision> {
    const decision = this.#store.decide(subject, uses);
    return decision instanceof Promise
      ? decision.then((made) => this.#noted(made, uses))
      : this.#noted(decision, uses);
  }

  charge(subject: string, use: LimitUse, amount: number): LimitState | Promise<LimitState> {
    this.#countOf(this.#charged, use.name).add(amount);
    return this.#store.charge(subject, use, amount);
  }

  peek(subject: string, use: LimitUse): LimitState {
    return this.#store.peek(subject, use);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #noted(decision: LimitDecision, uses: readonly LimitUse[]): LimitDecision {
    // The question whether a request would be refused is followed by its decision.
    const isAsked = uses.at(-1) === NOTHING_PASSES;
    for (let index = 0; index < uses.length && !isAsked; index++) {
      const use = uses[index] as LimitUse;
      if (use.shadow && decision.states[index]?.shadowed) this.#countOf(this.#shadowed, use.name).add();
    }
    if (decision.admitted) {
      this.#admitted.add();
      return decision;
    }
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      if (decision.states[index]?.violated && use !== NOTHING_PASSES)
        this.#countOf(this.#refused, use.name).add();
    }
    return decision;
  }

  #countOf(counts: ReadonlyMap<string, Count>, name: string): Count {
    const known = counts.get(name);
    if (known !== undefined) return known;
    const end = name.indexOf('@');
    return (end === -1 ? undefined : counts.get(name.slice(0, end))) ?? (counts.get(OTHER) as Count);
  }
}
