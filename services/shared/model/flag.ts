/** Feature flags and the groups of callers that they target (contract.md section 7). */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** A value as JSON has it. */
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

/** Who is meant: one property of the caller compared with what the rule names. */
export const flagRuleSchema = z.strictObject({
  type: z.enum(RULE_TYPES),
  operator: z.enum(RULE_OPERATORS),
  /** Name of the property; a property rule without one means `value` percent of the callers. */
  field: z.string().optional(),
  value: comparedSchema.optional(),
  /** Of `in` and `not_in`. */
  values: z.array(comparedSchema).optional(),
  /** What the flag is for those who match. */
  enabled: z.boolean(),
  /** Whether `batchValues` are compared, one that fits being enough, in place of `value` and `values`. */
  batch: z.boolean().optional(),
  batchValues: z.array(z.string()).optional(),
});
export type FlagRule = z.infer<typeof flagRuleSchema>;

export const flagVariantSchema = z.strictObject({
  key: z.string(),
  value: jsonSchema,
  type: z.enum(VARIANT_TYPES),
  /** Share in percent; of a flag all variants have one or none has. */
  weight: z.number().optional(),
});
export type FlagVariant = z.infer<typeof flagVariantSchema>;

export const flagSchema = storedSchema.extend({
  /** Unique within its scope. */
  key: z.string(),
  /** `websiteId`, else the organization: within it keys are unique, and by it clients ask. */
  scopeId: z.string(),
  websiteId: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  type: z.enum(FLAG_TYPES),
  status: z.enum(FLAG_STATUSES),
  /** What a boolean flag is for those whom nothing else decides; other types keep it without using it. */
  defaultValue: z.boolean(),
  payload: jsonSchema,
  /** 0..100, of a flag of type rollout. */
  rolloutPercentage: z.number(),
  rolloutBy: z.enum(ROLLOUT_SUBJECTS),
  rules: z.array(flagRuleSchema),
  /** Of a flag of type multivariant. */
  variants: z.array(flagVariantSchema),
  /** Keys of flags that must be on: of the same scope, else of the organization. */
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
