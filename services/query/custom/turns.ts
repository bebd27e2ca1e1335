/** Turns for custom queries: one of an organization at a time, few on the machine, the rest waits or is sent away. */
import { ApiError } from '../../shared/errors/api-error.ts';

export interface TurnLimits {
  /** Queries that run at once, of all organizations. */
  readonly running: number;
  readonly waitingPerOrganization: number;
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly organizationId: string;
  start(): void;
}

/** Seconds after which a client that was sent away does well to come back. */
const RETRY_AFTER = { 'Retry-After': '5' };

export class Turns {
  readonly #limits: TurnLimits;
  /** Organizations of which a query runs. */
  readonly #running = new Set<string>();
  /** In the order in which they came. */
  #waiting: Waiting[] = [];

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn; what it resolves to ends the turn.
   * @throws ApiError SERVICE_UNAVAILABLE when too many wait, or the wait was too long; the signal's reason
   */
  take(organizationId: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#mayRun(organizationId)) return Promise.resolve(this.#start(organizationId));
    const { waitingPerOrganization, maxWaitMs } = this.#limits;
    const before = this.#waiting.filter((other) => other.organizationId === organizationId).length;
    if (before >= waitingPerOrganization) {
      return Promise.reject(
        unavailable(`${before} custom queries of this organization wait already; try again shortly.`),
      );
    }
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        settle();
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(reason);
      };
      const abort = () => leave(signal.reason);
      const timer = setTimeout(
        () => leave(unavailable(`No turn within ${maxWaitMs / 1_000} s; try again shortly.`)),
        maxWaitMs,
      );
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const waiting: Waiting = {
        organizationId,
        start: () => {
          settle();
          resolve(this.#start(organizationId));
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #mayRun(organizationId: string): boolean {
    return this.#running.size < this.#limits.running && !this.#running.has(organizationId);
  }

  #start(organizationId: string): () => void {
    this.#running.add(organizationId);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running.delete(organizationId);
      const next = this.#waiting.find((waiting) => this.#mayRun(waiting.organizationId));
      if (!next) return;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.start();
    };
  }
}

function unavailable(text: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { text, headers: RETRY_AFTER });
}
