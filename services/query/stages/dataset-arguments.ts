/** Reads what a parameter says besides the fields of every parameter: the arguments of its dataset; part of the parse stage. */
import { z } from 'zod';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import { type ArgumentValues, NO_ARGUMENTS } from '../catalogue/arguments.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import type { Faults, KnownNames } from './faults.ts';

/** The fields of every parameter, which no argument may be called like. */
export const PARAMETER_FIELDS = ['name', 'id', 'startDate', 'endDate', 'granularity'] as const;

const commonFields: ReadonlySet<string> = new Set(PARAMETER_FIELDS);

/** Of a dataset that has no arguments, or that nobody knows. */
const withoutArguments = z.strictObject({});

/** A parameter of a request, with its place. */
export interface ArgumentSource {
  /** The parameter, where it is more than a name. */
  readonly fields: object;
  readonly place: string;
  /** Undefined: no dataset has the name. */
  readonly dataset: Dataset | undefined;
}

/** Missing, unknown and faulty arguments are faults at their place; of those there is no value. */
export function readArguments({ fields, place, dataset }: ArgumentSource, faults: Faults): ArgumentValues {
  const given = Object.entries(fields).filter(([name]) => !commonFields.has(name));
  if (given.length === 0 && !dataset?.arguments) return NO_ARGUMENTS;
  const schema = (dataset?.arguments ?? withoutArguments).strict();
  const checked = schema.safeParse(Object.fromEntries(given), OUR_WORDING);
  if (checked.success) return checked.data as ArgumentValues;
  faults.addIssues(checked.error.issues, place, namesOf(schema));
  return NO_ARGUMENTS;
}

/** The names that a parameter of this dataset may have, and those of the objects in its arguments. */
function namesOf(schema: z.ZodObject): KnownNames {
  const names = new Map<string, string[]>([['', [...PARAMETER_FIELDS]]]);
  collectNames(z.toJSONSchema(schema, { io: 'input' }), [], names);
  return Object.fromEntries(names);
}

type JsonSchema = z.core.JSONSchema._JSONSchema;

function collectNames(schema: JsonSchema | undefined, path: readonly string[], names: Map<string, string[]>) {
  if (typeof schema !== 'object') return;
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    collectNames(branch, path, names);
  }
  if (schema.items !== undefined && !Array.isArray(schema.items)) collectNames(schema.items, path, names);
  if (!schema.properties) return;
  const place = path.join('.');
  names.set(place, [...new Set([...Object.keys(schema.properties), ...(names.get(place) ?? [])])]);
  for (const [name, inner] of Object.entries(schema.properties)) collectNames(inner, [...path, name], names);
}
