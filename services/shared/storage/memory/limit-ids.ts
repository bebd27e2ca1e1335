/** Numbers for limits, so that a count in memory names its limit in four bytes; unused ones are given out again. */
import type { LimitUse } from '../../ports/counter-store.ts';

interface Interned {
  readonly id: number;
  readonly name: string;
  readonly windowMs: number;
  /** How many counts name it. */
  held: number;
}

/** A limit is its name and the length of its window. */
export class LimitIds {
  readonly #byName = new Map<string, Interned[]>();
  readonly #byId: (Interned | null)[] = [];
  readonly #free: number[] = [];

  /** The number of a limit that something counts for, else -1. */
  find({ name, windowMs }: LimitUse): number {
    const sameName = this.#byName.get(name);
    if (sameName !== undefined) {
      for (const limit of sameName) if (limit.windowMs === windowMs) return limit.id;
    }
    return -1;
  }

  /** Its number, held until it was released as often. */
  hold(use: LimitUse): number {
    let id = this.find(use);
    if (id === -1) {
      id = this.#free.pop() ?? this.#byId.length;
      const limit = { id, name: use.name, windowMs: use.windowMs, held: 0 };
      this.#byId[id] = limit;
      const sameName = this.#byName.get(use.name);
      if (sameName === undefined) this.#byName.set(use.name, [limit]);
      else sameName.push(limit);
    }
    (this.#byId[id] as Interned).held++;
    return id;
  }

  release(id: number): void {
    const limit = this.#byId[id] as Interned;
    if (--limit.held > 0) return;
    this.#byId[id] = null;
    this.#free.push(id);
    const others = this.#byName.get(limit.name)?.filter((other) => other !== limit) ?? [];
    if (others.length > 0) this.#byName.set(limit.name, others);
    else this.#byName.delete(limit.name);
  }
}
