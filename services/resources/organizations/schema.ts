/** What members may change in their organization, and how they see it (contract.md section 7). */
import { z } from 'zod';
import { organizationSettingsSchema } from '../../shared/model/organization.ts';
import { effectiveLimitsSchema } from '../../shared/plans/effective-limits-schema.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { isTimezone } from '../websites/schema.ts';
import { usageCountSchema } from './organization-usage.ts';

export const organizationNameSchema = nameSchema();

const SLUG = 'Allowed: 3 to 50 lower-case letters, digits and hyphens.';
const ZONE = 'Allowed: an IANA time zone, such as "Europe/Berlin".';

/** How many months of usage are shown, including the current one. */
export const USAGE_MONTHS = 12;

/** Fields that are not named stay unchanged. */
export const ownOrganizationChangesSchema = z.strictObject({
  name: organizationNameSchema.optional(),
  slug: z
    .string(SLUG)
    .regex(/^[a-z0-9-]{3,50}$/, SLUG)
    .nullable()
    .optional()
    .describe('Unique over all organizations; null: none.'),
  timezone: z
    .string(ZONE)
    .refine(isTimezone, ZONE)
    .optional()
    .describe(
      'The zone in which pages show times to its members. Queries without `timezone` stay in UTC, and so do the months of usage.',
    ),
  settings: organizationSettingsSchema.optional().describe('There is no setting yet: an empty object.'),
});
export type OwnOrganizationChanges = z.infer<typeof ownOrganizationChangesSchema>;

/** An organization as its members see it. */
export const ownOrganizationSchema = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullable(),
  timezone: z.string().describe('UTC unless it was set.'),
  settings: organizationSettingsSchema,
  plan: z.string().describe('Read-only: an operator changes it.'),
  limits: effectiveLimitsSchema.describe(
    'Read-only: the limits that apply now, its own numbers in place of the plan’s.',
  ),
  ownLimits: z
    .array(effectiveLimitsSchema.keyof())
    .describe('Read-only: those of the limits that are its own numbers.'),
  usage: usageCountSchema
    .extend({
      months: z.array(usageCountSchema).describe(`The last ${USAGE_MONTHS} months, the current one first.`),
    })
    .describe('Read-only: the current month, and the last ones. Up to 30 seconds behind.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type OwnOrganization = z.infer<typeof ownOrganizationSchema>;
