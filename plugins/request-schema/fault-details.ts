/** The faults of a body as the API words all of its faults: the place in the body, and what is allowed there. */
import type { ErrorObject } from 'ajv';
import type { ErrorDetail } from '../../services/shared/errors/api-error.ts';
import { kindName } from '../../services/shared/errors/issue-wording.ts';
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import { stepsOf } from './schema-fault.ts';

/** Most faults that one answer names. */
export const MOST_FAULTS = 20;
/** Names come from the client: none is repeated in full that is longer. */
const LONGEST_FIELD = 200;
/** Faults that only say that others were found. */
const CONSEQUENCES = ['if', 'allOf', '$ref'];

export function faultDetails(errors: readonly ErrorObject[]): ErrorDetail[] {
  const found = new Map<string, ErrorDetail>();
  for (const error of errors) {
    if (found.size === MOST_FAULTS) break;
    if (CONSEQUENCES.includes(error.keyword) && errors.length > 1) continue;
    const detail = { field: fieldOf(error), message: messageOf(error) };
    found.set(`${detail.field}\n${detail.message}`, detail);
  }
  return [...found.values()];
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const own = params as Record<string, unknown>;
  const steps: (string | number)[] = stepsOf(instancePath).map((step) =>
    /^\d{1,9}$/.test(step) ? Number(step) : step,
  );
  const name = own.missingProperty ?? own.additionalProperty ?? own.unevaluatedProperty ?? own.propertyName;
  if (typeof name === 'string') steps.push(name);
  const field = fieldPath(steps) || 'body';
  return field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field;
}

function messageOf({ keyword, params, message = 'Not allowed' }: ErrorObject): string {
  const own = params as Record<string, unknown>;
  const { limit } = own;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'This is missing.';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'Unknown field.';
    case 'type':
      return `Allowed: ${[own.type]
        .flat()
        .map((type) => kindName(String(type)))
        .join(' or ')}.`;
    case 'enum':
      return `Allowed: ${(own.allowedValues as unknown[]).slice(0, MOST_FAULTS).map(shown).join(', ')}.`;
    case 'const':
      return `Allowed: ${shown(own.allowedValue)}.`;
    case 'minimum':
      return `At least ${limit}.`;
    case 'maximum':
      return `At most ${limit}.`;
    case 'minLength':
      return `At least ${limit} character${limit === 1 ? '' : 's'}.`;
    case 'maxLength':
      return `At most ${limit} character${limit === 1 ? '' : 's'}.`;
    case 'minItems':
      return `At least ${limit} element${limit === 1 ? '' : 's'}.`;
    case 'maxItems':
      return `At most ${limit} element${limit === 1 ? '' : 's'}.`;
    case 'pattern':
      return `Allowed: a text matching ${own.pattern}.`;
    case 'format':
      return `Allowed: a text of the format ${own.format}.`;
    default:
      return `It ${message}.`;
  }
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_FIELD ? `${text.slice(0, LONGEST_FIELD)}…` : text;
}
