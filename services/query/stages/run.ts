/** Stage 6: runs the queries of a call in order, a few ahead, and stops when the caller leaves. */
import type { RawRow } from '../../shared/ports/event-store.ts';

/** How many queries of one call may run, or wait with their rows for earlier ones, at the same time. */
const CONCURRENT_QUERIES = 4;

/** Runs one query; ends early with the signal's reason. */
export type Run<Q, R = readonly RawRow[]> = (query: Q, signal: AbortSignal) => Promise<R>;

/**
 * Each query with its rows, in the order of the queries, whichever finishes first. Only a few results exist at a time,
 * however many queries there are. The fault of any query ends all of them.
 * @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason.
 */
export async function* runInOrder<Q, R>(
  queries: readonly Q[],
  run: Run<Q, R>,
  signal: AbortSignal,
): AsyncGenerator<readonly [Q, R]> {
  if (queries.length === 0) return;
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const start = (query: Q) => {
    const rows = run(query, until);
    // Also aborts the queries before this one, which are awaited first.
    rows.catch((fault: unknown) => ended.abort(fault));
    return rows;
  };
  const started: Promise<R>[] = [];
  let running = queries.length;
  try {
    for (const [index, query] of queries.entries()) {
      for (const next of queries.slice(started.length, index + CONCURRENT_QUERIES)) started.push(start(next));
      const rows = await (started[index] as Promise<R>);
      // Results are not kept after they are handed on.
      delete started[index];
      running--;
      yield [query, rows];
    }
  } finally {
    if (running > 0) ended.abort(new Error('the call has ended'));
  }
}

/** The results of bundles one by one, in the order of `queries`; each bundle comes before those that begin later. */
export async function* inOrderOf<Q, R>(
  queries: readonly Q[],
  bundles: AsyncGenerator<readonly [readonly Q[], readonly R[]]>,
): AsyncGenerator<readonly [Q, R]> {
  const waiting = new Map<Q, R>();
  let next = 0;
  for await (const [bundle, results] of bundles) {
    for (const [index, query] of bundle.entries()) waiting.set(query, results[index] as R);
    for (let query = queries[next]; query !== undefined && waiting.has(query); query = queries[next]) {
      const result = waiting.get(query) as R;
      waiting.delete(query);
      next++;
      yield [query, result];
    }
  }
}
