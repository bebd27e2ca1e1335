/** What holds for the evaluation of any flag for any caller: it never throws, always says the same, and shares are kept. */
import { expect } from 'chai';
import fc from 'fast-check';
import { FLAG_REASONS, type FlagContext } from '../../../../services/resources/flags/evaluate-flag.ts';
import { type FlagRule, RULE_OPERATORS, RULE_TYPES } from '../../../../services/shared/model/flag.ts';
import { flagOf, javaBucket, verdictOn } from '../../../support/flag-verdicts.ts';

describe('the evaluation of any flag', () => {
  const text = fc.oneof(fc.constantFrom('u1', 'pro', '__proto__', '', '1'), fc.string({ maxLength: 12 }));
  const anyRule: fc.Arbitrary<FlagRule> = fc.record(
    {
      type: fc.constantFrom(...RULE_TYPES),
      operator: fc.constantFrom(...RULE_OPERATORS),
      field: text,
      value: fc.oneof(text, fc.double({ min: 0, max: 100, noNaN: true }), fc.boolean()),
      values: fc.array(text, { maxLength: 4 }),
      enabled: fc.boolean(),
      batch: fc.boolean(),
      batchValues: fc.array(text, { maxLength: 4 }),
    },
    { requiredKeys: ['type', 'operator', 'enabled'] },
  );
  const anyContext = fc.record(
    {
      userId: text,
      email: text,
      organizationId: text,
      teamId: text,
      properties: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    },
    { requiredKeys: ['properties'] },
  ) as fc.Arbitrary<FlagContext>;
  const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
  const anyFlag = fc
    .record({
      key,
      type: fc.constantFrom('boolean' as const, 'rollout' as const, 'multivariant' as const),
      status: fc.constantFrom('active' as const, 'inactive' as const, 'archived' as const),
      defaultValue: fc.boolean(),
      payload: fc.constantFrom(null, { a: 1 }),
      rolloutPercentage: fc.integer({ min: 0, max: 100 }),
      rolloutBy: fc.constantFrom('user' as const, 'organization' as const, 'team' as const),
      rules: fc.array(anyRule, { maxLength: 3 }),
      dependencies: fc.array(key, { maxLength: 2 }),
    })
    .map(({ key: name, ...given }) => flagOf(name, given));

  it('never throws, always says the same, and pays out only what is on', () => {
    fc.assert(
      fc.property(fc.array(anyFlag, { maxLength: 4 }), anyContext, (flags, who) => {
        for (const name of ['a', 'b', '__proto__']) {
          const verdict = verdictOn(flags, name, who);
          expect(verdictOn(flags, name, who)).to.deep.equal(verdict);
          if (verdict === null) continue;
          expect(FLAG_REASONS).to.include(verdict.reason);
          if (!verdict.enabled) expect(verdict).to.include({ payload: null, value: false });
        }
      }),
    );
  });

  it('a rollout never takes back at a higher percentage what it gave at a lower one', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), text, (one, other, userId) => {
        const at = (rolloutPercentage: number) =>
          verdictOn([flagOf('f', { type: 'rollout', rolloutPercentage })], 'f', { userId })?.enabled;
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        if (at(low)) expect(at(high)).to.equal(true);
        expect([at(0), at(100)]).to.deep.equal([false, true]);
      }),
    );
  });

  it('weights that sum to 100 leave nobody without a variant, and each bucket falls where the weights say', () => {
    const weights = fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }).map((cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), 100];
      return edges.slice(1).map((edge, i) => edge - (edges[i] ?? 0));
    });
    fc.assert(
      fc.property(weights, text, (shares, userId) => {
        const variants = shares.map(
          (weight, i) => ({ key: `v${i}`, value: i, type: 'number', weight }) as const,
        );
        const verdict = verdictOn([flagOf('f', { type: 'multivariant', variants })], 'f', { userId });
        const bucket = javaBucket(`f:variant:${userId}`);
        let reached = 0;
        const wanted = shares.findIndex((share) => {
          reached += share;
          return bucket < reached;
        });
        expect(verdict).to.include({ variant: `v${wanted}`, value: wanted, enabled: true });
      }),
    );
  });
});
