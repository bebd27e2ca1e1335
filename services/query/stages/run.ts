/** Stage 6: runs the queries of a call in their order, a few ahead, and stops when the caller leaves. */
import type { RawRow } from '../../shared/ports/event-store.ts';

/** Queries of one call that run, or wait with their rows for those before them, at the same time. */
const CONCURRENT_QUERIES = 4;

/** Runs one query; ends early with the signal's reason. */
export type Run<Q> = (query: Q, signal: AbortSignal) => Promise<readonly RawRow[]>;

/**
 * Each query with its rows, in order. No more than a few results exist at a time, however many are asked for, and which
 * comes first does not hang on speed. The fault of any query ends all of them. @throws ApiError SERVICE_UNAVAILABLE, or
 * the signal's reason.
 */
export async function* runInOrder<Q>(
  queries: readonly Q[],
  run: Run<Q>,
  signal: AbortSignal,
): AsyncGenerator<readonly [Q, readonly RawRow[]]> {
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const start = (query: Q) => {
    const rows = run(query, until);
    // Also tells the queries before this one, which are waited for first.
    rows.catch((fault: unknown) => ended.abort(fault));
    return rows;
  };
  const started: Promise<readonly RawRow[]>[] = [];
  try {
    for (const [index, query] of queries.entries()) {
      for (const next of queries.slice(started.length, index + CONCURRENT_QUERIES)) started.push(start(next));
      const rows = await started[index];
      // What was handed on is not kept.
      delete started[index];
      yield [query, rows ?? []];
    }
  } finally {
    ended.abort(new Error('the call has ended'));
  }
}
