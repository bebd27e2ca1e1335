/** What every counter store does over random requests, held against a plain model of both algorithms. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  ALGORITHMS,
  type CounterStore,
  type LimitUse,
  LONGEST_PERIOD_MS,
  PERIODS,
} from '../../services/shared/ports/counter-store.ts';
import { LimitModel } from '../support/limit-model.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

/** Makes an empty store on the clock. */
export type MakeCounterStore = (clock: TestClock) => CounterStore | Promise<CounterStore>;

interface Step {
  /** By how much the clock moves first, in milliseconds. */
  readonly advance: number;
  readonly subject: string;
  /** The cost for each limit; 0: the limit does not apply. */
  readonly costs: readonly number[];
}

interface Course {
  readonly limits: readonly LimitUse[];
  readonly steps: readonly Step[];
}

const windows = fc.record({
  limit: fc.integer({ min: 4, max: 12 }),
  windowMs: fc.constantFrom(1_000, 2_500, 10_000, 60_000),
  algorithm: fc.constantFrom(...ALGORITHMS),
});
const quotas = fc
  .record({ limit: fc.integer({ min: 4, max: 12 }), period: fc.constantFrom(...PERIODS) })
  .map(({ limit, period }) => ({
    ...{ limit, period, windowMs: LONGEST_PERIOD_MS[period] },
    algorithm: 'fixed' as const,
  }));
type Rule = Pick<LimitUse, 'limit' | 'windowMs' | 'algorithm' | 'period' | 'shadow'>;
const inShadow = (rules: fc.Arbitrary<Rule>): fc.Arbitrary<Rule> =>
  fc
    .tuple(rules, fc.boolean())
    .map(([rule, isShadow]) => (isShadow ? { ...rule, shadow: true as const } : rule));

function steps(advance: fc.Arbitrary<number>): fc.Arbitrary<Step[]> {
  const costs = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 4, maxLength: 4 });
  const step = fc.record({ advance, subject: fc.constantFrom('a', 'b'), costs });
  return fc.array(step, { minLength: 1, maxLength: 80 });
}

function courses(advance: fc.Arbitrary<number>, limit: fc.Arbitrary<Rule> = windows): fc.Arbitrary<Course> {
  return fc.record({
    limits: fc.array(limit, { minLength: 1, maxLength: 4 }).map((limits) =>
      limits.map((rule, index) => ({
        ...rule,
        name: `limit-${index}`,
        cost: 1,
        onStoreFailure: 'local' as const,
      })),
    ),
    steps: steps(advance),
  });
}

/** Short steps, so that windows fill, and now and then one that ends them. */
const FORWARD = fc.oneof(
  { weight: 5, arbitrary: fc.nat(400) },
  { weight: 2, arbitrary: fc.nat(5_000) },
  { weight: 1, arbitrary: fc.nat(70_000) },
);
const BACK = fc.integer({ min: -100_000, max: -1 });

/** The limits that a step falls under, at least the first. */
function usesOf(limits: readonly LimitUse[], costs: readonly number[]): LimitUse[] {
  const uses = limits.flatMap((use, index) => {
    const cost = costs[index] ?? 0;
    return cost === 0 ? [] : [{ ...use, cost }];
  });
  return uses.length > 0 ? uses : limits.slice(0, 1);
}

/** Runs the steps and gives every decision beside the model's; the model's time leaves steps back out. */
async function run(make: MakeCounterStore, { limits, steps }: Course, check: boolean) {
  const clock = createTestClock();
  const store = await make(clock);
  const model = new LimitModel();
  let elapsed = Number.NaN;
  for (const { advance, subject, costs } of steps) {
    clock.advance(advance);
    elapsed = Number.isNaN(elapsed) ? clock.now() : elapsed + Math.max(0, advance);
    const uses = usesOf(limits, costs);
    const decision = await store.decide(subject, uses);
    const expected = model.decide(subject, uses, elapsed);
    if (!check) continue;
    const behind = elapsed - clock.now();
    expect(decision).to.deep.equal({
      admitted: expected.admitted,
      states: expected.states.map((state) => ({ ...state, resetAtMs: state.resetAtMs - behind })),
      nowMs: clock.now(),
    });
    for (const { resetAtMs } of decision.states) expect(resetAtMs).to.be.greaterThan(clock.now());
  }
  return { clock, store, model, elapsed };
}

/** `backwards`: whether the store keeps its windows exact where the clock is set back. */
export function counterStoreModelContract(
  name: string,
  make: MakeCounterStore,
  { runs, backwards }: { readonly runs: number; readonly backwards: boolean },
): void {
  describe(`CounterStore over random requests: ${name}`, () => {
    it('decides, counts and tells resets as a plain model does', async () => {
      await fc.assert(
        fc.asyncProperty(courses(FORWARD), async (course) => {
          const { store, model } = await run(make, course, true);
          for (const use of course.limits) {
            if (use.algorithm !== 'sliding') continue;
            for (const subject of ['a', 'b']) {
              expect(model.mostInAnyWindow(subject, use)).to.be.at.most(use.limit);
            }
          }
          await store.close();
        }),
        { numRuns: runs },
      );
    });

    it('holds quotas of the calendar and limits in shadow to the same model', async () => {
      const far = fc.oneof(
        { weight: 6, arbitrary: FORWARD },
        { weight: 1, arbitrary: fc.nat(3 * 86_400_000) },
        { weight: 1, arbitrary: fc.nat(40 * 86_400_000) },
      );
      const either = fc.oneof(inShadow(windows), quotas, inShadow(quotas));
      await fc.assert(
        fc.asyncProperty(courses(far, either), async (course) => {
          const { store } = await run(make, course, true);
          await store.close();
        }),
        { numRuns: runs },
      );
    });

    if (backwards) {
      it('counts a step back of the clock as no time at all', async () => {
        const either = fc.oneof({ weight: 6, arbitrary: FORWARD }, { weight: 1, arbitrary: BACK });
        await fc.assert(
          fc.asyncProperty(courses(either), async (course) => {
            const { store } = await run(make, course, true);
            await store.close();
          }),
          { numRuns: runs },
        );
      });
    } else {
      it('neither exceeds a limit nor prolongs a window past its length when the clock steps back', async () => {
        const either = fc.oneof({ weight: 6, arbitrary: FORWARD }, { weight: 1, arbitrary: BACK });
        await fc.assert(
          fc.asyncProperty(courses(either), (course) => expectBounded(make, course)),
          { numRuns: runs },
        );
      });
    }

    it('names the earliest instant at which a refused request passes, to the second', async () => {
      let refusals = 0;
      await fc.assert(
        fc.asyncProperty(courses(FORWARD), fc.nat(3), async (course, extra) => {
          // The same request until it is refused, after whatever came before.
          const uses = usesOf(course.limits, course.steps.at(-1)?.costs ?? []).map((use) => ({
            ...use,
            cost: Math.min(use.limit, use.cost + extra),
          }));
          const toRefusal = async () => {
            const reached = await run(make, course, false);
            let decision = await reached.store.decide('a', uses);
            for (let count = 0; decision.admitted && count < 20; count++) {
              decision = await reached.store.decide('a', uses);
            }
            return { ...reached, decision };
          };
          const late = await toRefusal();
          expect(late.decision.admitted).to.equal(false);
          refusals++;
          const violated = late.decision.states.filter((state) => state.violated);
          const resetAt = Math.max(...violated.map((state) => state.resetAtMs));
          late.clock.advance(resetAt - late.clock.now());
          expect((await late.store.decide('a', uses)).admitted, 'at the reset').to.equal(true);
          const early = await toRefusal();
          early.clock.advance(Math.max(0, resetAt - early.clock.now() - 1_000));
          expect((await early.store.decide('a', uses)).admitted, 'a second before').to.equal(false);
          await Promise.all([late.store.close(), early.store.close()]);
        }),
        { numRuns: Math.ceil(runs / 2) },
      );
      expect(refusals).to.be.greaterThan(0);
    });
  });
}

/** By true time, in which a step back is none: fixed windows apart, no window holds more than the limit. */
async function expectBounded(make: MakeCounterStore, { limits, steps }: Course): Promise<void> {
  const clock = createTestClock();
  const store = await make(clock);
  let elapsed = 0;
  const admitted: { subject: string; name: string; at: number; cost: number }[] = [];
  for (const { advance, subject, costs } of steps) {
    clock.advance(advance);
    elapsed += Math.max(0, advance);
    const uses = usesOf(limits, costs);
    const decision = await store.decide(subject, uses);
    decision.states.forEach((state, index) => {
      const { windowMs, name, cost } = uses[index] as LimitUse;
      expect(state.resetAtMs - clock.now()).to.be.within(1, windowMs);
      if (decision.admitted) admitted.push({ subject, name, at: elapsed, cost });
    });
  }
  for (const { limit: most, windowMs, name, algorithm } of limits) {
    for (const last of admitted) {
      if (last.name !== name) continue;
      const within = admitted
        .filter((entry) => entry.name === name && entry.subject === last.subject)
        .filter(({ at }) => at <= last.at && at > last.at - windowMs);
      const sum = within.reduce((total, { cost }) => total + cost, 0);
      // Two fixed windows may meet within one window's length.
      expect(sum).to.be.at.most(algorithm === 'sliding' ? most : 2 * most);
    }
  }
  await store.close();
}
