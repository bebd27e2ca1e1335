/** A JSON body that was parsed on its way: who reads the same bytes next within the process parses them no more. */
export class ParsedBody {
  readonly #bytes: Buffer;
  #value: unknown;
  #isTaken = false;

  constructor(bytes: Buffer, value: unknown) {
    this.#bytes = bytes;
    this.#value = value;
  }

  /** What `bytes` hold, for the first who asks, since that one may change it; null for others, and for other bytes. */
  takeFor(bytes: Buffer): { readonly value: unknown } | null {
    if (this.#isTaken || bytes !== this.#bytes) return null;
    this.#isTaken = true;
    const value = this.#value;
    this.#value = undefined;
    return { value };
  }
}
