/** The guarded counters: the port's contract while the store works, each limit's own rule while it does not. */
import { expect } from 'chai';
import { GuardedCounterStore } from '../../../../gateway/serve/counters/guarded-counter-store.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import type {
  LimitDecision,
  LimitUse,
  StoreFailure,
} from '../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../services/shared/storage/memory/memory-counter-store.ts';
import { counterStoreContract } from '../../../contract/counter-store.contract.ts';
import { FailingCounterStore } from '../../../support/failing-counter-store.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

interface Guarded {
  readonly clock: TestClock;
  readonly remote: FailingCounterStore;
  readonly local: MemoryCounterStore;
  readonly metrics: PrometheusMetrics;
  readonly store: GuardedCounterStore;
  readonly changes: unknown[];
}

function create(clock: TestClock = createTestClock()): Guarded {
  const local = new MemoryCounterStore(clock);
  const remote = new FailingCounterStore(clock, local);
  const metrics = new PrometheusMetrics();
  const changes: unknown[] = [];
  const store = new GuardedCounterStore({
    remote,
    lastKnown: local,
    clock,
    metrics,
    onChange: (fault) => changes.push(fault),
  });
  return { clock, remote, local, metrics, store, changes };
}

counterStoreContract('guarded, its store well', (clock) => create(clock).store);

describe('GuardedCounterStore', () => {
  let guarded: Guarded;

  beforeEach(() => {
    guarded = create();
  });
  afterEach(() => guarded.store.close());

  const use = (name: string, limit: number, onStoreFailure: StoreFailure = 'local', cost = 1): LimitUse => ({
    name,
    limit,
    windowMs: 60_000,
    cost,
    algorithm: 'fixed',
    onStoreFailure,
  });
  const PLAN = use('plan', 10);
  const decide = async (...uses: LimitUse[]): Promise<LimitDecision> => guarded.store.decide('a', uses);
  async function admittedOf(times: number, ...uses: LimitUse[]): Promise<number> {
    const decisions: LimitDecision[] = [];
    for (let count = 0; count < times; count++) decisions.push(await decide(...uses));
    return decisions.filter(({ admitted }) => admitted).length;
  }

  it('lets a limit in shadow refuse nothing without its store, and counts it here, even if it is closed', async () => {
    guarded.remote.trouble = 'fails';
    const shadow: LimitUse = { ...use('tried', 3, 'closed'), shadow: true };
    expect(await admittedOf(9, PLAN, shadow)).to.equal(9);
    const { admitted, states } = await decide(PLAN, shadow);
    expect([admitted, states[1]?.shadowed, states[1]?.remaining]).to.deep.equal([true, true, 0]);
    expect((await decide(PLAN, shadow)).admitted).to.equal(false);
  });

  it('ends quotas with the calendar without its store too', async () => {
    guarded.remote.trouble = 'fails';
    const quota: LimitUse = { ...use('quota', 2), period: 'day', windowMs: 86_400_000 };
    expect(await admittedOf(5, quota)).to.equal(2);
    const { states, nowMs } = await decide({ ...quota, name: 'open', onStoreFailure: 'open' }, quota);
    const midnightMs = Math.floor(nowMs / 86_400_000 + 1) * 86_400_000;
    expect(states.map(({ resetAtMs }) => resetAtMs)).to.deep.equal([midnightMs, midnightMs]);
    guarded.clock.advance(midnightMs - guarded.clock.now());
    expect(await admittedOf(5, quota)).to.equal(2);
  });

  /** The store recovers, and the guard finds out. */
  async function recover(): Promise<void> {
    guarded.remote.trouble = 'works';
    while (guarded.store.state === 'open') {
      guarded.clock.advance(1);
      await new Promise(setImmediate);
    }
  }
  const samples = async () => samplesOf(await guarded.metrics.text());

  it('asks a store that fails three times, then decides without asking', async () => {
    guarded.remote.trouble = 'fails';
    await admittedOf(3, PLAN);
    expect([guarded.remote.asked, guarded.store.state]).to.deep.equal([3, 'open']);
    const decision = guarded.store.decide('a', [PLAN]);
    expect(decision, 'a decision at once').to.not.be.instanceOf(Promise);
    expect(guarded.remote.asked).to.equal(3);
  });

  it('probes in the background: no request waits for a probe that hangs', async () => {
    guarded.remote.trouble = 'fails';
    await admittedOf(3, PLAN);
    guarded.remote.trouble = 'hangs';
    guarded.clock.advance(10_000);
    for (let count = 0; count < 5; count++) {
      expect(guarded.store.decide('a', [PLAN])).to.not.be.instanceOf(Promise);
    }
    expect(guarded.remote.asked, 'three requests and one probe').to.equal(4);
    guarded.remote.release();
  });

  it('enforces a local limit from the last known counts on', async () => {
    expect(await admittedOf(4, PLAN)).to.equal(4);
    guarded.remote.trouble = 'fails';
    expect(await admittedOf(20, PLAN)).to.equal(6);
    expect(guarded.store.peek('a', PLAN).remaining).to.equal(0);
  });

  it('enforces a local limit of a caller that it never saw', async () => {
    guarded.remote.trouble = 'fails';
    expect(await admittedOf(20, PLAN)).to.equal(10);
  });

  it('does not push local counts back: the store goes on where it was', async () => {
    await admittedOf(4, PLAN);
    guarded.remote.trouble = 'fails';
    await admittedOf(20, PLAN);
    await recover();
    const decision = await decide(PLAN);
    expect([decision.admitted, decision.states[0]?.remaining]).to.deep.equal([true, 5]);
    expect(await admittedOf(20, PLAN)).to.equal(5);
  });

  it('admits without the store no more than the limit in a window, however often the store comes and goes', async () => {
    let without = 0;
    for (let loss = 0; loss < 4; loss++) {
      guarded.remote.trouble = 'fails';
      without += await admittedOf(5, PLAN);
      await recover();
      await decide(PLAN);
    }
    expect(without).to.equal(10);
    guarded.clock.advance(60_000);
    await decide(PLAN);
    guarded.remote.trouble = 'fails';
    expect(await admittedOf(20, PLAN)).to.equal(9);
  });

  it('counts a call whose answer was lost once at most in the store', async () => {
    await admittedOf(2, PLAN);
    guarded.remote.trouble = 'loses';
    expect(await admittedOf(3, PLAN)).to.equal(3);
    await recover();
    expect((await decide(PLAN)).states[0]?.remaining).to.equal(10 - 2 - 3 - 1);
  });

  it('lets everything through an open limit, shows it full and counts nothing', async () => {
    const open = use('plan', 10, 'open');
    await admittedOf(4, open);
    guarded.remote.trouble = 'fails';
    const now = guarded.clock.now();
    for (let count = 0; count < 20; count++) {
      const { admitted, states } = await decide(open);
      expect(admitted).to.equal(true);
      expect(states).to.deep.equal([{ limit: 10, remaining: 10, resetAtMs: now + 60_000, violated: false }]);
    }
    await recover();
    expect((await decide(open)).states[0]?.remaining).to.equal(5);
  });

  it('refuses a closed limit with SERVICE_UNAVAILABLE and Retry-After, and counts nothing', async () => {
    const closed = use('plan', 10, 'closed');
    await admittedOf(4, closed);
    guarded.remote.trouble = 'fails';
    for (let count = 0; count < 8; count++) {
      const fault = await rejection(decide(closed));
      expect(fault).to.be.instanceOf(ApiError);
      expect((fault as ApiError).kind).to.equal('SERVICE_UNAVAILABLE');
      expect((fault as ApiError).headers['Retry-After']).to.match(/^[1-9]\d*$/);
    }
    expect(guarded.local.peek('a', closed).remaining).to.equal(6);
    await recover();
    expect((await decide(closed)).states[0]?.remaining).to.equal(5);
  });

  it('with limits of several kinds lets closed win, counting nothing of the others', async () => {
    guarded.remote.trouble = 'fails';
    const fault = await rejection(decide(PLAN, use('open', 5, 'open'), use('closed', 5, 'closed')));
    expect((fault as ApiError).kind).to.equal('SERVICE_UNAVAILABLE');
    expect(guarded.local.peek('a', PLAN).remaining).to.equal(10);
  });

  it('decides the local ones of several limits all or nothing, open ones beside them, in their order', async () => {
    guarded.remote.trouble = 'fails';
    const narrow = use('narrow', 2);
    const open = use('open', 5, 'open', 3);
    for (let count = 0; count < 2; count++) {
      const { admitted, states } = await decide(open, PLAN, narrow);
      expect(admitted).to.equal(true);
      expect(states.map(({ remaining }) => remaining)).to.deep.equal([5, 9 - count, 1 - count]);
    }
    const { admitted, states } = await decide(PLAN, open, narrow);
    expect(admitted).to.equal(false);
    expect(states.map(({ violated, remaining }) => [violated, remaining])).to.deep.equal([
      [false, 8],
      [false, 5],
      [true, 0],
    ]);
  });

  it('opens at once for a lost connection, asking no more', async () => {
    guarded.store.lost(new Error('gone'));
    await admittedOf(5, PLAN);
    expect([guarded.remote.asked, guarded.store.state]).to.deep.equal([0, 'open']);
    guarded.store.back();
    await new Promise(setImmediate);
    expect(guarded.store.state).to.equal('ok');
  });

  it('tells once of each change, with the reason', async () => {
    guarded.remote.trouble = 'fails';
    await admittedOf(10, PLAN);
    guarded.store.lost(new Error('gone'));
    await recover();
    await admittedOf(10, PLAN);
    expect(guarded.changes.map((fault) => (fault instanceof Error ? fault.message : fault))).to.deep.equal([
      'the store fails',
      null,
    ]);
  });

  it('measures calls, decisions without the store by rule, and its state', async () => {
    await admittedOf(2, PLAN);
    guarded.remote.trouble = 'fails';
    await decide(PLAN);
    expect((await samples()).tidegate_counter_store_state).to.equal(1);
    await decide(PLAN);
    await decide(PLAN, use('open', 5, 'open'));
    await decide(PLAN, use('closed', 5, 'closed')).catch(() => {});
    const found = await samples();
    expect(found['tidegate_counter_store_call_seconds_count{outcome="ok"}']).to.equal(2);
    expect(found['tidegate_counter_store_call_seconds_count{outcome="failed"}']).to.equal(3);
    const without = (rule: StoreFailure) =>
      found[`tidegate_rate_limit_decisions_without_store_total{rule="${rule}"}`];
    expect([without('local'), without('open'), without('closed')]).to.deep.equal([3, 1, 1]);
    expect(found.tidegate_counter_store_lost_total).to.equal(1);
    expect(found.tidegate_counter_store_state).to.equal(2);
  });

  it('keeps a charge here when the store does not take it, tells of it, and decides by it', async () => {
    const seconds = { ...use('seconds', 10, 'local', 0), needs: 1 };
    for (const trouble of ['fails', 'loses'] as const) {
      guarded = create();
      guarded.remote.trouble = trouble;
      expect((await guarded.store.charge('a', seconds, 12)).remaining).to.equal(0);
      expect((await decide(seconds)).admitted).to.equal(false);
      const samples = samplesOf(await guarded.metrics.text());
      expect(samples.tidegate_rate_limit_charges_kept_here_total).to.equal(1);
    }
  });
});
