/** Mongoose schemas and models of the collections, made from the models' own schemas, for one connection each. */
import { type Connection, type Model, Schema, type SchemaDefinition } from 'mongoose';
import { z } from 'zod';
import { type DocumentField, innerOf, type RawDocument } from './document-values.ts';

/** How long the server may work on a read of one document or a page, in milliseconds. */
export const READ_MS = 5_000;

/** The same for reads of a whole tenant or collection. */
export const LONG_READ_MS = 30_000;

/** How long a write waits for its majority, in milliseconds; afterwards its outcome is not known. */
export const MAJORITY_MS = 10_000;

/**
 * What every document schema demands. Verdicts depend on documents, so they are read from the primary, whatever the
 * connection string prefers, and only as a majority holds them: no verdict rests on a write that an election rolls back,
 * and a read after an acknowledged write sees it. (A primary that is cut off may answer with old data until it notices.)
 */
const DEMANDS = {
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  id: false,
  minimize: false,
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
  read: 'primary',
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', j: true, wtimeout: MAJORITY_MS },
  // Some documents have a field named `type`.
  typeKey: '$type',
} as const;

/** The model of a collection; all fields but `_id` come from `fields`. */
export function documentModel(
  connection: Connection,
  collection: string,
  fields: readonly DocumentField[],
): Model<RawDocument> {
  return modelOf<RawDocument>(connection, collection, {
    _id: { $type: String, required: true },
    ...Object.fromEntries(fields.map(({ name, type, isJson }) => [name, isJson ? TEXT : definitionOf(type)])),
  });
}

/** A model of this connection, never global; a second store over the connection shares it. */
export function modelOf<Raw>(
  connection: Connection,
  collection: string,
  definition: Record<string, unknown>,
): Model<Raw> {
  const known = connection.models[collection];
  if (known !== undefined) return known;
  const schema = new Schema(definition as SchemaDefinition, { ...DEMANDS, collection });
  return connection.model<Raw>(collection, schema as unknown as Schema<Raw>);
}

const TEXT = { $type: String };

/** The type that mongoose checks; zod has checked a field before it is written, and does so when it is read. */
function definitionOf(type: z.core.$ZodType): { readonly $type: unknown; readonly default?: undefined } {
  const inner = innerOf(type);
  if (inner instanceof z.core.$ZodString || inner instanceof z.core.$ZodEnum) return TEXT;
  if (inner instanceof z.core.$ZodNumber) return { $type: Number };
  if (inner instanceof z.core.$ZodBoolean) return { $type: Boolean };
  // An absent array stays absent.
  if (inner instanceof z.core.$ZodArray)
    return { $type: [definitionOf(inner._zod.def.element)], default: undefined };
  if (inner instanceof z.core.$ZodObject) return { $type: partOf(inner._zod.def.shape) };
  return { $type: Schema.Types.Mixed };
}

function partOf(shape: Readonly<Record<string, z.core.$ZodType>>): Schema {
  const fields = Object.entries(shape).map(([name, type]) => [name, definitionOf(type)]);
  const { strict, minimize, typeKey, id } = DEMANDS;
  return new Schema(Object.fromEntries(fields) as SchemaDefinition, {
    strict,
    minimize,
    typeKey,
    id,
    _id: false,
  });
}
