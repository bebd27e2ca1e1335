/** A rule as the form holds it, and as the API takes it: one text of lines for all that it compares with. */
import type { FlagRule } from '../../api/wire.ts';
import { numberOf } from './number-of.ts';

/** Who is meant: a property of the caller, or a share of all callers. */
export const SUBJECTS = ['user_id', 'email', 'property', 'percentage'] as const;
export const OPERATORS = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'in',
  'not_in',
  'exists',
  'not_exists',
] as const satisfies readonly FlagRule['operator'][];
/** As many rules as a flag or a group may have. */
export const MOST_RULES = 100;

export interface RuleDraft {
  /** Tells it apart from the others while they are moved. */
  readonly row: number;
  readonly subject: (typeof SUBJECTS)[number];
  /** Name of the property. */
  readonly field: string;
  readonly operator: FlagRule['operator'];
  /** What it compares with, a line each; of a share its percentage. */
  readonly values: string;
  readonly enabled: boolean;
  /** The rule that the API told: what nobody touched goes back as it came. */
  readonly came?: FlagRule;
}

export const NEW_RULE: Omit<RuleDraft, 'row'> = {
  subject: 'user_id',
  field: '',
  operator: 'equals',
  values: '',
  enabled: true,
};

/** Whether the operator asks for the property itself, and compares with nothing. */
export function isAboutBeing({ subject, operator }: RuleDraft): boolean {
  return subject !== 'percentage' && (operator === 'exists' || operator === 'not_exists');
}

export const ruleDraftsOf = (rules: readonly FlagRule[]): RuleDraft[] =>
  rules.map((came, row) => ({
    row,
    subject: came.type === 'property' && came.field === undefined ? 'percentage' : came.type,
    field: came.field ?? '',
    operator: came.operator,
    values: linesOf(came),
    enabled: came.enabled,
    came,
  }));

/**
 * Several lines of an operator that compares with one value are a batch. What misses goes as it is: the API says so. An
 * empty name of a property is sent, as a rule without one would be a share.
 */
export function ruleOf(draft: RuleDraft): Record<string, unknown> {
  const { subject, field, operator, values, enabled, came } = draft;
  if (subject === 'percentage') return { type: 'property', operator, value: numberOf(values), enabled };
  const rule = { type: subject, operator, ...(subject === 'property' && { field }), enabled };
  if (isAboutBeing(draft)) return rule;
  const compared = came && linesOf(came) === values ? valuesOf(came) : values.split('\n').filter(Boolean);
  const isOfMany = operator === 'in' || operator === 'not_in';
  if (came?.batch || (!isOfMany && compared.length > 1))
    return { ...rule, batch: true, batchValues: compared.map(String) };
  return { ...rule, ...(isOfMany ? { values: compared } : { value: compared[0] }) };
}

const linesOf = (rule: FlagRule): string => valuesOf(rule).join('\n');

function valuesOf({
  batch,
  batchValues,
  values = [],
  value,
}: FlagRule): readonly (string | number | boolean)[] {
  if (batch) return batchValues ?? [];
  return value === undefined ? values : [value];
}
