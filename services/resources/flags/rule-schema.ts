/** What a rule of a flag or of a target group may hold: which operator takes which values (contract.md section 7). */
import { z } from 'zod';
import { RULE_OPERATORS, RULE_TYPES } from '../../shared/model/flag.ts';

/** How many rules a flag or a target group may have. */
export const MAX_RULES = 100;
/** How many values a rule may have. */
export const MAX_VALUES = 1_000;
/** How many values all rules of a flag or of a target group may have together. */
export const MAX_VALUES_IN_ALL = 10_000;
const MAX_TEXT = 256;
const MAX_FIELD = 100;

const textSchema = z.string().min(1).max(MAX_TEXT);
const comparedSchema = z
  .union([textSchema, z.number(), z.boolean()], {
    error: `Allowed: a text of 1 to ${MAX_TEXT} characters, a number, true or false.`,
  })
  .describe(`a text of 1 to ${MAX_TEXT} characters, a number, true or false`);

const ruleShape = z.strictObject({
  type: z.enum(RULE_TYPES).describe(RULE_TYPES.join(', ')),
  operator: z.enum(RULE_OPERATORS).describe(RULE_OPERATORS.join(', ')),
  field: z
    .string()
    .min(1)
    .max(MAX_FIELD)
    .optional()
    .describe(`the name of a property, 1 to ${MAX_FIELD} characters; only of a rule of type property`),
  value: comparedSchema.optional(),
  values: z
    .array(comparedSchema)
    .max(MAX_VALUES)
    .optional()
    .describe(`a list of 1 to ${MAX_VALUES} values, only of the operators in and not_in`),
  enabled: z.boolean().describe('true or false: what the flag is for those who match'),
  batch: z.boolean().optional().describe('true: batchValues are compared, and one that fits is enough'),
  batchValues: z
    .array(textSchema)
    .max(MAX_VALUES)
    .optional()
    .describe(`with batch: a list of 1 to ${MAX_VALUES} texts of 1 to ${MAX_TEXT} characters`),
});
type Rule = z.output<typeof ruleShape>;
type RuleFault = readonly [field: keyof Rule, message: string];

const ruleSchema = ruleShape.superRefine((rule, context) => {
  for (const [field, message] of ruleFaults(rule))
    context.addIssue({ code: 'custom', path: [field], message });
});

export const rulesSchema = z
  .array(ruleSchema.describe('a rule'))
  .max(MAX_RULES)
  .superRefine((rules, context) => {
    const values = rules.reduce(
      (sum, rule) => sum + (rule.values?.length ?? 0) + (rule.batchValues?.length ?? 0),
      0,
    );
    if (values <= MAX_VALUES_IN_ALL) return;
    const message = `Came ${values} values in all. Allowed: at most ${MAX_VALUES_IN_ALL}.`;
    context.addIssue({ code: 'custom', message });
  })
  .describe(`a list of at most ${MAX_RULES} rules with at most ${MAX_VALUES_IN_ALL} values in all`);

/** The faults of a rule whose fields are valid each by itself. */
function ruleFaults(rule: Rule): RuleFault[] {
  if (rule.type === 'property' && rule.field === undefined) return percentageFaults(rule);
  const faults: RuleFault[] = [];
  if (rule.type !== 'property' && rule.field !== undefined)
    faults.push(['field', 'Allowed: only for a rule of type property.']);
  return [...faults, ...comparedFaults(rule)];
}

function percentageFaults({ value, values = [], batch = false }: Rule): RuleFault[] {
  const faults: RuleFault[] = [];
  if (typeof value !== 'number') {
    const message = 'This is missing. Allowed: the name of a property; without one, a percentage as value.';
    faults.push(['field', message]);
  } else if (value < 0 || value > 100)
    faults.push(['value', 'Allowed: without a field, a percentage from 0 to 100.']);
  if (values.length > 0) faults.push(['values', 'Allowed: none beside a percentage.']);
  if (batch) faults.push(['batch', 'Allowed: not beside a percentage.']);
  return faults;
}

/** Each operator has what it compares with, and nothing that it would not read. */
function comparedFaults(rule: Rule): RuleFault[] {
  const { operator, value, values = [], batch = false, batchValues = [] } = rule;
  const isAboutBeing = operator === 'exists' || operator === 'not_exists';
  const reads = isAboutBeing
    ? null
    : batch
      ? 'batchValues'
      : operator === 'in' || operator === 'not_in'
        ? 'values'
        : 'value';
  const faults: RuleFault[] = [];
  const came = { value: value !== undefined, values: values.length > 0, batchValues: batchValues.length > 0 };
  for (const field of ['value', 'values', 'batchValues'] as const) {
    const with_ = batch && !isAboutBeing ? `${operator} with batch` : operator;
    if (field === reads && !came[field])
      faults.push([field, `This is missing. The operator ${with_} compares with ${field}.`]);
    else if (field !== reads && came[field])
      faults.push([
        field,
        `Allowed: none; the operator ${with_} ${reads === null ? 'compares with nothing' : `compares with ${reads}`}.`,
      ]);
  }
  if (batch && isAboutBeing) faults.push(['batch', `Allowed: not with the operator ${operator}.`]);
  return faults;
}
