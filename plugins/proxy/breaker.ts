/** Takes an address out that fails requests in a row; after a while one trial request decides whether it is back. */
import type { BreakerSettings } from '../../services/shared/plugin/service-endpoint.ts';

export class Breaker {
  readonly #settings: BreakerSettings;
  readonly #onChange: () => void;
  #failures = 0;
  /** When a trial is due, in milliseconds of the caller's clock; null while it is closed. */
  #trialAtMs: number | null = null;
  #isTrying = false;

  /** `onChange` is told after it opened and after it closed. */
  constructor(settings: BreakerSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#trialAtMs !== null;
  }

  /** Until a request may come, in milliseconds; 0 when one may. */
  waitMs(nowMs: number): number {
    if (this.#trialAtMs === null) return 0;
    if (this.#isTrying) return this.#settings.openSeconds * 1000;
    return Math.max(0, this.#trialAtMs - nowMs);
  }

  /** A request is sent; while it is open that is the trial, and no other request comes until its end. */
  sent(): void {
    if (this.#trialAtMs !== null) this.#isTrying = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isTrying = false;
    if (this.#trialAtMs === null) return;
    this.#trialAtMs = null;
    this.#onChange();
  }

  failed(nowMs: number): void {
    this.#failures++;
    const wasOpen = this.#trialAtMs !== null;
    if (wasOpen ? !this.#isTrying : this.#failures < this.#settings.failures) return;
    this.#isTrying = false;
    this.#trialAtMs = nowMs + this.#settings.openSeconds * 1000;
    if (!wasOpen) this.#onChange();
  }

  /** A request ended that says nothing of the address, such as one whose client left. */
  toldNothing(): void {
    this.#isTrying = false;
  }
}
