/** What a flag may hold when it is written, and how it looks on the wire (contract.md section 7). */
import { z } from 'zod';
import {
  FLAG_STATUSES,
  FLAG_TYPES,
  type Flag,
  flagRuleSchema,
  ROLLOUT_SUBJECTS,
  VARIANT_TYPES,
} from '../../shared/model/flag.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { rulesSchema } from './rule-schema.ts';

/** How many flags a website may have, and an organization itself. */
export const MAX_FLAGS = 1_000;
/**
 * How much the flags of one website, or of one organization, may hold together, in characters of JSON: evaluation keeps
 * them in memory.
 */
export const MAX_FLAGS_LENGTH = 4_194_304;
/** Largest payload and largest value of a variant, in bytes of JSON. */
const MAX_JSON_BYTES = 16_384;
const MAX_VARIANTS = 50;
const MAX_LINKED = 50;
const MAX_ID_LENGTH = 64;
/** The tolerance of the sum of weights around 100: only for rounding errors of fractions. */
const WEIGHT_TOLERANCE = 1e-6;

const KEY_TEXT = '1 to 100 letters, digits, "_" and "-"';
export const flagKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, `Allowed: ${KEY_TEXT}.`)
  .describe(KEY_TEXT);

/** A name in JSON that stores drop; a quote after a backslash belongs to a text. */
const PROTOTYPE_NAME = /(?<!\\)"__proto__":/;

/** JSON of bounded size; a parsed body can contain nothing else. */
const boundedJsonSchema = z
  .any()
  .refine((value) => value === undefined || Buffer.byteLength(JSON.stringify(value)) <= MAX_JSON_BYTES, {
    error: `Allowed: JSON of at most ${MAX_JSON_BYTES} bytes.`,
  })
  .refine((value) => value === undefined || !PROTOTYPE_NAME.test(JSON.stringify(value)), {
    error: 'Allowed: no name "__proto__".',
  });

const variantSchema = z.strictObject({
  key: z.string().min(1).max(50).describe('a text of 1 to 50 characters, once in the flag'),
  value: boundedJsonSchema.describe('a value of the type that "type" names'),
  type: z.enum(VARIANT_TYPES).describe(VARIANT_TYPES.join(', ')),
  weight: z.number().min(0).max(100).optional().describe('a share from 0 to 100'),
});

export const variantsSchema = z
  .array(variantSchema.describe('a variant'))
  .max(MAX_VARIANTS)
  .superRefine((variants, context) => {
    const keys = new Set<string>();
    variants.forEach(({ key, value, type, weight }, i) => {
      const fault = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [i, field], message });
      if (keys.has(key)) fault('key', `Came "${key}" a second time. Allowed: once.`);
      keys.add(key);
      if (value === undefined) fault('value', 'This is missing.');
      else if (type !== 'json' && typeof value !== type) fault('value', `Allowed: a ${type}, as type says.`);
      if (weight === undefined && variants.some((other) => other.weight !== undefined))
        fault('weight', 'This is missing. Allowed: a weight for each variant or for none.');
    });
    const weights = variants.flatMap(({ weight }) => weight ?? []);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    // If only some have a weight, those without one are the fault.
    if (weights.length === 0 || weights.length < variants.length) return;
    if (Math.abs(sum - 100) > WEIGHT_TOLERANCE)
      context.addIssue({ code: 'custom', message: `The weights sum to ${sum}. Allowed: 100.` });
  })
  .describe(`a list of at most ${MAX_VARIANTS} variants; their weights, if there are any, sum to 100`);

export const dependenciesSchema = z
  .array(flagKeySchema)
  .max(MAX_LINKED)
  .refine((keys) => new Set(keys).size === keys.length, 'Name each flag once.')
  .describe(`a list of at most ${MAX_LINKED} keys of flags, each once`);

export const targetGroupIdsSchema = z
  .array(z.string().min(1).max(MAX_ID_LENGTH))
  .max(MAX_LINKED)
  .refine((ids) => new Set(ids).size === ids.length, 'Name each group once.')
  .describe(`a list of at most ${MAX_LINKED} target groups of the organization, each once`);

/** The fields of a flag that a caller may change; fields that are not named stay unchanged. */
export const flagChangesSchema = z
  .strictObject({
    name: nameSchema(),
    description: z.string().max(1_000).overwrite(cleanText).describe('a text of at most 1000 characters'),
    type: z.enum(FLAG_TYPES).describe(FLAG_TYPES.join(', ')),
    status: z.enum(FLAG_STATUSES).describe(FLAG_STATUSES.join(', ')),
    defaultValue: z
      .boolean()
      .describe('true or false: what a boolean flag is where nothing else decides; others keep it unused'),
    payload: boundedJsonSchema.describe(`any JSON of at most ${MAX_JSON_BYTES} bytes`),
    rolloutPercentage: z.number().min(0).max(100).describe('a number from 0 to 100'),
    rolloutBy: z.enum(ROLLOUT_SUBJECTS).describe(ROLLOUT_SUBJECTS.join(', ')),
    rules: rulesSchema,
    variants: variantsSchema,
    dependencies: dependenciesSchema,
    environment: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,50}$/, 'Allowed: 1 to 50 letters, digits, "_", "." and "-".')
      .nullable()
      .describe('1 to 50 letters, digits, "_", "." and "-"; null: for callers that name none'),
    targetGroupIds: targetGroupIdsSchema,
  })
  .partial();
export type FlagChanges = z.output<typeof flagChangesSchema>;

/** The request for a new flag. */
export const flagInputSchema = flagChangesSchema.extend({
  key: flagKeySchema,
  websiteId: z
    .string()
    .min(1)
    .max(MAX_ID_LENGTH)
    .nullish()
    .describe('a website of the organization; without one the flag is of the organization'),
});
export type FlagInput = z.output<typeof flagInputSchema>;

/** A flag on the wire. */
export const flagViewSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  websiteId: z.string().nullable(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.enum(FLAG_TYPES),
  status: z.enum(FLAG_STATUSES),
  defaultValue: z.boolean(),
  payload: z.any(),
  rolloutPercentage: z.number(),
  rolloutBy: z.enum(ROLLOUT_SUBJECTS),
  rules: z.array(flagRuleSchema),
  variants: z.array(
    z.object({
      key: z.string(),
      value: z.any(),
      type: z.enum(VARIANT_TYPES),
      weight: z.number().optional(),
    }),
  ),
  dependencies: z.array(z.string()),
  environment: z.string().nullable(),
  targetGroupIds: z.array(z.string()),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type FlagView = z.infer<typeof flagViewSchema>;

/** A stored flag in its wire form. */
export function toFlagView({ version: _version, scopeId: _scopeId, ...shown }: Flag): FlagView {
  return shown;
}

/** The defaults of a new flag; its name is its key. */
export const FLAG_DEFAULTS = {
  description: '',
  type: 'boolean',
  status: 'active',
  defaultValue: false,
  payload: null,
  rolloutPercentage: 0,
  rolloutBy: 'user',
  rules: [],
  variants: [],
  dependencies: [],
  environment: null,
  targetGroupIds: [],
} as const satisfies Partial<Record<keyof Flag, unknown>>;
