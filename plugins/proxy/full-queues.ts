/**
 * Remembers whose queue a service reported as full, so that a flood of further requests is refused here, not by the
 * service.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { QUEUE_FULL_HEADER, QUEUE_OF_ORGANIZATION } from '../../services/shared/http/queue-full-header.ts';

/** The service is asked again after this time: requests through other gateways may have ended, which is not visible here. */
const ASK_AGAIN_MS = 1_000;

const UNAVAILABLE = 503;
const PROCESSING = 102;

/** State of one organization while it has requests in progress. */
interface Party {
  underWay: number;
  /** How often one of them began to run, or ended. */
  changes: number;
  /** Until when further ones are refused, by `performance.now()`. */
  fullUntilMs: number;
  retryAfter: string;
}

/** For one proxy step; times by `now`, in milliseconds, which never runs backwards. */
export class FullQueues {
  readonly #parties = new Map<string, Party>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Organizations with requests in progress. */
  get size(): number {
    return this.#parties.size;
  }

  /** Lets a request go to the service, and returns its place; or the 503 that the service would answer. */
  enter(organizationId: string): QueuePlace | ApiError {
    const known = this.#parties.get(organizationId);
    if (known !== undefined && known.fullUntilMs > this.#now()) return queueFull(known.retryAfter);
    const party = known ?? { underWay: 0, changes: 0, fullUntilMs: 0, retryAfter: '' };
    if (known === undefined) this.#parties.set(organizationId, party);
    party.underWay++;
    const changesBefore = party.changes;
    return {
      answers: (status, headers) => {
        if (status === PROCESSING) makeRoom(party);
        if (!isQueueFull(status, headers)) return;
        // Something ended meanwhile, so there may be room again. With nothing in progress here, nothing would report
        // that.
        if (party.changes !== changesBefore || party.underWay === 1) return;
        party.fullUntilMs = this.#now() + ASK_AGAIN_MS;
        party.retryAfter = headers['retry-after'] ?? '1';
      },
      leave: (wasRefused) => {
        party.underWay--;
        if (!wasRefused) makeRoom(party);
        if (party.underWay === 0) this.#parties.delete(organizationId);
      },
    };
  }
}

/** Events of one request. */
export interface QueuePlace {
  /** The head of an answer arrived, `102 Processing` included. */
  answers(status: number, headers: IncomingHttpHeaders): void;
  /** It is over; called once. */
  leave(wasRefused: boolean): void;
}

export function isQueueFull(status: number, headers: IncomingHttpHeaders): boolean {
  return status === UNAVAILABLE && headers[QUEUE_FULL_HEADER] === QUEUE_OF_ORGANIZATION;
}

function makeRoom(party: Party): void {
  party.changes++;
  party.fullUntilMs = 0;
}

function queueFull(retryAfter: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'As many requests of this organization as may wait here wait already; try again shortly.',
    headers: { 'Retry-After': retryAfter },
  });
}
