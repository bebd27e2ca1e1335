/** Runs that callers share: at most one at a time, and nobody gets the outcome of one that began before they asked. */
export class SharedRuns<R> {
  readonly #run: () => Promise<R>;
  #running: Promise<R> | null = null;
  #next: Promise<R> | null = null;
  /** How many runs began. */
  begun = 0;

  constructor(run: () => Promise<R>) {
    this.#run = run;
  }

  /** Whether a run is in progress. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** The outcome of a run that begins now or, where one is in progress, after it. */
  ask(): Promise<R> {
    if (this.#next !== null) return this.#next;
    if (this.#running === null) return this.#start();
    const next = this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.#start();
      });
    this.#next = next;
    return next;
  }

  #start(): Promise<R> {
    this.begun++;
    const running = this.#run().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}
