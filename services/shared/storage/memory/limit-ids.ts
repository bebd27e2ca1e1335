/** Numbers for limits, so that a count in memory names its limit in four bytes; unused numbers are reused. */

interface Interned {
  readonly id: number;
  readonly name: string;
  /** How many counts name it. */
  held: number;
}

/** A limit is identified by its name: it keeps its counts when its rule changes. */
export class LimitIds {
  readonly #byName = new Map<string, Interned>();
  readonly #byId: (Interned | null)[] = [];
  readonly #free: number[] = [];

  /** The number of a limit that has counts, else -1. */
  find(name: string): number {
    return this.#byName.get(name)?.id ?? -1;
  }

  /** Its number, held until it was released as often. */
  hold(name: string): number {
    let limit = this.#byName.get(name);
    if (limit === undefined) {
      limit = { id: this.#free.pop() ?? this.#byId.length, name, held: 0 };
      this.#byId[limit.id] = limit;
      this.#byName.set(name, limit);
    }
    limit.held++;
    return limit.id;
  }

  release(id: number): void {
    const limit = this.#byId[id] as Interned;
    if (--limit.held > 0) return;
    this.#byId[id] = null;
    this.#free.push(id);
    this.#byName.delete(limit.name);
  }
}
