/** How long one custom query ran, without waiting and without the start of its process: what its organization is charged. */

export class RunningTime {
  readonly #onBegin: () => void;
  #startedAtMs: number | null = null;
  #ms = 0;

  /** `onBegin` is called when the query begins to run. */
  constructor(onBegin: () => void = () => undefined) {
    this.#onBegin = onBegin;
  }

  /** Milliseconds that it ran; 0 until it ends. */
  get ms(): number {
    return this.#ms;
  }

  begin(): void {
    this.#startedAtMs = performance.now();
    this.#onBegin();
  }

  /** Its process is free, or gone. Does nothing if the query never began. */
  end(): void {
    if (this.#startedAtMs !== null) this.#ms = Math.ceil(performance.now() - this.#startedAtMs);
  }
}
