/** Words for faults whose schema has none of its own: they say what is allowed, in the language of all other errors. */
import type { z } from 'zod';

/** What a value of a JSON type is called; other types keep zod's names. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
/** What a value of this JSON type is called in errors. */
export function kindName(type: string): string {
  return KINDS[type] ?? type;
}

/** The unit of a size; for numbers it is the number itself. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: [' character', ' characters'],
  array: [' element', ' elements'],
};

/** Options for a `safeParse`: the wording of this file where the schema is silent. */
export const OUR_WORDING = { error: issueWording } as const;

function issueWording(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const allowed = `Allowed: ${kindName(issue.expected)}.`;
      return issue.input === undefined ? `This is missing. ${allowed}` : allowed;
    }
    case 'invalid_value':
      return `Allowed: ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `At least ${sized(issue.minimum, issue.origin)}.`;
    case 'too_big':
      return `At most ${sized(issue.maximum, issue.origin)}.`;
    default:
      return undefined;
  }
}

function sized(size: number | bigint, origin: string): string {
  const [one = '', many = ''] = UNITS[origin] ?? [];
  return `${size}${Number(size) === 1 ? one : many}`;
}
