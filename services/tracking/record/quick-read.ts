/**
 * Reads values that are plainly sound without zod, which costs five times as much per event. Whatever is doubtful is left
 * to the schema, so faults have one source.
 */
import type { z } from 'zod';

/** Only the schema can tell. */
export const DOUBTFUL = Symbol('doubtful');

/** What the schema would make of a value, neither null nor undefined; or {@link DOUBTFUL}. */
export type QuickRead = (value: unknown) => unknown;

/** By the definitions of their schemas, which descriptions leave as they are. */
const READS = new WeakMap<object, QuickRead>();

/** The schema, whose sound values `read` reads too. */
export function quickly<S extends z.core.$ZodType>(schema: S, read: QuickRead): S {
  READS.set(schema._zod.def, read);
  return schema;
}

/** The schema that further asks for `accepts`, which has no say in what else is sound. */
export function quicklyRefined<S extends z.ZodType>(
  schema: S,
  accepts: (value: z.output<S>) => boolean,
  error: string,
): S {
  const read = readOf(schema);
  return quickly(schema.refine(accepts, { error }) as S, (value) => {
    const made = read(value);
    return made === DOUBTFUL || !accepts(made as z.output<S>) ? DOUBTFUL : made;
  });
}

/** Reads the fields of an object that are there; null: something is doubtful, or a required field is missing. */
export type QuickObject = (given: object) => Record<string, unknown> | null;

/** The reader of objects of a shape; further fields are ignored, those of `doubtful` names make an object doubtful. */
export function createQuickObject(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  doubtful: readonly string[] = [],
): QuickObject {
  const fields = new Map<string, Field | null>();
  for (const [name, schema] of Object.entries(shape)) fields.set(name, fieldOf(schema));
  for (const name of doubtful) fields.set(name, null);
  const required = [...fields.values()].filter((field) => field?.isRequired === true).length;

  return function quickObject(given) {
    const made: Record<string, unknown> = {};
    let missing = required;
    for (const name in given) {
      const field = fields.get(name);
      if (field === undefined) continue;
      if (field === null) return null;
      const value = (given as Readonly<Record<string, unknown>>)[name];
      if (field.isRequired) missing--;
      else if (value === null) {
        made[name] = null;
        continue;
      }
      const read = field.read(value);
      if (read === DOUBTFUL) return null;
      made[name] = read;
    }
    return missing === 0 ? made : null;
  };
}

interface Field {
  readonly read: QuickRead;
  /** Otherwise it may be null or absent. */
  readonly isRequired: boolean;
}

function fieldOf(schema: z.core.$ZodType): Field {
  return { read: readOf(schema), isRequired: schema._zod.optin === undefined };
}

/** That of the schema, or of what it makes optional or nullable. */
function readOf(schema: z.core.$ZodType): QuickRead {
  const definition: z.core.$ZodTypeDef & { readonly innerType?: z.core.$ZodType } = schema._zod.def;
  const read = READS.get(definition);
  if (read !== undefined) return read;
  const isWrapper = definition.type === 'optional' || definition.type === 'nullable';
  return isWrapper && definition.innerType ? readOf(definition.innerType) : () => DOUBTFUL;
}
