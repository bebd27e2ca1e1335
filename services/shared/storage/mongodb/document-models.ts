/** Mongoose schemas and models of the collections, made from the models' own schemas, for one connection each. */
import { type Connection, type Model, Schema, type SchemaDefinition } from 'mongoose';
import { z } from 'zod';
import { type DocumentField, innerOf, type RawDocument } from './document-values.ts';

/** How long the server may work on one read of one or a hundred documents, in milliseconds. */
export const READ_MS = 5_000;

/** The same for reads of a whole tenant or collection. */
export const LONG_READ_MS = 30_000;

/** How long a write waits for its majority, in milliseconds; afterwards its outcome is not known. */
export const MAJORITY_MS = 10_000;

/**
 * What every schema of documents demands. Verdicts hang on documents: they are read from the primary whatever the
 * connection string prefers, and only what a majority holds is read, so that no verdict rests on a write that an election
 * takes back; whoever reads after a write was acknowledged reads it. (A primary that is cut off may answer with what was, until it notices.)
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
  // Documents have fields named `type`.
  typeKey: '$type',
} as const;

/** The model of a collection; every field but `_id` is one of `fields`. */
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

/** A model of this connection, never of all; a second store over the connection shares it. */
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

/** What mongoose holds a field to; zod has checked it before it is written, and does so when it is read. */
function definitionOf(type: z.core.$ZodType): { readonly $type: unknown; readonly default?: undefined } {
  const inner = innerOf(type);
  if (inner instanceof z.core.$ZodString || inner instanceof z.core.$ZodEnum) return TEXT;
  if (inner instanceof z.core.$ZodNumber) return { $type: Number };
  if (inner instanceof z.core.$ZodBoolean) return { $type: Boolean };
  // An array that is absent stays absent.
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
