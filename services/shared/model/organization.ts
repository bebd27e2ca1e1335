/** An organization: the tenant, with its plan and its own limits. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

const perWindow = z.number().int().min(1).max(1_000_000_000);

/** Limits of an organization that replace those in plans.yml (contract.md section 4). */
export const organizationLimitsSchema = z.strictObject({
  per10Seconds: perWindow.optional(),
  perMinute: perWindow.optional(),
  /** Quotas of the calendar in UTC. */
  perDay: perWindow.optional(),
  perMonth: perWindow.optional(),
  customSqlPerMinute: perWindow.optional(),
  batchDatasetsPerMinute: perWindow.optional(),
  batchEventsPerMinute: perWindow.optional(),
  publicPerMinute: perWindow.optional(),
  /** How many of them it may have at most. */
  websites: perWindow.optional(),
  links: perWindow.optional(),
  goals: perWindow.optional(),
  funnels: perWindow.optional(),
});
export type OrganizationLimits = z.infer<typeof organizationLimitsSchema>;

/** How many days events are kept: 1 day to a hundred years. */
export const retentionDaysSchema = z.number().int().min(1).max(36_500);

/** Marks a membership that is about to be removed or to lose the role of owner; meanwhile it does not count as an owner. */
export const departingMemberSchema = z.object({
  /** Distinguishes this mark from others on the same membership. */
  id: z.string(),
  membershipId: z.string(),
  at: z.iso.datetime(),
});
export type DepartingMember = z.infer<typeof departingMemberSchema>;

/** Settings that members may change. There are none yet; an unknown one is refused. */
export const organizationSettingsSchema = z.strictObject({});

export const organizationSchema = storedSchema.extend({
  name: z.string(),
  /** Unique over all organizations; absent or null: none. */
  slug: z.string().nullable().optional(),
  /** IANA name; absent: UTC. */
  timezone: z.string().optional(),
  /** Absent: none is set. */
  settings: organizationSettingsSchema.optional(),
  plan: z.string(),
  limits: organizationLimitsSchema,
  /** How many days its events are kept, in place of its plan's number; null or absent: the plan's. */
  retentionDays: retentionDaysSchema.nullable().optional(),
  /** Absent until a member left for the first time. */
  departingMembers: z.array(departingMemberSchema).optional(),
});
export type Organization = z.infer<typeof organizationSchema>;
