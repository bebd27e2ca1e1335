/** The order of event copies: one after the other, so that their readers never take more than one connection of the store. */
export class OneCopyAtATime {
  /** Resolves when the latest copy ends. */
  #latest: Promise<unknown> = Promise.resolve();

  /** Makes the copy once earlier ones have ended. @throws the signal's reason when it aborted before its turn */
  run<R>(signal: AbortSignal, copy: () => Promise<R>): Promise<R> {
    const turn = this.#latest.then(() => {
      signal.throwIfAborted();
      return copy();
    });
    this.#latest = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when every begun copy has ended. */
  async idle(): Promise<void> {
    await this.#latest;
  }
}
