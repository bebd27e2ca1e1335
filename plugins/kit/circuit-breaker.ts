/**
 * Decides whether a remote call is worth making: after several failures in a row it makes none until a trial succeeds. A
 * trial is a probe that nobody waits for, or one of the calls themselves.
 */
import type { Clock } from '../../services/shared/ports/clock.ts';
import { SteadyTime } from '../../services/shared/storage/memory/steady-time.ts';

/** `ok`: called; `failing`: called, and the last call failed; `open`: not called, except for trials. */
export const BREAKER_STATES = ['ok', 'failing', 'open'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export interface CircuitBreakerOptions {
  /** May be set back: that prolongs no wait. */
  readonly clock: Pick<Clock, 'now'>;
  /** How many failures in a row open it. */
  readonly failuresToOpen: number;
  /** Wait before the first trial, in milliseconds; each further wait is twice as long, up to the longest. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Rejects while the remote side fails. Absent: the first call after the wait is the trial. */
  probe?(): Promise<void>;
  /** Called when it opens, with the failure that caused it, and when it closes (null). */
  onChange(fault: unknown): void;
}

/** Reopening within this time after closing, in milliseconds, continues the waits instead of starting over. */
const SETTLED_MS = 30_000;

/** The period in which a call began. An outcome with a period counts only during that period; one without always counts. */
export type Period = number;

export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #time: SteadyTime;
  #failures = 0;
  #isOpen = false;
  /** A trial is in progress, and no other begins before its end. */
  #isTrying = false;
  /** It opened soon after it had closed: a recovery may be short again. */
  #flaps = false;
  #waitMs = 0;
  #trialAtMs = 0;
  #closedAtMs = Number.NEGATIVE_INFINITY;
  /** Opening and closing raise it: an outcome from another period says nothing about this one. */
  #period: Period = 0;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
    this.#time = new SteadyTime(options.clock);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get state(): BreakerState {
    if (this.#isOpen) return 'open';
    return this.#failures > 0 ? 'failing' : 'ok';
  }

  /** Milliseconds until a trial: 0 while one is due or a probe runs; a whole wait while a call is the trial. */
  get waitMs(): number {
    if (!this.#isOpen) return 0;
    if (this.#isTrying) return this.#options.probe === undefined ? this.#waitMs : 0;
    return Math.max(0, this.#trialAtMs - this.#time.now());
  }

  /** The current period for a call; null when no call should be made. Starts a due probe without waiting for it. */
  enter(): Period | null {
    if (!this.#isOpen) return this.#period;
    if (!this.#isTrying && this.#time.now() >= this.#trialAtMs) this.#probe();
    return null;
  }

  /** A call is made whatever the state; while it is open, that call is the trial. */
  sent(): void {
    if (this.#isOpen) this.#isTrying = true;
  }

  succeeded(period: Period = this.#period): void {
    if (period !== this.#period) return;
    this.#failures = 0;
    if (this.#isOpen) this.#close();
  }

  failed(period: Period = this.#period, fault?: unknown): void {
    if (period !== this.#period) return;
    if (this.#isOpen) {
      // Calls from before it opened prolong nothing.
      if (this.#isTrying) this.#waitLonger();
      return;
    }
    this.#failures++;
    if (this.#failures >= this.#options.failuresToOpen) this.#open(fault);
  }

  /** A call ended without an outcome, for example because its client left; another may be the trial. */
  toldNothing(): void {
    this.#isTrying = false;
  }

  /** The connection is known to be lost: no call needs to find out. */
  lost(fault: unknown): void {
    if (!this.#isOpen) this.#open(fault);
  }

  /** There is reason to believe that it works again: it is probed now, or at its regular time if it comes and goes. */
  back(): void {
    if (this.#isOpen && !this.#isTrying && !this.#flaps) this.#probe();
  }

  #open(fault: unknown): void {
    const { firstWaitMs, longestWaitMs, onChange } = this.#options;
    const now = this.#time.now();
    this.#flaps = now - this.#closedAtMs < SETTLED_MS;
    this.#waitMs = this.#flaps ? Math.min(this.#waitMs * 2, longestWaitMs) : firstWaitMs;
    this.#isOpen = true;
    this.#failures = 0;
    this.#period++;
    this.#trialAtMs = now + this.#waitMs;
    onChange(fault);
  }

  #close(): void {
    this.#isTrying = false;
    this.#isOpen = false;
    this.#period++;
    this.#closedAtMs = this.#time.now();
    this.#options.onChange(null);
  }

  /** The trial failed. */
  #waitLonger(): void {
    this.#isTrying = false;
    this.#waitMs = Math.min(this.#waitMs * 2, this.#options.longestWaitMs);
    this.#trialAtMs = this.#time.now() + this.#waitMs;
  }

  #probe(): void {
    const { probe } = this.#options;
    if (probe === undefined) return;
    this.#isTrying = true;
    probe().then(
      () => this.#close(),
      () => this.#waitLonger(),
    );
  }
}
