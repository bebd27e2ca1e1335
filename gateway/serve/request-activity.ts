/** What is counted of each request for its organization: by key, endpoint and outcome, and by the limit that refused it. */
import type { RequestContext } from '../../plugins/kit/request-context.ts';
import {
  REQUEST_OUTCOMES,
  type RequestOutcome,
  requestLabels,
} from '../../services/shared/model/request-labels.ts';
import type { ActivityCounter } from '../../services/shared/usage/activity-counter.ts';

/** The limit of a caller whose requests have too many keys and endpoints. */
const SPARE: Readonly<Record<RequestOutcome, string>> = Object.fromEntries(
  REQUEST_OUTCOMES.map((outcome) => [
    outcome,
    requestLabels({ key: '', endpoint: '', outcome, limit: '', window: '' }),
  ]),
) as Record<RequestOutcome, string>;

/** `status` 0: the client left before the answer was complete. */
function outcomeOf(status: number, isLimited: boolean): RequestOutcome {
  if (isLimited) return 'limited';
  if (status === 0) return 'aborted';
  if (status < 400) return 'ok';
  return status < 500 ? 'client_error' : 'server_error';
}

/** Counts a request that ended; nothing when no organization asked. */
export function countRequest(activity: ActivityCounter, context: RequestContext, status: number): void {
  const caller = context.principal?.caller;
  const organizationId = caller?.organizationId ?? null;
  if (caller === undefined || organizationId === null) return;
  const limit = context.answered?.limit ?? null;
  const outcome = outcomeOf(status, limit !== null);
  const labels = requestLabels({
    // People and tokens are told apart from keys, and not from each other.
    key: caller.kind === 'key' ? caller.id : '',
    endpoint: context.endpoint.name,
    outcome,
    limit: limit?.name ?? '',
    window: limit?.window ?? '',
  });
  activity.add(organizationId, null, labels, SPARE[outcome], 1);
}
