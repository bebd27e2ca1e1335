/** An error that says, besides what the client is told, which reason its events are dropped for. */
import { ApiError } from '../../shared/errors/api-error.ts';
import type { DropReason } from './ingest-counts.ts';

export class IngestRefusal extends ApiError {
  readonly reason: DropReason;

  constructor(reason: DropReason, kind: 'AUTH_REQUIRED' | 'ACCESS_DENIED', text: string) {
    super(kind, { text });
    this.name = 'IngestRefusal';
    this.reason = reason;
  }
}

/** The reason that whatever was thrown drops events for. */
export function dropReasonOf(thrown: unknown): DropReason {
  if (thrown instanceof IngestRefusal) return thrown.reason;
  if (!(thrown instanceof ApiError)) return 'internal_fault';
  switch (thrown.kind) {
    case 'VALIDATION_ERROR':
      return 'faulty';
    case 'ACCESS_DENIED':
      return 'site_unreachable';
    case 'SERVICE_UNAVAILABLE':
      return 'not_stored';
    default:
      return 'internal_fault';
  }
}
