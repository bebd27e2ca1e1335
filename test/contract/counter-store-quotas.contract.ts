/** What every counter store does with quotas of the calendar and with limits in shadow. */
import { expect } from 'chai';
import {
  type CounterStore,
  type LimitUse,
  LONGEST_PERIOD_MS,
  PERIODS,
} from '../../services/shared/ports/counter-store.ts';
import { endOfPeriod } from '../support/end-of-period.ts';
import type { TestClock } from '../support/test-clock.ts';

const COUNTED = { name: 'plan', cost: 1, algorithm: 'fixed', onStoreFailure: 'local' } as const;
const TEN_SECONDS = { ...COUNTED, limit: 5, windowMs: 10_000 } satisfies LimitUse;
const MINUTE = { ...COUNTED, name: 'minute', limit: 12, windowMs: 60_000 } satisfies LimitUse;
const MINUTE_1000 = { ...MINUTE, limit: 1_000 } satisfies LimitUse;

/** Part of the contract; `given` is the empty store of the case, on its clock. */
export function quotaCases(given: () => { readonly clock: TestClock; readonly store: CounterStore }): void {
  for (const period of PERIODS) {
    const QUOTA = {
      ...COUNTED,
      limit: 300,
      windowMs: LONGEST_PERIOD_MS[period],
      period,
    } satisfies LimitUse;

    it(`admits exactly 100 of 300 parallel requests at a quota of 100 a ${period}`, async () => {
      const use = { ...QUOTA, limit: 100 };
      const decisions = await Promise.all(
        Array.from({ length: 300 }, () => given().store.decide('a', [use])),
      );
      expect(decisions.filter(({ admitted }) => admitted)).to.have.length(100);
    });

    it(`ends a quota of a ${period} with the calendar, in UTC`, async () => {
      for (const day of [
        '2024-02-28',
        '2024-02-29',
        '2025-12-31',
        '2026-02-28',
        '2026-04-30',
        '2100-02-28',
      ]) {
        for (const time of ['00:00:00.000Z', '23:59:59.999Z']) {
          const atMs = Date.parse(`${day}T${time}`);
          given().clock.advance(atMs - given().clock.now());
          const { states } = await given().store.decide(`${period} ${day} ${time}`, [QUOTA]);
          expect(states[0]?.resetAtMs, `${day} ${time}`).to.equal(endOfPeriod(period, atMs));
        }
      }
    });

    it(`gives the whole quota again when the next ${period} begins, and not before`, async () => {
      given().clock.advance(Date.parse('2026-11-30T23:59:59.998Z') - given().clock.now());
      const use = { ...QUOTA, limit: 1 };
      expect((await given().store.decide('a', [use])).admitted).to.equal(true);
      given().clock.advance(1);
      const refused = await given().store.decide('a', [use]);
      expect(refused.states[0]).to.deep.equal({
        ...{ limit: 1, remaining: 0, violated: true },
        resetAtMs: Date.parse('2026-12-01T00:00:00.000Z'),
      });
      given().clock.advance(1);
      expect((await given().store.decide('a', [use])).admitted).to.equal(true);
    });
  }

  it('keeps what was counted where a quota of the month becomes one of the day', async () => {
    given().clock.advance(Date.parse('2026-11-10T12:00:00.000Z') - given().clock.now());
    const month = { ...MINUTE, period: 'month', windowMs: LONGEST_PERIOD_MS.month } satisfies LimitUse;
    await given().store.decide('a', [month]);
    const { states } = await given().store.decide('a', [{ ...month, period: 'day', windowMs: 86_400_000 }]);
    expect(states[0]).to.include({ remaining: 10, resetAtMs: Date.parse('2026-11-11T00:00:00.000Z') });
  });

  describe('in shadow', () => {
    const SHADOW = { ...TEN_SECONDS, name: 'shadow', limit: 3, shadow: true } satisfies LimitUse;

    it('refuses nothing, and counts what it would have admitted', async () => {
      const would = await Promise.all(
        Array.from({ length: 300 }, () => given().store.decide('a', [SHADOW, MINUTE_1000])),
      );
      expect(would.every(({ admitted }) => admitted)).to.equal(true);
      expect(would.filter(({ states }) => states[0]?.shadowed)).to.have.length(297);
      expect(would.at(-1)?.states[0]).to.include({ remaining: 0, violated: false, shadowed: true });
      expect(would.at(-1)?.states[1]?.remaining).to.equal(700);
      // Enforced from now on, it goes on from what it would have counted.
      expect(
        (await given().store.decide('a', [{ ...TEN_SECONDS, name: 'shadow', limit: 4 }])).states[0],
      ).to.include({
        remaining: 0,
        violated: false,
      });
    });

    it('counts together with others in shadow, or in none of them', async () => {
      const wide = { ...SHADOW, name: 'wide', limit: 10 };
      for (let count = 0; count < 5; count++) await given().store.decide('a', [SHADOW, wide]);
      expect((await given().store.decide('a', [wide])).states[0]?.remaining).to.equal(6);
    });

    it('counts nothing that an enforced limit refuses', async () => {
      for (let count = 0; count < 9; count++)
        await given().store.decide('a', [TEN_SECONDS, { ...SHADOW, limit: 50 }]);
      expect((await given().store.decide('a', [{ ...SHADOW, limit: 50 }])).states[0]?.remaining).to.equal(44);
    });
  });
}
