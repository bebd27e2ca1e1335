/** Reads what POST /v1/query/compile answers for one dataset, of whichever engine. */
import type { CompiledQuery } from '../../../services/shared/ports/event-store.ts';

/** The query, as the engine takes it. @throws Error when the answer shows none */
export function compiledOf(body: Readonly<Record<string, unknown>>): CompiledQuery {
  if (body.engine === 'mongodb' || body.engine === 'duckdb') return body as unknown as CompiledQuery;
  throw new Error(`no query is shown: ${JSON.stringify(body)}`);
}

/** Every value that the query is bound to: parameters of SQL, all that stands in a pipeline. */
export function valuesOf(body: Readonly<Record<string, unknown>>): unknown[] {
  const query = compiledOf(body);
  return leavesOf(query.engine === 'duckdb' ? query.params : query.pipeline);
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
