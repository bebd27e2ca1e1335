/** Holds the evaluation of flags to contract.md section 7: order, reasons and hash, on rows worked out by hand. */
import { expect } from 'chai';
import type { FlagContext } from '../../../../services/resources/flags/evaluate-flag.ts';
import type { Flag, FlagRule } from '../../../../services/shared/model/flag.ts';
import { flagOf, groupOf, javaBucket, javaHash, verdictOn } from '../../../support/flag-verdicts.ts';

const rule = (given: Partial<FlagRule>): FlagRule => ({
  type: 'user_id',
  operator: 'equals',
  value: 'u1',
  enabled: true,
  ...given,
});

describe('the evaluation of a flag', () => {
  describe('the hash, by hand', () => {
    // 'a:b' = 97·961 + 58·31 + 98 = 95113 → 13. 'a:c' → 95114 → 14. 'a:é' = 93217 + 1798 + 233 = 95248 → 48.
    for (const [userId, bucket] of [
      ['b', 13],
      ['c', 14],
      ['é', 48],
    ] as const) {
      it(`puts the user ${userId} of the flag a into bucket ${bucket}: off at ${bucket} percent, on at one more`, () => {
        const at = (rolloutPercentage: number) =>
          verdictOn([flagOf('a', { type: 'rollout', rolloutPercentage })], 'a', { userId });
        expect(at(bucket)).to.deep.equal({
          ...{ enabled: false, value: false, payload: null, reason: 'ROLLOUT_DISABLED' },
        });
        expect(at(bucket + 1)).to.include({ enabled: true, value: true, reason: 'ROLLOUT_ENABLED' });
      });
    }

    it('overflows as 32 bits do, over units and not characters', () => {
      // The test's own reference, held to values that are known of Java's String.hashCode.
      expect(javaHash('polygenelubricants')).to.equal(-2147483648n);
      expect(javaHash('hello')).to.equal(99162322n);
      for (const userId of ['polygenelubricants', '😀😀', 'x'.repeat(256)]) {
        const bucket = javaBucket(`percentage:${userId}`);
        const at = (value: number) => {
          const share = rule({ type: 'property', field: undefined, value });
          return verdictOn([flagOf('a', { rules: [share] })], 'a', { userId })?.reason;
        };
        expect([at(bucket), at(bucket + 1)]).to.deep.equal(['BOOLEAN_DEFAULT', 'USER_RULE_MATCH']);
      }
    });
  });

  describe('the order', () => {
    const variants: Flag['variants'] = [{ key: 'v', value: 'green', type: 'string' }];
    const everything = (given: Partial<Flag> = {}) =>
      flagOf('all', {
        ...{ type: 'multivariant', variants, payload: { a: 1 }, dependencies: ['needed'] },
        ...{ rules: [rule({ enabled: false }), rule({ value: 'u1' })], targetGroupIds: ['tgt_1', 'tgt_2'] },
        ...given,
      });
    const needed = flagOf('needed', { defaultValue: true });
    const groups = [
      groupOf('tgt_1', [rule({ type: 'email', value: 'e1' })]),
      groupOf('tgt_2', [rule({ type: 'email', operator: 'exists', value: undefined, enabled: false })]),
    ];
    const reasonFor = (given: Partial<Flag>, who: Partial<FlagContext>, other = needed) =>
      verdictOn([everything(given), other], 'all', who, groups);

    it('asks dependencies first', () => {
      const off = reasonFor({}, { userId: 'u1' }, flagOf('needed'));
      expect(off).to.deep.equal({
        ...{ enabled: false, value: false, payload: null, reason: 'DEPENDENCY_NOT_SATISFIED' },
      });
      expect(
        reasonFor({}, {}, flagOf('needed', { status: 'inactive', defaultValue: true }))?.reason,
      ).to.equal('DEPENDENCY_NOT_SATISFIED');
    });

    it('then the first rule that matches, which says on or off', () => {
      expect(reasonFor({}, { userId: 'u1', email: 'e1' })).to.deep.equal({
        ...{ enabled: false, value: false, payload: null, reason: 'USER_RULE_MATCH' },
      });
    });

    it('then the groups in their order, of which the first rule that matches says on or off', () => {
      expect(reasonFor({}, { email: 'e1' })).to.deep.equal({
        ...{ enabled: true, value: true, payload: { a: 1 }, reason: 'TARGET_GROUP_MATCH' },
      });
      expect(reasonFor({}, { email: 'e2' })).to.deep.equal({
        ...{ enabled: false, value: false, payload: null, reason: 'TARGET_GROUP_MATCH' },
      });
      expect(reasonFor({ targetGroupIds: ['tgt_gone'] }, { email: 'e1' })?.reason).to.equal(
        'MULTIVARIANT_EVALUATED',
      );
    });

    it('then what the type says: variants, rollout, default', () => {
      expect(reasonFor({}, {})).to.deep.equal({
        ...{ enabled: true, value: 'green', payload: { a: 1 }, reason: 'MULTIVARIANT_EVALUATED' },
        variant: 'v',
      });
      const all = { rolloutPercentage: 100, defaultValue: true };
      expect(reasonFor({ ...all, type: 'rollout' }, {})?.reason).to.equal('ROLLOUT_ENABLED');
      expect(reasonFor({ ...all, type: 'boolean' }, {})).to.deep.equal({
        ...{ enabled: true, value: true, payload: { a: 1 }, reason: 'BOOLEAN_DEFAULT' },
      });
    });
  });

  it('matches each operator as it says, numbers and truth values by their text', () => {
    const on = (given: Partial<FlagRule>, who: Partial<FlagContext>) =>
      verdictOn([flagOf('f', { rules: [rule(given)] })], 'f', who)?.reason === 'USER_RULE_MATCH';
    const property = (given: Partial<FlagRule>, plan?: unknown) =>
      on(
        { type: 'property', field: 'plan', value: undefined, ...given },
        { properties: plan === undefined ? {} : { plan } },
      );
    const rows: [given: Partial<FlagRule>, fits: unknown[], fails: unknown[]][] = [
      [{ operator: 'equals', value: 'pro' }, ['pro'], ['Pro', 'pro ', '', undefined, null, ['pro'], {}]],
      [{ operator: 'equals', value: 5 }, [5, '5'], [6, '05', true]],
      [{ operator: 'equals', value: true }, [true, 'true'], [false, 1]],
      [{ operator: 'contains', value: 'r' }, ['pro', 'r'], ['PRO', 'p', undefined]],
      [{ operator: 'starts_with', value: 'p' }, ['pro'], ['xp']],
      [{ operator: 'ends_with', value: 'o' }, ['pro'], ['ox']],
      [{ operator: 'in', values: ['a', 7] }, ['a', 7, '7'], ['b', undefined]],
      [{ operator: 'not_in', values: ['a', 7] }, ['b', undefined, null, {}], ['a', 7, '7']],
      [{ operator: 'exists' }, ['', 0, false, {}], [undefined, null]],
      [{ operator: 'not_exists' }, [undefined, null], ['', 0]],
      [{ operator: 'equals', batch: true, batchValues: ['a', 'b'] }, ['a', 'b'], ['c', undefined]],
      [{ operator: 'ends_with', batch: true, batchValues: ['.de', '.at'] }, ['x.de', 'x.at'], ['x.ch']],
      [{ operator: 'not_in', batch: true, batchValues: ['a'] }, ['b'], ['a']],
    ];
    for (const [given, fits, fails] of rows) {
      const what = JSON.stringify(given);
      for (const plan of fits)
        expect(property(given, plan), `${what} ${JSON.stringify(plan)}`).to.equal(true);
      for (const plan of fails)
        expect(property(given, plan), `${what} ${JSON.stringify(plan)}`).to.equal(false);
    }
    expect(on({ type: 'email', operator: 'ends_with', value: '@x.de' }, { email: 'a@x.de' })).to.equal(true);
    expect(on({ type: 'property', field: 'constructor', operator: 'exists', value: undefined }, {})).to.equal(
      false,
    );
  });

  it('takes the identifier by rolloutBy, else the user, else the address, else "anonymous"', () => {
    const bucketed = (rolloutBy: Flag['rolloutBy'], who: Partial<FlagContext>, identifier: string) => {
      const bucket = javaBucket(`f:${identifier}`);
      const at = (rolloutPercentage: number) =>
        verdictOn([flagOf('f', { type: 'rollout', rolloutBy, rolloutPercentage })], 'f', who)?.enabled;
      expect([at(bucket), at(bucket + 1)], identifier).to.deep.equal([false, true]);
    };
    const all = { userId: 'u', email: 'e', organizationId: 'o', teamId: 't' };
    bucketed('user', all, 'u');
    bucketed('organization', all, 'o');
    bucketed('team', all, 't');
    bucketed('team', { userId: 'u', organizationId: 'o' }, 'u');
    bucketed('organization', { email: 'e' }, 'e');
    bucketed('user', { organizationId: 'o' }, 'anonymous');
  });

  it('hides the organization’s flag behind the website’s of its key, unless that is absent', () => {
    const organization = flagOf('f', { defaultValue: true });
    const website = flagOf('f', { websiteId: 'web_1' });
    expect(verdictOn([organization, website], 'f')?.enabled).to.equal(false);
    expect(verdictOn([organization, { ...website, status: 'archived' }], 'f')?.enabled).to.equal(true);
    const staged = { ...website, environment: 'staging' };
    expect(verdictOn([organization, staged], 'f')?.enabled).to.equal(true);
    expect(verdictOn([organization, staged], 'f', {}, [], 'staging')?.enabled).to.equal(false);
    expect(verdictOn([organization, staged], 'f', {}, [], 'production')).to.equal(null);
  });

  it('lets a flag of the organization depend on the organization’s flags alone', () => {
    const flags = [
      flagOf('f', { defaultValue: true, dependencies: ['g'] }),
      flagOf('g', { defaultValue: true }),
      flagOf('g', { websiteId: 'web_1' }),
      flagOf('h', { websiteId: 'web_1', defaultValue: true, dependencies: ['g'] }),
    ];
    expect(verdictOn(flags, 'f')?.enabled).to.equal(true);
    expect(verdictOn(flags, 'h')?.reason).to.equal('DEPENDENCY_NOT_SATISFIED');
  });

  it('turns every flag of a circle off, whichever is asked first', () => {
    const circle = [
      flagOf('a', { defaultValue: true, dependencies: ['b'] }),
      flagOf('b', { defaultValue: true, dependencies: ['c'] }),
      flagOf('c', { defaultValue: true, dependencies: ['a'] }),
    ];
    for (const key of ['a', 'b', 'c'])
      expect(verdictOn(circle, key)?.reason).to.equal('DEPENDENCY_NOT_SATISFIED');
  });
});
