/** The parameters of a request as the schema of its route has them. */
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { atMost } from '../caches/at-most.ts';
import { parseOrThrow } from '../errors/zod-details.ts';
import { parseQuery } from './query-string.ts';

/** Query strings remembered for each schema, and the longest of them. */
const REMEMBERED = 32;
const LONGEST = 128;

/** What schemas made of the query strings that came last: a client sends the same again and again, mostly none. */
const known = new WeakMap<z.ZodType, LRUCache<string, object>>();

/**
 * What `schema` reads from the query string of a target; it reads nothing else. What comes back is frozen where it is short enough to
 * be remembered: requests share it.
 * @throws ApiError VALIDATION_ERROR
 */
export function readQuery(schema: z.ZodType, target: string): object {
  // Fields are read, so it makes objects.
  const fields = schema as z.ZodType<object>;
  const mark = target.indexOf('?');
  const text = mark === -1 ? '' : target.slice(mark + 1);
  if (text.length > LONGEST) return parseOrThrow(fields, parseQuery(text));
  let queries = known.get(schema);
  if (queries === undefined) {
    queries = new LRUCache(atMost(REMEMBERED));
    known.set(schema, queries);
  }
  let query = queries.get(text);
  if (query === undefined) {
    query = frozen(parseOrThrow(fields, parseQuery(text)));
    queries.set(text, query);
  }
  return query;
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part);
  return Object.freeze(value);
}
