/** Numbers for one organization or one key, by the name of the limit, in place of the number for everybody. */
import { z } from 'zod';

/** The numbers of a plan, as plans.yml names them. */
export const PLAN_NUMBERS = ['per10Seconds', 'perMinute', 'perDay', 'perMonth'] as const;
export type PlanNumber = (typeof PLAN_NUMBERS)[number];

const id = z.string().min(1).max(200);

export const overrideSchema = z.strictObject({
  organization: id.optional().describe('Identifier of the organization whose requests it binds.'),
  key: id.optional().describe('Identifier of the API key whose requests it binds, in place of organization.'),
  limit: z
    .string()
    .describe('Name of a limit, or per10Seconds, perMinute, perDay or perMonth for a number of the plan.'),
  max: z.number().int().min(1).max(1_000_000_000).describe('The most that one window admits.'),
});
export type Override = z.infer<typeof overrideSchema>;

export interface Overrides {
  /** The number of an organization; undefined where it has none. */
  ofOrganization(id: string, limit: string): number | undefined;
  /** The number of an API key. */
  ofKey(id: string, limit: string): number | undefined;
}

interface Overridden {
  readonly overrides: readonly Override[];
}

const compiled = new WeakMap<Overridden, Overrides>();

/** The overrides of these plans, made once. */
export function overridesOf(plans: Overridden): Overrides {
  let found = compiled.get(plans);
  if (found === undefined) {
    found = compile(plans.overrides);
    compiled.set(plans, found);
  }
  return found;
}

function compile(overrides: readonly Override[]): Overrides {
  const organizations = new Map<string, number>();
  const keys = new Map<string, number>();
  for (const { organization, key, limit, max } of overrides) {
    if (organization !== undefined) organizations.set(`${limit} ${organization}`, max);
    if (key !== undefined) keys.set(`${limit} ${key}`, max);
  }
  return {
    ofOrganization: (id, limit) => organizations.get(`${limit} ${id}`),
    ofKey: (id, limit) => keys.get(`${limit} ${id}`),
  };
}
