/** Feature flags and the groups of users that they target (contract.md section 7). */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** A value as JSON has it. */
export const jsonSchema = z.json();

/** Who is meant: one property of the caller compared with what the rule names. */
export const flagRuleSchema = z.strictObject({
  type: z.enum(['user_id', 'email', 'property']),
  operator: z.enum([
    'equals',
    'contains',
    'starts_with',
    'ends_with',
    'in',
    'not_in',
    'exists',
    'not_exists',
  ]),
  /** Name of the property. */
  field: z.string().optional(),
  value: jsonSchema.optional(),
  values: z.array(jsonSchema).optional(),
  /** What the flag is for those who match. */
  enabled: z.boolean(),
  /** Whether `batchValues` are compared in place of one value. */
  batch: z.boolean().optional(),
  batchValues: z.array(z.string()).optional(),
});
export type FlagRule = z.infer<typeof flagRuleSchema>;

export const flagVariantSchema = z.strictObject({
  key: z.string(),
  value: jsonSchema,
  type: z.enum(['string', 'number', 'json']),
  /** Share in percent; of a flag all variants have one or none has. */
  weight: z.number().optional(),
});
export type FlagVariant = z.infer<typeof flagVariantSchema>;

export const flagSchema = storedSchema.extend({
  /** Unique within its scope. */
  key: z.string(),
  /** The website, else the organization: within it keys are unique, and by it clients ask. */
  scopeId: z.string(),
  websiteId: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  type: z.enum(['boolean', 'rollout', 'multivariant']),
  status: z.enum(['active', 'inactive', 'archived']),
  defaultValue: z.boolean(),
  payload: jsonSchema,
  rolloutPercentage: z.number(),
  rolloutBy: z.enum(['user', 'organization', 'team']),
  rules: z.array(flagRuleSchema),
  variants: z.array(flagVariantSchema),
  /** Keys of flags of the same scope that must be on. */
  dependencies: z.array(z.string()),
  /** Null: for callers that name none. */
  environment: z.string().nullable(),
  targetGroupIds: z.array(z.string()),
  createdBy: z.string(),
});
export type Flag = z.infer<typeof flagSchema>;

export const targetGroupSchema = storedSchema.extend({
  name: z.string(),
  description: z.string(),
  /** For pages that show it, as `#rrggbb`. */
  color: z.string(),
  rules: z.array(flagRuleSchema),
  createdBy: z.string(),
});
export type TargetGroup = z.infer<typeof targetGroupSchema>;
