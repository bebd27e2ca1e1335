/** Who is throttled: callers that limits refused lately, out of the ring of refused requests. */
import type { AccessEntry } from './access-entry.ts';

/** A caller at an endpoint, and the limit that refused it. */
export interface Throttled {
  readonly organization: string | null;
  readonly key: string | null;
  readonly endpoint: string;
  readonly limit: string;
  readonly window: string;
  readonly refusals: number;
  /** Of the last one, in ISO 8601. */
  readonly at: string;
  readonly reset: string;
}

/** How long ago a refusal may be, in milliseconds. */
const LATELY_MS = 60_000;
/** How many are told. */
const MOST = 100;

/** The most often refused first. `refused`: the newest first; `now`: epoch milliseconds, by the clock of their times. */
export function throttledCallers(
  refused: Iterable<AccessEntry>,
  now = performance.timeOrigin + performance.now(),
): Throttled[] {
  const since = new Date(now - LATELY_MS).toISOString();
  const found = new Map<string, Throttled>();
  for (const { time, organization, key, endpoint, limit } of refused) {
    // The ring is in the order of ends, and a request that began long ago may have ended just now.
    if (limit === null || time < since) continue;
    const id = JSON.stringify([organization, key, endpoint, limit.name, limit.window]);
    const known = found.get(id);
    const { name, window, reset } = limit;
    found.set(
      id,
      known === undefined
        ? { organization, key, endpoint, limit: name, window, refusals: 1, at: time, reset }
        : { ...known, refusals: known.refusals + 1 },
    );
  }
  return [...found.values()].sort((a, b) => b.refusals - a.refusals).slice(0, MOST);
}
