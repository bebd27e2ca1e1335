/** What members may write of their organization, and how they see it (contract.md section 7). */
import { z } from 'zod';
import { organizationSettingsSchema } from '../../shared/model/organization.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { isTimezone } from '../websites/schema.ts';
import { effectiveLimitsSchema } from './effective-limits.ts';
import { usageCountSchema } from './organization-usage.ts';

export const organizationNameSchema = z
  .string('Allowed: a text of 1 to 100 characters.')
  .overwrite(cleanText)
  .min(1, 'At least one character.')
  .max(100, 'At most 100 characters.');

const SLUG = 'Allowed: 3 to 50 lower-case letters, digits and hyphens.';
const ZONE = 'Allowed: an IANA time zone, such as "Europe/Berlin".';

/** Months of usage that are shown, the current one among them. */
export const USAGE_MONTHS = 12;

/** What is not named stays. */
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
    'Read-only: what binds now, its own numbers in place of the plan’s.',
  ),
  usage: usageCountSchema
    .extend({
      months: z.array(usageCountSchema).describe(`The last ${USAGE_MONTHS} months, the current one first.`),
    })
    .describe('Read-only: the current month, and the last ones. Up to 30 seconds behind.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type OwnOrganization = z.infer<typeof ownOrganizationSchema>;
