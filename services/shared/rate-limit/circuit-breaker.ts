/** Decides whether a remote store is worth asking: after failures in a row nobody waits for it until a probe succeeds. */
import type { Clock } from '../ports/clock.ts';
import { SteadyTime } from '../storage/memory/steady-time.ts';

/** `ok`: asked; `failing`: asked, and the last answer was a failure; `open`: not asked, save by probes. */
export const BREAKER_STATES = ['ok', 'failing', 'open'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export interface CircuitBreakerOptions {
  /** May be set back: that prolongs no wait. */
  readonly clock: Clock;
  /** Failures in a row that open it. */
  readonly failuresToOpen: number;
  /** Wait before the first probe, in milliseconds; each further one waits twice as long. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Rejects while the store does not work. */
  probe(): Promise<void>;
  /** Told when it opens, with the failure that did it, and when it closes (null). */
  onChange(fault: unknown): void;
}

/** Opening again so soon after it closed, in milliseconds, goes on with the waits instead of beginning anew. */
const SETTLED_MS = 30_000;

/** What a call began in; its outcome counts only while that lasts. */
export type Period = number;

export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #time: SteadyTime;
  #failures = 0;
  #isOpen = false;
  #probing = false;
  /** It opened soon after it had closed: what comes back may be gone again. */
  #flaps = false;
  #waitMs = 0;
  #probeAtMs = 0;
  #closedAtMs = Number.NEGATIVE_INFINITY;
  /** Rises when it opens and when it closes: an outcome of another period says nothing of this one. */
  #period: Period = 0;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
    this.#time = new SteadyTime(options.clock);
  }

  get state(): BreakerState {
    if (this.#isOpen) return 'open';
    return this.#failures > 0 ? 'failing' : 'ok';
  }

  /** Until the next probe, in milliseconds; 0 while it is due. */
  get waitMs(): number {
    return this.#isOpen ? Math.max(0, this.#probeAtMs - this.#time.now()) : 0;
  }

  /** The period to ask in; null when the store is not to be asked. Starts a probe when one is due, and waits for none. */
  enter(): Period | null {
    if (!this.#isOpen) return this.#period;
    if (!this.#probing && this.#time.now() >= this.#probeAtMs) this.#probe();
    return null;
  }

  succeeded(period: Period): void {
    if (period === this.#period) this.#failures = 0;
  }

  failed(period: Period, fault: unknown): void {
    if (period !== this.#period) return;
    this.#failures++;
    if (this.#failures >= this.#options.failuresToOpen) this.#open(fault);
  }

  /** The connection is known to be lost: no call need find out. */
  lost(fault: unknown): void {
    if (!this.#isOpen) this.#open(fault);
  }

  /** There is reason to believe that the store is back: it is probed now, or in its time when it comes and goes. */
  back(): void {
    if (this.#isOpen && !this.#probing && !this.#flaps) this.#probe();
  }

  #open(fault: unknown): void {
    const { firstWaitMs, longestWaitMs, onChange } = this.#options;
    const now = this.#time.now();
    this.#flaps = now - this.#closedAtMs < SETTLED_MS;
    this.#waitMs = this.#flaps ? Math.min(this.#waitMs * 2, longestWaitMs) : firstWaitMs;
    this.#isOpen = true;
    this.#failures = 0;
    this.#period++;
    this.#probeAtMs = now + this.#waitMs;
    onChange(fault);
  }

  #probe(): void {
    const { longestWaitMs, probe, onChange } = this.#options;
    this.#probing = true;
    probe().then(
      () => {
        this.#probing = false;
        this.#isOpen = false;
        this.#period++;
        this.#closedAtMs = this.#time.now();
        onChange(null);
      },
      () => {
        this.#probing = false;
        this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
        this.#probeAtMs = this.#time.now() + this.#waitMs;
      },
    );
  }
}
