/** Holds which limits of an organization are said to be its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { effectiveLimits, ownLimits } from '../../../../services/shared/plans/effective-limits.ts';
import { plansFileSchema } from '../../../../services/shared/plans/plans.ts';

const PLANS = plansFileSchema.parse(
  parse(readFileSync(join(PACKAGE_ROOT, 'config/plans.yml'), 'utf8')),
) as Parameters<typeof ownLimits>[0];

describe('the limits of an organization', () => {
  it('are all of its plan where it has no numbers of its own', () => {
    expect(ownLimits(PLANS, { id: 'org_a', plan: 'free', limits: {} })).to.deep.equal([]);
  });

  it('are its own where it has a number, the same as that of the plan or another', () => {
    const organization = {
      id: 'org_a',
      plan: 'free',
      limits: { per10Seconds: 50, customSqlPerMinute: 5, links: 7 },
    };
    expect(ownLimits(PLANS, organization)).to.have.members(['per10Seconds', 'customSqlPerMinute', 'links']);
    expect(effectiveLimits(PLANS, organization)).to.include({
      per10Seconds: 50,
      perMinute: 300,
      customSqlPerMinute: 5,
      links: 7,
    });
  });

  it('are not its own where no limit of plans.yml reads the number', () => {
    const { override: _, ...fixed } = PLANS.limits.public;
    const plans = { ...PLANS, limits: { public: fixed } };
    const organization = {
      id: 'org_a',
      plan: 'free',
      limits: { publicPerMinute: 5, batchEventsPerMinute: 5 },
    };
    expect(ownLimits(plans, organization)).to.deep.equal([]);
    expect(effectiveLimits(plans, organization)).to.include({ publicPerMinute: 100 });
  });

  it('are those that plans.yml has for it in overrides, before its own', () => {
    const overrides = [
      { organization: 'org_a', limit: 'perMinute', max: 7 },
      { organization: 'org_a', limit: 'custom-sql', max: 8 },
      { organization: 'org_a', limit: 'perMonth', max: 90_000 },
      { organization: 'org_b', limit: 'per10Seconds', max: 9 },
    ];
    const organization = { id: 'org_a', plan: 'free', limits: { customSqlPerMinute: 5, perDay: 900 } };
    const plans = { ...PLANS, overrides };
    expect(ownLimits(plans, organization)).to.have.members([
      ...['perMinute', 'perDay', 'perMonth', 'customSqlPerMinute'],
    ]);
    expect(effectiveLimits(plans, organization)).to.include({
      per10Seconds: 50,
      perMinute: 7,
      perDay: 900,
      perMonth: 90_000,
      customSqlPerMinute: 8,
    });
  });
});
