/** Counts how credentials were judged: from the cache, by asking the document store, or refused without asking it. */
import type { Count, Metrics } from '../../services/shared/ports/metrics.ts';

/** The counters for one kind of credential. */
export interface VerdictMeasures {
  /** A cached verdict let the caller pass. */
  readonly hit: Count;
  /** The store was asked, or is being asked by another request. */
  readonly miss: Count;
  /** Refused without the store: malformed, known to be invalid, or from an address without guesses left. */
  readonly refused: Count;
}

export function createVerdictMeasures(metrics: Metrics, kind: 'key' | 'session'): VerdictMeasures {
  const verdicts = metrics.counter('tidegate_auth_verdicts_total', 'Credentials judged, by how.', {
    kind: ['key', 'session'],
    outcome: ['hit', 'miss', 'refused'],
  });
  return {
    hit: verdicts.of({ kind, outcome: 'hit' }),
    miss: verdicts.of({ kind, outcome: 'miss' }),
    refused: verdicts.of({ kind, outcome: 'refused' }),
  };
}
