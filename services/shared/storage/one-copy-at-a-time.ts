/** The turns of copies of events: one after the other, so that their readers never take more than one connection of the store. */
export class OneCopyAtATime {
  /** Ends when the latest copy does. */
  #latest: Promise<unknown> = Promise.resolve();

  /** Makes the copy once those before it have ended. @throws the signal's reason when it ended before its turn */
  run<R>(signal: AbortSignal, copy: () => Promise<R>): Promise<R> {
    const turn = this.#latest.then(() => {
      signal.throwIfAborted();
      return copy();
    });
    this.#latest = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when every copy that was begun has ended. */
  async idle(): Promise<void> {
    await this.#latest;
  }
}
