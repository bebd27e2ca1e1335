/** An error that carries, besides the client's message, the reason for which the events are dropped. */
import { ApiError, type ApiErrorOptions } from '../../shared/errors/api-error.ts';
import type { DropReason } from '../../shared/model/drop-reasons.ts';
import type { Website } from '../../shared/model/website.ts';

type RefusalKind = 'AUTH_REQUIRED' | 'ACCESS_DENIED' | 'RATE_LIMIT_EXCEEDED' | 'SERVICE_UNAVAILABLE';

export class IngestRefusal extends ApiError {
  readonly reason: DropReason;
  /** The website that the events were meant for; null: it is not known. */
  readonly website: Website | null;

  constructor(
    reason: DropReason,
    kind: RefusalKind,
    said: string | ApiErrorOptions,
    website: Website | null = null,
  ) {
    super(kind, typeof said === 'string' ? { text: said } : said);
    this.name = 'IngestRefusal';
    this.reason = reason;
    this.website = website;
  }
}

/** The drop reason of a thrown value. */
export function dropReasonOf(thrown: unknown): DropReason {
  if (thrown instanceof IngestRefusal) return thrown.reason;
  if (!(thrown instanceof ApiError)) return 'internal_fault';
  switch (thrown.kind) {
    case 'VALIDATION_ERROR':
      return 'faulty';
    case 'ACCESS_DENIED':
      return 'website_unreachable';
    case 'SERVICE_UNAVAILABLE':
      return 'not_stored';
    default:
      return 'internal_fault';
  }
}
