/** Reports in the operator's words what a schema found: what came, what is allowed, what was probably meant. */
import { z } from 'zod';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { normalForm } from '../websites/schema.ts';
import type { FaultPath, UnplacedFault } from './provisioning-fault.ts';
import { FIELD_NAMES, mayBeSecret } from './provisioning-file.ts';

/** Longest text that a fault repeats. */
const MAX_SHOWN = 60;

/** The issues in `error` about `value`, described by `schema`. */
export function shapeFaults(schema: z.ZodType, value: unknown, error: z.ZodError): UnplacedFault[] {
  return error.issues.flatMap((issue) => faultsOf(schema, value, issue));
}

function faultsOf(schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue): UnplacedFault[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, value, path);
    return issue.keys.map((key) => unknownKey(path, key, known));
  }
  const came = valueAt(value, path);
  const name = String(path.at(typeof path.at(-1) === 'number' ? -2 : -1));
  const what =
    came === undefined ? 'is missing' : `came ${shown(came, mayBeSecret(path) || isMisplaced(issue))}`;
  return [
    { path, message: `${what}; allowed: ${allowedAt(schema, path)}`, suggestion: meant(issue, name, came) },
  ];
}

/** Whether a map or a list is expected: a text in its place belongs elsewhere, and may be a secret. */
function isMisplaced(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && ['object', 'array'].includes(issue.expected);
}

/**
 * The fault of a key that a map may not have; a key that may be a secret is shown only if it is, or nearly is, a field's
 * name.
 */
function unknownKey(path: FaultPath, key: string, known: readonly string[]): UnplacedFault {
  const suggestion = nearestName(key, known);
  const fault = { path: [...path, key], message: `unknown key; allowed: ${known.join(', ')}`, suggestion };
  if (suggestion !== undefined || FIELD_NAMES.has(key) || !mayBeSecret(path)) return fault;
  return {
    ...fault,
    shownPath: path,
    message: `came ${shown(key, true)} as a key; allowed: ${known.join(', ')}`,
  };
}

/** What was probably meant where another value than one of a few texts, or another form of text, came. */
function meant(issue: z.core.$ZodIssue, name: string, came: unknown): string | undefined {
  if (typeof came !== 'string') return undefined;
  if (issue.code === 'invalid_value') return nearestName(came, issue.values.map(String));
  if (issue.code === 'invalid_union') return nearestName(came, optionsOf(issue));
  return normalForm(name, came);
}

function optionsOf(issue: z.core.$ZodIssue): string[] {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  return options.map(String);
}

/** A value as a fault repeats it: possible secrets only by their length. */
function shown(value: unknown, secret: boolean): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (value === null) return 'nothing';
  if (typeof value === 'object') return 'a map';
  if (secret) return typeof value === 'string' ? `a text of ${value.length} characters` : `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function valueAt(value: unknown, path: FaultPath): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

/** The innermost description along `path`. */
function allowedAt(schema: z.ZodType, path: FaultPath): string {
  let allowed = schema.description ?? '';
  let at: unknown = schema;
  for (const step of path) {
    at = childOf(at, step);
    if (!(at instanceof z.ZodType)) break;
    allowed = at.description ?? unwrap(at).description ?? allowed;
  }
  return allowed;
}

/** The keys that the map at `path` may have. */
function keysAt(schema: z.ZodType, value: unknown, path: FaultPath): string[] {
  let at: unknown = schema;
  for (const step of path) at = childOf(at, step);
  const inner = at instanceof z.ZodType ? unwrap(at) : at;
  if (inner instanceof z.ZodDiscriminatedUnion) {
    const came = valueAt(value, path);
    const fitting = inner.options.find(
      (option) => option instanceof z.ZodObject && isLevelOf(option, came as { level?: unknown }),
    );
    return fitting instanceof z.ZodObject ? Object.keys(fitting.shape) : [];
  }
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function isLevelOf(option: z.ZodObject, came: { level?: unknown }): boolean {
  return option.shape.level instanceof z.ZodType && option.shape.level.safeParse(came.level).success;
}

function childOf(schema: unknown, step: string | number): unknown {
  const inner = schema instanceof z.ZodType ? unwrap(schema) : schema;
  if (inner instanceof z.ZodObject) return inner.shape[step];
  if (inner instanceof z.ZodArray) return inner.element;
  return undefined;
}

function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapped ? unwrap(schema.unwrap() as z.ZodType) : schema;
}
