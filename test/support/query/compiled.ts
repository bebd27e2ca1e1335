/** Reads what POST /v1/query/compile answers for one dataset. */
import type { CompiledQuery } from '../../../services/shared/ports/event-store.ts';

/** The query, as the event store takes it. @throws Error when the answer shows none */
export function compiledOf(body: Readonly<Record<string, unknown>>): CompiledQuery {
  if (body.engine === 'duckdb') return body as unknown as CompiledQuery;
  throw new Error(`no query is shown: ${JSON.stringify(body)}`);
}

/** Every value that the query is bound to. */
export function valuesOf(body: Readonly<Record<string, unknown>>): unknown[] {
  return leavesOf(compiledOf(body).params);
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
