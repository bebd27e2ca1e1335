/** Validates a value with a zod schema and reports every issue as a fault; the allowed values come from the schema itself. */
import { z } from 'zod';
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import type { Steps } from './place.ts';

/** The part of a zod schema that the check uses, so that a plugin may bring a zod of its own. */
export interface ParameterSchema {
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** The value at `cursor` (or `value`, if given) parsed by `schema`; undefined after faults. */
export function parseAt<T>(
  cursor: Cursor,
  schema: ParameterSchema | z.ZodType<T>,
  value: unknown = cursor.value,
): T | undefined {
  return parseWritten(cursor, schema, value)?.parsed;
}

/**
 * As {@link parseAt}, with the value before the parse as well: there a text of a variable is a number, or true or false, where
 * the schema takes none but these.
 */
export function parseWritten<T>(
  cursor: Cursor,
  schema: ParameterSchema | z.ZodType<T>,
  value: unknown = cursor.value,
): { readonly parsed: T; readonly written: unknown } | undefined {
  let written = value;
  let result = schema.safeParse(written);
  for (const { path } of result.success ? [] : result.error.issues) {
    const steps = stepsOf(path);
    const typed = cursor.isReplaced(steps) ? typedText(valueAt(written, steps)) : undefined;
    if (typed === undefined) continue;
    const tried = withValueAt(written, steps, typed);
    const next = schema.safeParse(tried);
    if (
      !next.success &&
      next.error.issues.some((issue) => fieldPath(stepsOf(issue.path)) === fieldPath(steps))
    )
      continue;
    written = tried;
    result = next;
  }
  if (result.success) return { parsed: result.data as T, written };
  const described = jsonSchemaOf(schema);
  for (const issue of result.error.issues) reportIssue(cursor, issue, described);
  return undefined;
}

function stepsOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((step) => (typeof step === 'number' ? step : String(step)));
}

/** A text as the number or truth value that YAML would read there. */
function typedText(text: unknown): number | boolean | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  return typeof text === 'string' && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function valueAt(value: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null
        ? (inside as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  );
}

/** A copy of `value` in which `put` stands at `steps`; the path exists. */
export function withValueAt(value: unknown, [step, ...rest]: Steps, put: unknown): unknown {
  if (step === undefined) return put;
  if (Array.isArray(value)) return value.with(Number(step), withValueAt(value[Number(step)], rest, put));
  const map = value as Readonly<Record<string, unknown>>;
  return { ...map, [step]: withValueAt(map[step], rest, put) };
}

function reportIssue(root: Cursor, issue: z.core.$ZodIssue, described: JsonSchema): void {
  const steps = stepsOf(issue.path);
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
    cursor.report(`${shown(key)} is not a valid name here`, { came: key, allowed, candidates: [] });
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

/** The schema as JSON schema; empty if it cannot be converted. */
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
