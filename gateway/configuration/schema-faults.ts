/** Judges a value by a zod schema and tells every issue as a fault; what is allowed is read from the schema itself. */
import { z } from 'zod';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';

/** The part of a zod schema that the check uses, so that a plugin may bring a zod of its own. */
export interface ParameterSchema {
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** What `schema` makes of the value at `cursor` (`value` in its place when given); undefined after faults. */
export function parseAt<T>(
  cursor: Cursor,
  schema: ParameterSchema | z.ZodType<T>,
  value: unknown = cursor.value,
): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data as T;
  const described = jsonSchemaOf(schema);
  for (const issue of result.error.issues) reportIssue(cursor, issue, described);
  return undefined;
}

function reportIssue(root: Cursor, issue: z.core.$ZodIssue, described: JsonSchema): void {
  const steps = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const cursor = steps.reduce((place, step) => place.at(step), root);
  const node = nodeAt(described, steps);
  if (issue.code === 'unrecognized_keys') {
    const known = propertiesOf(node);
    const allowed = known.length > 0 ? known : ['no keys'];
    for (const key of issue.keys) {
      cursor.at(key).report(`unknown key "${key}"`, { came: key, allowed, candidates: known });
    }
    return;
  }
  if (issue.code === 'invalid_key') {
    const names = nodeAt(described, steps.slice(0, -1)).propertyNames;
    const allowed = isMap(names) ? [describe(names)] : [];
    const key = steps.at(-1);
    cursor.report(`${shown(key)} is no name for this`, { came: key, allowed, candidates: [] });
    return;
  }
  const allowed = allowedBy(node);
  if (cursor.value === undefined && issue.code !== 'custom') {
    cursor.report('is missing', { allowed, candidates: [] });
    return;
  }
  const candidates = isEnum(node) ? node.enum.map(String) : [];
  if (issue.code === 'custom' || allowed.length === 0) cursor.report(issue.message, { candidates });
  else cursor.report(`${shown(cursor.value)} is not allowed`, { allowed, candidates });
}

/** The schema as JSON schema; empty when it cannot be described. */
function jsonSchemaOf(schema: unknown): JsonSchema {
  try {
    return z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  } catch {
    return {};
  }
}

function nodeAt(root: JsonSchema, steps: readonly (string | number)[]): JsonSchema {
  let node = root;
  for (const step of steps) {
    const named = isMap(node.properties) ? node.properties[step] : undefined;
    const other = typeof step === 'number' ? node.items : node.additionalProperties;
    const next = named ?? other;
    if (!isMap(next)) return {};
    node = next;
  }
  return node;
}

function propertiesOf(node: JsonSchema): string[] {
  return isMap(node.properties) ? Object.keys(node.properties) : [];
}

function isEnum(node: JsonSchema): node is { readonly enum: readonly unknown[] } {
  return Array.isArray(node.enum);
}

function allowedBy(node: JsonSchema): string[] {
  if (isEnum(node)) return node.enum.map(String);
  const text = describe(node);
  return text === '' ? [] : [text];
}

/** A schema in a few words, such as `an integer from 1 to 60`; empty when it says nothing. */
function describe(node: JsonSchema): string {
  if (isEnum(node)) return node.enum.map(shown).join(' or ');
  if (node.const !== undefined) return shown(node.const);
  if (Array.isArray(node.anyOf)) return node.anyOf.filter(isMap).map(describe).join(' or ');
  if (node.type === 'integer') return `an integer${range(node.minimum, node.maximum)}`;
  if (node.type === 'number') return `a number${range(node.minimum, node.maximum)}`;
  if (node.type === 'boolean') return 'true or false';
  if (node.type === 'array') {
    const items = isMap(node.items) ? describe(node.items) : '';
    return items === '' ? 'a list' : `a list, each item ${items}`;
  }
  if (node.type === 'object') {
    const keys = propertiesOf(node);
    return keys.length === 0 ? 'a map' : `a map of ${keys.join(', ')}`;
  }
  if (node.type !== 'string') return '';
  if (typeof node.pattern === 'string') return `text matching ${node.pattern}`;
  const length = range(node.minLength, node.maxLength);
  return length === '' ? 'text' : `text of${length} characters`;
}

function range(least: unknown, most: unknown): string {
  const low = typeof least === 'number' && least > Number.MIN_SAFE_INTEGER ? least : undefined;
  const high = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER ? most : undefined;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` from ${low}`;
  return high === undefined ? '' : ` up to ${high}`;
}
