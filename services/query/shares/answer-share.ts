/** Answers the readers of a share: finds it by its token, asks for its ticket, and computes what its view allows. */
import { ApiError } from '../../shared/errors/api-error.ts';
import { findShare } from '../../shared/shares/find-share.ts';
import { isTicketOf } from '../../shared/shares/share-ticket.ts';
import { answerPlanned, type RequestAnswer } from '../answer-call.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import type { QueryPorts } from '../query-ports.ts';
import { runnerOf } from '../run-plan.ts';
import { NO_DEFINITIONS } from '../stages/definitions.ts';
import { createFaults } from '../stages/faults.ts';
import { dateRequests } from '../stages/first-events.ts';
import { planCall } from '../stages/plan.ts';
import { shareRequest } from './share-request.ts';

export interface ShareCall {
  readonly token: string;
  /** The header as it came. */
  readonly ticket: unknown;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/**
 * The events are those of the share's website, whoever asks.
 * @throws ApiError NOT_FOUND, AUTH_REQUIRED where a password wants a ticket, VALIDATION_ERROR and INVALID_DATE_RANGE with
 * every fault
 */
export async function answerShare(
  { token, ticket, body, signal }: ShareCall,
  ports: QueryPorts,
): Promise<RequestAnswer> {
  const now = ports.clock.now();
  const { share, view } = await findShare(ports.documents, token, now);
  if (share.passwordHash !== null && !(await isTicketOf(share, ticket, now))) {
    throw new ApiError('AUTH_REQUIRED', {
      text: 'This share has a password: unlock it, and send the ticket as X-Share-Ticket.',
    });
  }
  const faults = createFaults();
  const request = shareRequest(body, { share, state: view.state }, now, faults);
  faults.throwIfAny();
  if (request === null) throw new Error('A request without faults is read.');
  const { organizationId, websiteId } = share;
  const reaches = [{ organizationId, websiteIds: [websiteId], organizationEvents: false }];
  const requests = await dateRequests({ requests: [request], reaches, run: runnerOf(ports), now, signal });
  // None of the datasets that can be shared reads goals or funnels.
  const definitions = NO_DEFINITIONS;
  const planned = await planCall({
    catalogue: DATASETS_BY_NAME,
    requests,
    reaches,
    definitions,
    now,
    signal,
  });
  const { answers } = await answerPlanned({ isBatch: false, requests, ...planned }, signal, ports);
  const [answer] = answers;
  if (answer === undefined) throw new Error('Every request object has an answer.');
  return answer;
}
