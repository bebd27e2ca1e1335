/** The limits that bind an organization: its own numbers where it has them, else those of its plan and of plans.yml. */
import { z } from 'zod';
import type { Organization } from '../../shared/model/organization.ts';
import { limitRule, type PlansFile } from '../../shared/plugin/plans.ts';

const number = z.number().int().nullable();

/** Null: the configuration has no such limit. */
export const effectiveLimitsSchema = z.object({
  per10Seconds: number.describe('Requests per 10 seconds.'),
  perMinute: number.describe('Requests per minute.'),
  customSqlPerMinute: number.describe('Custom SQL queries per minute.'),
  batchDatasetsPerMinute: number.describe('Dataset names of batches per minute.'),
  batchEventsPerMinute: number.describe('Events of batches per minute.'),
  publicPerMinute: number.describe('Requests without a credential that name it, per minute and address.'),
});
export type EffectiveLimits = z.infer<typeof effectiveLimitsSchema>;

export function effectiveLimits(
  plans: PlansFile,
  { plan, limits }: Pick<Organization, 'plan' | 'limits'>,
): EffectiveLimits {
  const windows = plans.plans[plan];
  const configured = (override: 'customSqlPerMinute' | 'batchDatasetsPerMinute' | 'batchEventsPerMinute') => {
    const rules = Object.keys(plans.limits).map((name) => limitRule(plans, name));
    const replaced = rules.filter((rule) => rule?.override === override).map((rule) => rule?.limit ?? 0);
    return replaced.length === 0 ? null : (limits[override] ?? Math.min(...replaced));
  };
  const { limit, override } = plans.limits.public;
  return {
    per10Seconds: limits.per10Seconds ?? windows?.per10Seconds ?? null,
    perMinute: limits.perMinute ?? windows?.perMinute ?? null,
    customSqlPerMinute: configured('customSqlPerMinute'),
    batchDatasetsPerMinute: configured('batchDatasetsPerMinute'),
    batchEventsPerMinute: configured('batchEventsPerMinute'),
    publicPerMinute: override === undefined ? limit : (limits.publicPerMinute ?? limit),
  };
}
