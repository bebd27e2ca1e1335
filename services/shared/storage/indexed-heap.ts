/**
 * A binary heap whose members know their position in it, so that a member with a changed weight finds its new position in
 * few steps.
 */

/** A member of at most one heap. */
export interface HeapMember {
  /** Its position; only the heap writes it. */
  place: number;
}

export class IndexedHeap<T extends HeapMember> {
  readonly #members: T[] = [];
  readonly #isBefore: (one: T, other: T) => boolean;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  /** The first member; undefined when there is none. */
  get first(): T | undefined {
    return this.#members[0];
  }

  add(member: T): void {
    this.#put(member, this.#members.length);
    this.#rise(member);
  }

  remove(member: T): void {
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    this.#put(last, member.place);
    this.moved(last);
  }

  /** Call it when the weight of a member has changed. */
  moved(member: T): void {
    this.#rise(member);
    this.#sink(member);
  }

  #rise(member: T): void {
    let { place } = member;
    while (place > 0) {
      const above = Math.floor((place - 1) / 2);
      const parent = this.#members[above] as T;
      if (!this.#isBefore(member, parent)) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(member, place);
  }

  #sink(member: T): void {
    let { place } = member;
    for (;;) {
      const below = this.#firstBelow(place);
      if (below === undefined || !this.#isBefore(below, member)) break;
      const next = below.place;
      this.#put(below, place);
      place = next;
    }
    this.#put(member, place);
  }

  #firstBelow(place: number): T | undefined {
    const left = this.#members[2 * place + 1];
    const right = this.#members[2 * place + 2];
    return left !== undefined && right !== undefined && this.#isBefore(right, left) ? right : left;
  }

  #put(member: T, place: number): void {
    this.#members[place] = member;
    member.place = place;
  }
}
