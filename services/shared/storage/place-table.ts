/** A hash table of positions with open addressing: where an id of the event id window lies, in a few bytes each. */

const FIRST_PLACES = 16;
/** The highest load of a table. */
const LARGEST_LOAD = 0.75;

/** Positions of entries with open addressing: each is at its home or in the first free slot after it. 0: free. */
export class PlaceTable {
  readonly #homeOf: (position: number) => number;
  #places = new Uint32Array(FIRST_PLACES);
  #used = 0;

  constructor(homeOf: (position: number) => number) {
    this.#homeOf = homeOf;
  }

  /** The memory that it holds. */
  get bytes(): number {
    return this.#places.byteLength;
  }

  /** Whether `is` holds for any position with this `home`. */
  some(home: number, is: (position: number) => boolean): boolean {
    const mask = this.#places.length - 1;
    for (let place = home & mask; ; place = (place + 1) & mask) {
      const found = this.#places[place] ?? 0;
      if (found === 0) return false;
      if (is(found - 1)) return true;
    }
  }

  put(position: number, home: number): void {
    if (this.#used + 1 > this.#places.length * LARGEST_LOAD) this.#grow();
    this.#used++;
    this.#insert(position, home);
  }

  /** Removes the position, and moves those behind it closer to their homes. */
  remove(position: number, home: number): void {
    const mask = this.#places.length - 1;
    let hole = home & mask;
    while (this.#places[hole] !== position + 1) hole = (hole + 1) & mask;
    this.#used--;
    for (let place = (hole + 1) & mask; ; place = (place + 1) & mask) {
      const found = this.#places[place] ?? 0;
      if (found === 0) break;
      const distance = (place - this.#homeOf(found - 1)) & mask;
      if (distance < ((place - hole) & mask)) continue;
      this.#places[hole] = found;
      hole = place;
    }
    this.#places[hole] = 0;
  }

  #insert(position: number, home: number): void {
    const mask = this.#places.length - 1;
    let place = home & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = position + 1;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Uint32Array(before.length * 2);
    for (const found of before) {
      if (found !== 0) this.#insert(found - 1, this.#homeOf(found - 1));
    }
  }
}
