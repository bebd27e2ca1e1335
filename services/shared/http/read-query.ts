/** The parameters of a request as the schema of its route has them. */
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { atMost } from '../caches/at-most.ts';
import { parseOrThrow } from '../errors/zod-details.ts';
import { parseQuery } from './query-string.ts';

/** Results remembered for each schema, and the longest target of one: its text keeps the whole target in memory. */
const REMEMBERED = 32;
const LONGEST_TARGET = 256;

/** What schemas made of the query strings that came last: a client sends the same again and again, mostly none. */
const known = new WeakMap<z.ZodType, LRUCache<string, object>>();

/**
 * What `schema` makes of the query string of a target. The result is frozen, since requests with the same query string share it
 * where the target is short.
 * @throws ApiError VALIDATION_ERROR
 */
export function readQuery(schema: z.ZodType, target: string): object {
  const mark = target.indexOf('?');
  const text = mark === -1 ? '' : target.slice(mark + 1);
  if (target.length > LONGEST_TARGET) return parsed(schema, text);
  let queries = known.get(schema);
  if (queries === undefined) {
    queries = new LRUCache(atMost(REMEMBERED));
    known.set(schema, queries);
  }
  let query = queries.get(text);
  if (query === undefined) {
    query = parsed(schema, text);
    queries.set(text, query);
  }
  return query;
}

function parsed(schema: z.ZodType, text: string): object {
  // Every query schema yields an object.
  return frozen(parseOrThrow(schema as z.ZodType<object>, parseQuery(text)));
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part);
  return Object.freeze(value);
}
