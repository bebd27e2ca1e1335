/** How the fields of a document are stored in MongoDB: which as they are, which as JSON text, and what becomes of null. */
import { z } from 'zod';
import { cellNameSchema } from '../../model/activity.ts';
import type { Stored } from '../../model/stored.ts';
import { wellFormed } from '../../text/clean-text.ts';

/** A document as MongoDB holds it: `_id` is the port's `id`; a field that is null or absent in the port is absent here. */
export interface RawDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly [field: string]: unknown;
}

/** One top-level field. */
export interface DocumentField {
  readonly name: string;
  readonly type: z.core.$ZodType;
  /**
   * Stored as JSON text, since clients choose the keys within it (traits, configurations, payloads): MongoDB would
   * refuse or misread keys with `$` or dots, and none of these fields is searched.
   */
  readonly isJson: boolean;
  /** Absent means null: the model does not distinguish the two. */
  readonly isNull: boolean;
}

/** Translates the documents of one collection. */
export interface DocumentValues<T extends Stored> {
  readonly fields: readonly DocumentField[];
  toRaw(document: T): RawDocument;
  /** The stored document, not yet checked. @throws SyntaxError when a field's JSON text is damaged */
  fromRaw(raw: RawDocument): Record<string, unknown>;
}

/** @throws TypeError when the schema is not an object: every model is one */
export function documentValues<T extends Stored>(schema: z.ZodType<T>): DocumentValues<T> {
  const fields = fieldsOf(schema);
  return {
    fields,
    toRaw(document) {
      const { id, organizationId, version, ...values }: Stored & Record<string, unknown> = { ...document };
      const raw: Record<string, unknown> = {};
      for (const { name, isJson } of fields) {
        const value = wellFormed(values[name]);
        if (value !== null && value !== undefined) raw[name] = isJson ? JSON.stringify(value) : value;
      }
      return { ...raw, _id: id, organizationId, version };
    },
    fromRaw(raw) {
      const document: Record<string, unknown> = { id: raw._id };
      for (const { name, isJson, isNull } of fields) {
        const value = raw[name];
        if (value !== undefined) document[name] = isJson ? JSON.parse(String(value)) : value;
        else if (isNull) document[name] = null;
      }
      return document;
    },
  };
}

/** All fields but `id`, which has another name here. */
function fieldsOf(schema: z.core.$ZodType): DocumentField[] {
  if (!(schema instanceof z.core.$ZodObject)) throw new TypeError('a collection needs a schema of an object');
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema._zod.def.shape;
  return Object.entries(shape)
    .filter(([name]) => name !== 'id')
    .map(([name, type]) => ({
      name,
      type,
      isJson: !hasKnownKeys(type),
      isNull: z.safeParse(type, null).success && !z.safeParse(type, undefined).success,
    }));
}

/** Whether the model names every nested key; unknown types count as not doing so. */
function hasKnownKeys(type: z.core.$ZodType): boolean {
  const inner = innerOf(type);
  if (inner instanceof z.core.$ZodObject) {
    const { shape, catchall } = inner._zod.def;
    const isClosed = catchall === undefined || catchall instanceof z.core.$ZodNever;
    return isClosed && Object.values<z.core.$ZodType>(shape).every(hasKnownKeys);
  }
  // Keys of the platform's own making, which are added to one by one.
  if (inner instanceof z.core.$ZodRecord) return inner._zod.def.keyType === cellNameSchema;
  if (inner instanceof z.core.$ZodArray) return hasKnownKeys(inner._zod.def.element);
  if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.every(hasKnownKeys);
  return [z.core.$ZodString, z.core.$ZodNumber, z.core.$ZodBoolean, z.core.$ZodEnum, z.core.$ZodLiteral].some(
    (scalar) => inner instanceof scalar,
  );
}

/** The type without its null or optional wrapper. */
export function innerOf(type: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    type instanceof z.core.$ZodOptional ||
    type instanceof z.core.$ZodNullable ||
    type instanceof z.core.$ZodDefault;
  return wraps ? innerOf(type._zod.def.innerType) : type;
}
