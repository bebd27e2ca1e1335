/** The circuit breaker: when it stops asking, how it finds the store again, and what it costs meanwhile. */
import { expect } from 'chai';
import { CircuitBreaker, type Period } from '../../../plugins/kit/circuit-breaker.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const FAULT = new Error('no answer');

/** A probe under way: the test says how it ends. */
interface Probe {
  readonly succeed: () => void;
  readonly fail: () => void;
}

describe('the circuit breaker', () => {
  let clock: TestClock;
  let probes: Probe[];
  let changes: unknown[];
  let breaker: CircuitBreaker;

  beforeEach(() => {
    clock = createTestClock();
    probes = [];
    changes = [];
    breaker = new CircuitBreaker({
      clock,
      failuresToOpen: 3,
      firstWaitMs: 100,
      longestWaitMs: 1_000,
      probe: () =>
        new Promise((resolve, reject) => {
          probes.push({ succeed: resolve, fail: () => reject(FAULT) });
        }),
      onChange: (fault) => changes.push(fault),
    });
  });

  const enter = (): Period => {
    const period = breaker.enter();
    if (period === null) throw new Error('the breaker is open');
    return period;
  };
  const fail = (times: number): void => {
    for (let count = 0; count < times; count++) breaker.failed(enter(), FAULT);
  };
  /** Ends the last probe, and waits until the breaker knows. */
  async function end(how: keyof Probe): Promise<void> {
    probes.at(-1)?.[how]();
    await new Promise(setImmediate);
  }

  it('opens after failures in a row, and says so once with the last failure', () => {
    fail(2);
    expect([breaker.state, changes]).to.deep.equal(['failing', []]);
    fail(1);
    expect([breaker.state, changes]).to.deep.equal(['open', [FAULT]]);
    expect(breaker.enter()).to.equal(null);
  });

  it('stays closed while successes come between failures', () => {
    for (let round = 0; round < 10; round++) {
      fail(2);
      breaker.succeeded(enter());
      expect(breaker.state).to.equal('ok');
    }
    expect(changes).to.deep.equal([]);
  });

  it('probes once at a time when its wait is over, while nobody is let through', async () => {
    fail(3);
    clock.advance(99);
    expect([breaker.enter(), breaker.waitMs, probes.length]).to.deep.equal([null, 1, 0]);
    clock.advance(1);
    for (let count = 0; count < 50; count++) expect(breaker.enter()).to.equal(null);
    expect(probes).to.have.length(1);
    await end('succeed');
    expect([breaker.state, changes]).to.deep.equal(['ok', [FAULT, null]]);
    enter();
  });

  it('waits twice as long after each failed probe, up to the longest wait', async () => {
    fail(3);
    const waits: number[] = [];
    for (let round = 0; round < 6; round++) {
      waits.push(breaker.waitMs);
      clock.advance(breaker.waitMs);
      breaker.enter();
      await end('fail');
    }
    expect(waits).to.deep.equal([100, 200, 400, 800, 1_000, 1_000]);
    expect(changes).to.deep.equal([FAULT]);
  });

  it('waits no longer where the clock is set back an hour', () => {
    fail(3);
    clock.advance(-3_600_000);
    expect([breaker.enter(), breaker.waitMs]).to.deep.equal([null, 100]);
    clock.advance(99);
    expect([breaker.enter(), probes.length]).to.deep.equal([null, 0]);
    clock.advance(1);
    expect([breaker.enter(), probes.length]).to.deep.equal([null, 1]);
  });

  it('goes on with its waits when the store is gone again soon, and begins anew when it stayed', async () => {
    fail(3);
    clock.advance(100);
    breaker.enter();
    await end('succeed');
    fail(3);
    expect(breaker.waitMs).to.equal(200);
    clock.advance(200);
    breaker.enter();
    await end('succeed');
    clock.advance(30_000);
    fail(3);
    expect(breaker.waitMs).to.equal(100);
  });

  it('takes no word of calls from before it opened: neither their failures nor their successes', async () => {
    const old = Array.from({ length: 10 }, enter);
    fail(3);
    for (const period of old.slice(0, 5)) breaker.succeeded(period);
    expect(breaker.state).to.equal('open');
    clock.advance(100);
    breaker.enter();
    await end('succeed');
    for (const period of old.slice(5)) breaker.failed(period, FAULT);
    expect([breaker.state, changes]).to.deep.equal(['ok', [FAULT, null]]);
  });

  it('opens at once for a lost connection, and probes at once when it is back', async () => {
    breaker.lost(FAULT);
    breaker.lost(FAULT);
    expect([breaker.state, changes]).to.deep.equal(['open', [FAULT]]);
    breaker.back();
    breaker.back();
    expect(probes).to.have.length(1);
    await end('succeed');
    expect(breaker.state).to.equal('ok');
    breaker.back();
    expect(probes).to.have.length(1);
  });

  it('takes its time with a connection that comes and goes', async () => {
    breaker.lost(FAULT);
    breaker.back();
    await end('succeed');
    breaker.lost(FAULT);
    breaker.back();
    expect([probes.length, breaker.waitMs]).to.deep.equal([1, 200]);
    clock.advance(200);
    expect(breaker.enter()).to.equal(null);
    expect(probes).to.have.length(2);
  });
});
