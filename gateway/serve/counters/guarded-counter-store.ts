/** Counters that survive the loss of their store: it decides while it answers, else each limit's `onStoreFailure` does. */

import {
  BREAKER_STATES,
  type BreakerState,
  CircuitBreaker,
  type Period,
} from '../../../plugins/kit/circuit-breaker.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import {
  type CounterStore,
  chargeUse,
  type LimitDecision,
  type LimitState,
  type LimitUse,
  STORE_FAILURES,
  type StoreFailure,
} from '../../../services/shared/ports/counter-store.ts';
import type { Count, Distribution, Metrics } from '../../../services/shared/ports/metrics.ts';
import type { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { windowLengthMs } from '../../../services/shared/storage/window-length.ts';
import { LocalDecisions } from './local-decisions.ts';

export interface GuardedCounterStoreOptions {
  /** Rejects within its own timeout, and copies its decisions into `lastKnown` as they come. */
  readonly remote: CounterStore;
  /** Holds the last known counts, and decides in its process while `remote` does not answer. */
  readonly lastKnown: MemoryCounterStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Called with the reason when decisions begin to be made without `remote`, and with null when that is over. */
  onChange(fault: unknown): void;
}

/** Failures in a row that end asking: few, since at little load each is a request that waited in vain. */
const FAILURES_TO_OPEN = 3;
/** Waits between two probes, in milliseconds: from the first to the longest, doubling. */
const FIRST_PROBE_MS = 250;
const LONGEST_PROBE_MS = 2_000;

/** A decision like any other, so that it tests everything a decision needs; under a subject that no request has. */
const PROBE_SUBJECT = 'probe';
const PROBE_USES: readonly LimitUse[] = [
  {
    name: 'probe',
    limit: 1_000_000_000,
    windowMs: 1_000,
    cost: 1,
    algorithm: 'fixed',
    onStoreFailure: 'local',
  },
];

/** Upper bounds of the buckets for calls, in seconds. */
const CALL_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1];

export class GuardedCounterStore implements CounterStore {
  readonly #remote: CounterStore;
  readonly #lastKnown: MemoryCounterStore;
  readonly #local: LocalDecisions;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;
  readonly #answered: Distribution;
  readonly #failed: Distribution;
  readonly #without: Readonly<Record<StoreFailure, Count>>;
  readonly #keptHere: Count;
  #closed = false;

  constructor({ remote, lastKnown, clock, metrics, onChange }: GuardedCounterStoreOptions) {
    this.#remote = remote;
    this.#lastKnown = lastKnown;
    this.#local = new LocalDecisions(lastKnown, clock);
    this.#clock = clock;
    const calls = metrics.histogram(
      'tidegate_counter_store_call_seconds',
      'Calls of requests to the shared counter store, by outcome.',
      CALL_BOUNDS,
      { outcome: ['ok', 'failed'] },
    );
    this.#answered = calls.of({ outcome: 'ok' });
    this.#failed = calls.of({ outcome: 'failed' });
    const without = metrics.counter(
      'tidegate_rate_limit_decisions_without_store_total',
      'Requests decided while the shared counter store did not answer, by the onStoreFailure that decided.',
      { rule: STORE_FAILURES },
    );
    this.#without = {
      local: without.of({ rule: 'local' }),
      open: without.of({ rule: 'open' }),
      closed: without.of({ rule: 'closed' }),
    };
    this.#keptHere = metrics
      .counter(
        'tidegate_rate_limit_charges_kept_here_total',
        'Charges afterwards that the shared counter store did not take; they count in this process alone.',
        {},
      )
      .of({});
    const opened = metrics
      .counter('tidegate_counter_store_lost_total', 'How often the shared counter store was given up.', {})
      .of({});
    this.#breaker = new CircuitBreaker({
      clock,
      failuresToOpen: FAILURES_TO_OPEN,
      firstWaitMs: FIRST_PROBE_MS,
      longestWaitMs: LONGEST_PROBE_MS,
      probe: async () => void (await remote.decide(PROBE_SUBJECT, PROBE_USES)),
      onChange: (fault) => {
        if (this.#closed) return;
        if (fault !== null) opened.add();
        onChange(fault);
      },
    });
    metrics.watch(
      'tidegate_counter_store_state',
      'The shared counter store: 0 answers, 1 failed its last call, 2 is given up for now.',
      () => BREAKER_STATES.indexOf(this.state),
    );
  }

  /** The state of the shared store; reading it also checks whether it is time for a probe. */
  get state(): BreakerState {
    if (!this.#closed) this.#breaker.enter();
    return this.#breaker.state;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE without the store, when a limit is `closed` */
  decide(subject: string, uses: readonly LimitUse[]): LimitDecision | Promise<LimitDecision> {
    const period = this.#breaker.enter();
    return period === null ? this.#decideWithout(subject, uses) : this.#ask(period, subject, uses);
  }

  /** Never rejects: what the store cannot count is counted here, like a decision, and shown in the metrics. */
  async charge(subject: string, use: LimitUse, amount: number): Promise<LimitState> {
    const period = this.#breaker.enter();
    if (period !== null) {
      try {
        const state = await this.#remote.charge(subject, use, amount);
        this.#breaker.succeeded(period);
        return state;
      } catch (fault) {
        this.#breaker.failed(period, fault);
      }
    }
    this.#keptHere.add();
    return this.#local.decide(subject, [chargeUse(use, amount)]).states[0] as LimitState;
  }

  peek(subject: string, use: LimitUse): LimitState {
    return this.#lastKnown.peek(subject, use);
  }

  /** The connection to the store is known to be lost. */
  lost(fault: unknown): void {
    this.#breaker.lost(fault);
  }

  /** The connection to the store stands again. */
  back(): void {
    this.#breaker.back();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#remote.close();
    await this.#lastKnown.close();
  }

  async #ask(period: Period, subject: string, uses: readonly LimitUse[]): Promise<LimitDecision> {
    const startedMs = performance.now();
    try {
      const decision = await this.#remote.decide(subject, uses);
      this.#answered.observe((performance.now() - startedMs) / 1000);
      this.#breaker.succeeded(period);
      this.#local.dropEnded();
      return decision.admitted ? decision : this.#local.withOwn(subject, uses, decision);
    } catch (fault) {
      this.#failed.observe((performance.now() - startedMs) / 1000);
      this.#breaker.failed(period, fault);
      return this.#decideWithout(subject, uses);
    }
  }

  /** Closed limits refuse; otherwise local limits are decided together, and open ones look unused. */
  #decideWithout(subject: string, uses: readonly LimitUse[]): LimitDecision {
    let localUses = 0;
    for (const use of uses) {
      const rule = withoutStore(use);
      if (rule === 'closed') throw this.#refusal();
      if (rule === 'local') localUses++;
    }
    if (localUses > 0) this.#without.local.add();
    if (localUses < uses.length) this.#without.open.add();
    if (localUses === uses.length) return this.#local.decide(subject, uses);

    const nowMs = this.#clock.now();
    const full = (use: LimitUse): LimitState => ({
      limit: use.limit,
      remaining: use.limit,
      resetAtMs: nowMs + windowLengthMs(use, nowMs),
      violated: false,
    });
    if (localUses === 0) return { admitted: true, states: uses.map(full), nowMs };
    const own = uses.filter((use) => withoutStore(use) === 'local');
    const decision = this.#local.decide(subject, own);
    let index = 0;
    const states = uses.map((use) =>
      withoutStore(use) === 'local' ? (decision.states[index++] as LimitState) : full(use),
    );
    return { ...decision, states };
  }

  #refusal(): ApiError {
    this.#without.closed.add();
    return new ApiError('SERVICE_UNAVAILABLE', {
      text: 'The store that counts requests does not answer, and this limit lets nothing pass without it.',
      headers: { 'Retry-After': `${Math.max(1, Math.ceil(this.#breaker.waitMs / 1000))}` },
    });
  }
}

/** What applies to a limit without the store: one in shadow refuses nothing then either, so it counts here. */
function withoutStore({ onStoreFailure, shadow }: LimitUse): StoreFailure {
  return shadow && onStoreFailure === 'closed' ? 'local' : onStoreFailure;
}
