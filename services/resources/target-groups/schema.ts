/** What a target group may hold when it is written, and how it looks on the wire (contract.md section 7). */
import { z } from 'zod';
import { flagRuleSchema, type TargetGroup } from '../../shared/model/flag.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { rulesSchema } from '../flags/rule-schema.ts';

/** How many target groups an organization may have. */
export const MAX_TARGET_GROUPS = 500;
/** How much they may hold together, in characters of JSON: evaluation keeps them in memory. */
export const MAX_TARGET_GROUPS_LENGTH = 4_194_304;

/** The request for a new group. */
export const targetGroupInputSchema = z.strictObject({
  name: nameSchema(),
  description: z
    .string()
    .max(1_000)
    .overwrite(cleanText)
    .optional()
    .describe('a text of at most 1000 characters'),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Allowed: a colour as "#rrggbb".')
    .optional()
    .describe('a colour as "#rrggbb"'),
  rules: rulesSchema.optional(),
});
export type TargetGroupInput = z.output<typeof targetGroupInputSchema>;

/** The fields of a group that a caller may change; fields that are not named stay unchanged. */
export const targetGroupChangesSchema = targetGroupInputSchema.partial();
export type TargetGroupChanges = z.output<typeof targetGroupChangesSchema>;

/** The defaults of a new group. */
export const TARGET_GROUP_DEFAULTS = { description: '', color: '#6b7280' } as const;

/** A target group on the wire. */
export const targetGroupViewSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  description: z.string(),
  color: z.string(),
  rules: z.array(flagRuleSchema),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type TargetGroupView = z.infer<typeof targetGroupViewSchema>;

/** A stored group in its wire form. */
export function toTargetGroupView({ version: _version, ...shown }: TargetGroup): TargetGroupView {
  return shown;
}
