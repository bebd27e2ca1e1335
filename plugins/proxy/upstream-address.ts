/** One address of a service: its requests in flight, and whether it takes more. */
import type { BreakerSettings } from '../../services/shared/plans/service-endpoint.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { CircuitBreaker } from '../kit/circuit-breaker.ts';

/** Called with an address whose health check or breaker changed its verdict. */
export type OnChange = (address: UpstreamAddress, by: 'health' | 'breaker') => void;

/** Takes out an address that fails requests in a row; the first request after its wait is the trial. */
export function createBreaker(
  { failures, openSeconds }: BreakerSettings,
  onChange: () => void,
  clock: Pick<Clock, 'now'> = performance,
): CircuitBreaker {
  const waitMs = openSeconds * 1000;
  return new CircuitBreaker({
    clock,
    failuresToOpen: failures,
    firstWaitMs: waitMs,
    longestWaitMs: waitMs,
    onChange,
  });
}

export class UpstreamAddress {
  readonly origin: string;
  /** Its position among the addresses of the service, from 0. */
  readonly index: number;
  /** Null: failed requests never take it out. */
  readonly breaker: CircuitBreaker | null;
  /** Requests that were sent to it, or wait for a connection, and have not ended. */
  inFlight = 0;
  /** How many were sent to it, how many it failed, and how many of these were sent anew. */
  requests = 0;
  failures = 0;
  retries = 0;
  #isHealthy = true;
  readonly #onChange: OnChange;

  /** `onChange` is called whenever {@link takesRequests} may have changed. */
  constructor(origin: string, index: number, breaker: BreakerSettings | null, onChange: OnChange) {
    this.origin = origin;
    this.index = index;
    this.#onChange = onChange;
    this.breaker = breaker === null ? null : createBreaker(breaker, () => onChange(this, 'breaker'));
  }

  /** The result of its health check; true without one. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Whether both its health check and its breaker allow requests. */
  get takesRequests(): boolean {
    return this.#isHealthy && !(this.breaker?.isOpen ?? false);
  }

  /** Its health check changed its verdict. An address that recovers starts over, without waiting for a trial. */
  judge(isHealthy: boolean): void {
    this.#isHealthy = isHealthy;
    if (isHealthy) this.breaker?.succeeded();
    this.#onChange(this, 'health');
  }

  sent(): void {
    this.inFlight++;
    this.requests++;
    this.breaker?.sent();
  }

  /** It began to answer. */
  answered(): void {
    this.breaker?.succeeded();
  }

  /** It refused or broke the connection, or kept the request waiting for too long. */
  failed(): void {
    this.inFlight--;
    this.failures++;
    this.breaker?.failed();
  }

  /** The request is over, either completed or by a fault that is not the address's. */
  ended(): void {
    this.inFlight--;
    this.breaker?.toldNothing();
  }
}
