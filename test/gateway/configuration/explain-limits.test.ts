/** What explain tells of quotas, limits in shadow, budgets per header and claim, and numbers of single callers. */
import { expect } from 'chai';
import type { ApiEndpoint } from '../../../gateway/configuration/configuration.ts';
import { explainLimits } from '../../../gateway/configuration/explain-limits.ts';
import { plansFileSchema } from '../../../services/shared/plans/plans.ts';
import { testEndpoint } from '../../support/policy-kit.ts';

const PLANS = {
  plans: { free: { per10Seconds: 50, perMinute: 300, perDay: 900, perMonth: 9_000 } },
  limits: {
    public: { limit: 100, windowSeconds: 60 },
    nightly: { limit: 40, window: 'day' },
    tried: { limit: 30, windowSeconds: 60, enforce: false },
    customers: { limit: 5, windowSeconds: 60, per: 'header', header: 'X-Customer', total: 12 },
    people: { limit: 4, windowSeconds: 60, per: 'claim', claim: 'user' },
    strangers: { limit: 3, windowSeconds: 60, per: 'address', enforce: false },
  },
};
const explain = (own: object, endpoint: Partial<ApiEndpoint>): string[] =>
  explainLimits(
    plansFileSchema.parse({ ...PLANS, ...own }),
    testEndpoint(endpoint) as unknown as ApiEndpoint,
  );
const MANNER = '(fixed; without the store local)';

describe('the limits that explain tells', () => {
  it('name the quotas of the plan and of the calendar, what is in shadow, and whose budgets they are', () => {
    const lines = explain({}, { limits: ['nightly', 'tried', 'customers', 'people'] });
    expect(lines[0]).to.contain(
      'plan free: 50 per 10 s and 300 per 60 s and 900 per day (UTC) and 9000 per month (UTC)',
    );
    expect(lines.slice(1, 5)).to.deep.equal([
      `valid key or session, nightly: 40 per day (UTC), per organization ${MANNER}`,
      `valid key or session, tried: 30 per 60 s, per organization ${MANNER}; in shadow: refuses nobody`,
      `valid key or session, customers: 5 per 60 s, per header x-customer (12 for all values of an organization) ${MANNER}`,
      `valid key or session, people: 4 per 60 s, per claim user ${MANNER}`,
    ]);
  });

  it('name the numbers of single organizations and keys that bind there, and only those', () => {
    const overrides = [
      { organization: 'org_a', limit: 'nightly', max: 7 },
      { key: 'key_a', limit: 'perDay', max: 8 },
      { organization: 'org_a', limit: 'people', max: 9 },
    ];
    expect(explain({ overrides }, { limits: ['nightly'] })).to.include.members([
      'organization org_a, nightly: 7',
      'key key_a, perDay: 8',
    ]);
    expect(explain({ overrides }, { limits: ['nightly'] }).join()).to.not.contain('people');
    const many = Array.from({ length: 25 }, (_, index) => ({
      ...{ organization: `org_${index}`, limit: 'perMinute', max: 5 },
    }));
    const lines = explain({ overrides: many }, { limits: [] });
    expect(lines.filter((line) => line.startsWith('organization org_'))).to.have.length(20);
    expect(lines).to.include('5 further overrides of plans.yml');
  });

  it('leave the public limit where only a limit in shadow would stand in its place', () => {
    const lines = explain({}, { access: 'public', limits: ['strangers'] });
    expect(lines.map((line) => line.split(':')[0])).to.deep.equal(['public', 'strangers']);
  });
});
