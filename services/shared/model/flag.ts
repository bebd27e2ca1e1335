/** Feature flags and the groups of callers that they target (contract.md section 7). */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** A JSON value. */
export const jsonSchema = z.json();
export type JsonValue = z.infer<typeof jsonSchema>;

export const FLAG_TYPES = ['boolean', 'rollout', 'multivariant'] as const;
export const FLAG_STATUSES = ['active', 'inactive', 'archived'] as const;
export const ROLLOUT_SUBJECTS = ['user', 'organization', 'team'] as const;
export const RULE_TYPES = ['user_id', 'email', 'property'] as const;
export const RULE_OPERATORS = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'in',
  'not_in',
  'exists',
  'not_exists',
] as const;
export const VARIANT_TYPES = ['string', 'number', 'json'] as const;

/** What a rule compares with. */
const comparedSchema = z.union([z.string(), z.number(), z.boolean()]);

/** Who is meant: a property of the caller, compared with the rule's values. */
export const flagRuleSchema = z.strictObject({
  type: z.enum(RULE_TYPES),
  operator: z.enum(RULE_OPERATORS),
  /** Name of the property; a property rule without one matches `value` percent of the callers. */
  field: z.string().optional(),
  value: comparedSchema.optional(),
  /** For `in` and `not_in`. */
  values: z.array(comparedSchema).optional(),
  /** The flag's value for those who match. */
  enabled: z.boolean(),
  /** Whether `batchValues` are compared, any of which may match, in place of `value` and `values`. */
  batch: z.boolean().optional(),
  batchValues: z.array(z.string()).optional(),
});
export type FlagRule = z.infer<typeof flagRuleSchema>;

export const flagVariantSchema = z.strictObject({
  key: z.string(),
  value: jsonSchema,
  type: z.enum(VARIANT_TYPES),
  /** Share in percent; either all variants of a flag have one or none has. */
  weight: z.number().optional(),
});
export type FlagVariant = z.infer<typeof flagVariantSchema>;

export const flagSchema = storedSchema.extend({
  /** Unique within its scope. */
  key: z.string(),
  /** `websiteId`, else the organization: keys are unique within it, and clients name it in requests. */
  scopeId: z.string(),
  websiteId: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  type: z.enum(FLAG_TYPES),
  status: z.enum(FLAG_STATUSES),
  /** The value of a boolean flag when nothing else decides; other types store it without using it. */
  defaultValue: z.boolean(),
  payload: jsonSchema,
  /** 0..100, for a flag of type rollout. */
  rolloutPercentage: z.number(),
  rolloutBy: z.enum(ROLLOUT_SUBJECTS),
  rules: z.array(flagRuleSchema),
  /** For a flag of type multivariant. */
  variants: z.array(flagVariantSchema),
  /** Keys of flags that must be on: in the same scope, else in the organization. */
  dependencies: z.array(z.string()),
  /** Null: for callers that name no environment. */
  environment: z.string().nullable(),
  targetGroupIds: z.array(z.string()),
  createdBy: z.string(),
});
export type Flag = z.infer<typeof flagSchema>;

export const targetGroupSchema = storedSchema.extend({
  name: z.string(),
  description: z.string(),
  /** The color that pages show it in, as `#rrggbb`. */
  color: z.string(),
  rules: z.array(flagRuleSchema),
  createdBy: z.string(),
});
export type TargetGroup = z.infer<typeof targetGroupSchema>;
