/** One address of a service: its requests under way, and what is known of whether it takes more. */
import type { BreakerSettings } from '../../services/shared/plugin/service-endpoint.ts';
import { Breaker } from './breaker.ts';

/** Told of an address whose health check or breaker came to another verdict. */
export type OnChange = (address: UpstreamAddress, by: 'health' | 'breaker') => void;

export class UpstreamAddress {
  readonly origin: string;
  /** Its place among the addresses of the service, from 0. */
  readonly index: number;
  /** Null: it is never taken out for what it fails. */
  readonly breaker: Breaker | null;
  /** Requests that were sent to it, or wait for a connection, and have not ended. */
  inFlight = 0;
  #isHealthy = true;
  readonly #onChange: OnChange;

  /** `onChange` is told whenever {@link takesRequests} may have changed. */
  constructor(origin: string, index: number, breaker: BreakerSettings | null, onChange: OnChange) {
    this.origin = origin;
    this.index = index;
    this.#onChange = onChange;
    this.breaker = breaker === null ? null : new Breaker(breaker, () => onChange(this, 'breaker'));
  }

  /** What its health check says of it; true where none asks. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Neither its health check nor its breaker speak against it. */
  get takesRequests(): boolean {
    return this.#isHealthy && !(this.breaker?.isOpen ?? false);
  }

  /** Its health check came to another verdict. One that is back from the dead begins anew, without waiting for a trial. */
  judge(isHealthy: boolean): void {
    this.#isHealthy = isHealthy;
    if (isHealthy) this.breaker?.succeeded();
    this.#onChange(this, 'health');
  }

  sent(): void {
    this.inFlight++;
    this.breaker?.sent();
  }

  /** It began to answer. */
  answered(): void {
    this.breaker?.succeeded();
  }

  /** It refused or broke the connection, or kept the request waiting for too long. */
  failed(): void {
    this.inFlight--;
    this.breaker?.failed(performance.now());
  }

  /** The request is over, by its end or by a fault that is not the address's. */
  ended(): void {
    this.inFlight--;
    this.breaker?.toldNothing();
  }
}
