/** Counts how credentials were judged: from memory, by asking the document store, or refused without asking it. */
import type { Count, Metrics } from '../../services/shared/ports/metrics.ts';

/** Counters of one kind of credential. */
export interface VerdictMeasures {
  /** A remembered verdict let the caller pass. */
  readonly hit: Count;
  /** The store was asked, or is being asked by another request. */
  readonly miss: Count;
  /** Refused from memory: malformed, known to be no good, or from an address that may not guess any more. */
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
