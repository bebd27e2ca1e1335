/** Numbers for subjects, so that a count in memory names its subject in four bytes; unused ones are given out again. */

/** Each number is held by the counts that name it; a subject without counts is forgotten. */
export class SubjectIds {
  readonly #byName = new Map<string, number>();
  readonly #names: (string | null)[] = [];
  readonly #free: number[] = [];
  #held = new Int32Array(1024);

  get size(): number {
    return this.#byName.size;
  }

  /** The number of a subject that has counts, else -1. */
  find(subject: string): number {
    return this.#byName.get(subject) ?? -1;
  }

  /** Its number, held until it was released as often. */
  hold(subject: string): number {
    let id = this.find(subject);
    if (id === -1) {
      id = this.#free.pop() ?? this.#names.length;
      this.#byName.set(subject, id);
      this.#names[id] = subject;
      if (id === this.#held.length) this.#grow();
    }
    this.#held[id] = (this.#held[id] as number) + 1;
    return id;
  }

  release(id: number): void {
    const held = (this.#held[id] as number) - 1;
    this.#held[id] = held;
    if (held > 0) return;
    this.#byName.delete(this.#names[id] as string);
    this.#names[id] = null;
    this.#free.push(id);
  }

  #grow(): void {
    const grown = new Int32Array(this.#held.length * 2);
    grown.set(this.#held);
    this.#held = grown;
  }
}
