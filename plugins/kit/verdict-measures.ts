/** Counts how credentials were judged: from a cache, by asking who can tell, or refused. */
import type { Count, Metrics } from '../../services/shared/ports/metrics.ts';

const KINDS = ['key', 'session', 'jwt'] as const;

/** The counters for one kind of credential. */
export interface VerdictMeasures {
  /** A cached verdict let the caller pass. */
  readonly hit: Count;
  /** The store was asked, or is being asked by another request; of a token, the signature was checked. */
  readonly miss: Count;
  /** Refused without the store: malformed, known to be invalid, or from an address without guesses left; any invalid token. */
  readonly refused: Count;
}

export function createVerdictMeasures(metrics: Metrics, kind: (typeof KINDS)[number]): VerdictMeasures {
  const verdicts = metrics.counter('tidegate_auth_verdicts_total', 'Credentials judged, by how.', {
    kind: KINDS,
    outcome: ['hit', 'miss', 'refused'],
  });
  return {
    hit: verdicts.of({ kind, outcome: 'hit' }),
    miss: verdicts.of({ kind, outcome: 'miss' }),
    refused: verdicts.of({ kind, outcome: 'refused' }),
  };
}
