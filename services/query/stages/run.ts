/** Stage 6: runs compiled queries, a few at a time, and stops when the caller leaves. */
import type { CompiledQuery, EventStore, RawRow } from '../../shared/ports/event-store.ts';

/** Queries of one call that run at the same time. */
const CONCURRENT_QUERIES = 4;

/** The rows of each query, in order. @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason. */
export async function runAll(
  queries: readonly CompiledQuery[],
  events: EventStore,
  signal: AbortSignal,
): Promise<(readonly RawRow[])[]> {
  const results: (readonly RawRow[])[] = new Array(queries.length);
  const pending = queries.entries();
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const worker = async () => {
    for (const [index, query] of pending) {
      until.throwIfAborted();
      results[index] = await events.run(query, until).catch((fault: unknown) => {
        failed.abort(fault);
        throw fault;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, worker));
  return results;
}
