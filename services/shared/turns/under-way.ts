/**
 * Holds what has begun and not ended, where many begin and end all the time: requests, connections, turns.
 *
 * A Set would keep what has ended. As entries come and go V8 moves them to a new table again and again, and the table before holds its
 * entries and the next table. Once one of them is in the old space, dead or not, each that follows is kept by it until the next full
 * collection, with the requests that were under way when it was made: measured, 4 KB of each event in an embedded server.
 */

/** An item, with its place under the name of each list that holds it. */
type Placed = Record<symbol, number | undefined>;

/** A list with the operations of a Set, without an order. */
export class UnderWay<T extends object> implements Iterable<T> {
  readonly #items: T[] = [];
  /** Under this name each item knows its place in the list. */
  readonly #place = Symbol('place');

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    return (item as Placed)[this.#place] !== undefined;
  }

  /** Does nothing when it is there. */
  add(item: T): void {
    if (!this.has(item)) this.#put(item, this.#items.length);
  }

  /** The last one takes its place. False: it was not there. */
  delete(item: T): boolean {
    const at = (item as Placed)[this.#place];
    if (at === undefined) return false;
    (item as Placed)[this.#place] = undefined;
    const last = this.#items.pop();
    if (last !== undefined && last !== item) this.#put(last, at);
    return true;
  }

  /** Those of now, in no order: one may begin or end meanwhile, which changes nothing of it. */
  [Symbol.iterator](): Iterator<T> {
    return this.#items.slice().values();
  }

  #put(item: T, at: number): void {
    (item as Placed)[this.#place] = at;
    this.#items[at] = item;
  }
}
