/** An organization: the tenant, with its plan and its own limits. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

const perWindow = z.number().int().min(1).max(1_000_000_000);

/** Limits of its own that an organization carries in place of its plan's (contract.md section 4). */
export const organizationLimitsSchema = z.strictObject({
  per10Seconds: perWindow.optional(),
  perMinute: perWindow.optional(),
  customSqlPerMinute: perWindow.optional(),
  batchDatasetsPerMinute: perWindow.optional(),
  batchEventsPerMinute: perWindow.optional(),
  publicPerMinute: perWindow.optional(),
});
export type OrganizationLimits = z.infer<typeof organizationLimitsSchema>;

/** How many days events are kept: 1 day to a hundred years. */
export const retentionDaysSchema = z.number().int().min(1).max(36_500);

/** A membership that is about to be removed or to lose the role of owner, so that it is counted as no owner meanwhile. */
export const departingMemberSchema = z.object({
  /** Tells the mark from others on the same membership. */
  id: z.string(),
  membershipId: z.string(),
  at: z.iso.datetime(),
});
export type DepartingMember = z.infer<typeof departingMemberSchema>;

/** What members may set for their organization. There is no setting yet; an unknown one is refused. */
export const organizationSettingsSchema = z.strictObject({});

export const organizationSchema = storedSchema.extend({
  name: z.string(),
  /** Unique over all organizations; absent and null: none. */
  slug: z.string().nullable().optional(),
  /** IANA name; absent: UTC. */
  timezone: z.string().optional(),
  /** Absent: none is set. */
  settings: organizationSettingsSchema.optional(),
  plan: z.string(),
  limits: organizationLimitsSchema,
  /** Days that its events are kept, in place of its plan's number; null or absent: the plan's. */
  retentionDays: retentionDaysSchema.nullable().optional(),
  /** Absent until a member went for the first time. */
  departingMembers: z.array(departingMemberSchema).optional(),
});
export type Organization = z.infer<typeof organizationSchema>;
