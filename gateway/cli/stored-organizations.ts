/** Checks a configuration against the organizations that are stored, for `tidegate check --running`. */
import type { Configuration } from '../configuration/configuration.ts';
import type { Fault } from '../configuration/faults.ts';

/** What the check needs of an organization. */
export interface StoredOrganization {
  readonly id: string;
  /** Name of its plan. */
  readonly plan: string;
}

export interface StoredFindings {
  /** What would keep a server from taking the configuration: plans in use that it lacks. */
  readonly faults: readonly Fault[];
  /** Overrides that bind nobody. */
  readonly warnings: readonly Fault[];
}

/** One fault for each organization on a plan that is missing, one warning for each override of an organization that does not exist. */
export function checkStored(
  { plans: { plans, overrides } }: Configuration,
  stored: readonly StoredOrganization[],
): StoredFindings {
  const names = Object.keys(plans);
  const ids = new Set(stored.map(({ id }) => id));
  const named = new Set(overrides.flatMap(({ organization }) => organization ?? []));
  return {
    faults: stored
      .filter(({ plan }) => !names.includes(plan))
      .map(({ id, plan }) => ({
        file: 'plans.yml',
        path: 'plans',
        came: plan,
        allowed: names,
        text: `the organization ${id} is on the plan "${plan}", which is missing`,
      })),
    warnings: [...named]
      .filter((id) => !ids.has(id))
      .map((id) => ({
        file: 'plans.yml',
        path: 'overrides',
        allowed: [],
        text: `the organization ${id} does not exist, so these numbers bind nobody`,
      })),
  };
}
