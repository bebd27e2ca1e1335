/** The limits that apply to an organization: its own numbers where it has them, else those of its plan and of plans.yml. */
import type { Organization } from '../model/organization.ts';
import type { EffectiveLimits } from './effective-limits-schema.ts';
import { overridesOf } from './overrides.ts';
import { limitRule, type PlansFile } from './plans.ts';

type Limited = Pick<Organization, 'id' | 'plan' | 'limits'>;

interface Effective {
  /** Null: the configuration has no such limit. */
  readonly value: number | null;
  /** Whether it is the organization's own number. */
  readonly isOwn: boolean;
}

export function effectiveLimits(plans: PlansFile, organization: Limited): EffectiveLimits {
  const numbers = numbersOf(plans, organization);
  return Object.fromEntries(entries(numbers).map(([name, { value }]) => [name, value])) as EffectiveLimits;
}

/** Those of the limits that are the organization's own numbers; one that no limit of plans.yml reads binds nothing. */
export function ownLimits(plans: PlansFile, organization: Limited): (keyof EffectiveLimits)[] {
  return entries(numbersOf(plans, organization)).flatMap(([name, { isOwn }]) => (isOwn ? [name] : []));
}

function entries(numbers: Readonly<Record<keyof EffectiveLimits, Effective>>) {
  return Object.entries(numbers) as [keyof EffectiveLimits, Effective][];
}

function numbersOf(
  plans: PlansFile,
  { id, plan, limits }: Limited,
): Readonly<Record<keyof EffectiveLimits, Effective>> {
  const windows = plans.plans[plan];
  const override = (name: string) => overridesOf(plans).ofOrganization(id, name);
  /** Of several limits with the same setting the least binds. */
  const configured = (setting: 'customSqlPerMinute' | 'batchDatasetsPerMinute' | 'batchEventsPerMinute') =>
    Object.keys(plans.limits)
      .flatMap((name) => {
        const rule = limitRule(plans, name);
        if (rule?.override !== setting) return [];
        return [first(override(name) ?? limits[setting], rule.limit)];
      })
      .reduce<Effective>(
        (least, found) => (least.value === null || (found.value ?? 0) < least.value ? found : least),
        { value: null, isOwn: false },
      );
  const { limit, override: isReplaced } = plans.limits.public;
  return {
    per10Seconds: first(override('per10Seconds') ?? limits.per10Seconds, windows?.per10Seconds),
    perMinute: first(override('perMinute') ?? limits.perMinute, windows?.perMinute),
    perDay: first(override('perDay') ?? limits.perDay, windows?.perDay),
    perMonth: first(override('perMonth') ?? limits.perMonth, windows?.perMonth),
    customSqlPerMinute: configured('customSqlPerMinute'),
    batchDatasetsPerMinute: configured('batchDatasetsPerMinute'),
    batchEventsPerMinute: configured('batchEventsPerMinute'),
    publicPerMinute: first(isReplaced === undefined ? undefined : limits.publicPerMinute, limit),
    websites: first(limits.websites, plans.documents.websites),
    links: first(limits.links, plans.documents.links),
    goals: first(limits.goals, plans.documents.goals),
    funnels: first(limits.funnels, plans.documents.funnels),
  };
}

/** The organization's own number, else the common one. */
function first(own: number | undefined, common: number | undefined): Effective {
  return { value: own ?? common ?? null, isOwn: own !== undefined };
}
