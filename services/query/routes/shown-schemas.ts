/**
 * Describes a schema in the OpenAPI document without enforcing it: the parse stage does, and reports all faults of body
 * and query string at once.
 */
import { z } from 'zod';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { queryStringSchema } from '../stages/request-schema.ts';

/** Accepts anything, and is described as `schema`. */
export function shownSchema<T>(schema: z.ZodType): z.ZodType<T> {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: 'input' });
  return z.unknown().meta(described) as z.ZodType<T>;
}

/** The query string of every route that queries. */
export const shownQueryString: z.ZodType<QueryParameters> = shownSchema(queryStringSchema);
