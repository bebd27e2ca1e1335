/**
 * When events last changed, day by day, so that an answer over some days is known to still hold. A change is noted once
 * queries can see it, and a query takes the number before it reads: what it sees is at least as new as its number.
 */

const DAY_MS = 86_400_000;
/** More days with changes are not told apart. */
const MOST_DAYS = 1_000;

/** Instants in epoch milliseconds: from `from` on, before `to`; null: any. */
export type InstantRange = { readonly from: number; readonly to: number } | null;

/** Rises with every change of anything in this process, so that no number comes twice. */
let changes = 0;

export class DayChanges {
  /** By the day, in days since the epoch. */
  readonly #days = new Map<number, number>();
  /** The latest change of days that have none of their own here. */
  #floor: number;
  /** The latest change of any day. */
  #latest: number;

  /** `since`: the number of the latest change before; default: a new one. */
  constructor(since = ++changes) {
    this.#floor = since;
    this.#latest = since;
  }

  /** How many days are told apart. */
  get days(): number {
    return this.#days.size;
  }

  /** Events of these instants came. */
  note(instants: Iterable<number>): void {
    const number = ++changes;
    this.#latest = number;
    for (const instant of instants) this.#days.set(Math.floor(instant / DAY_MS), number);
    if (this.#days.size > MOST_DAYS) this.noteAll();
  }

  /** Any event may have changed or gone. */
  noteAll(): void {
    this.#days.clear();
    this.#latest = ++changes;
    this.#floor = this.#latest;
  }

  /** The same number as before: no event of the range has changed since. */
  latestIn(range: InstantRange): number {
    if (range === null) return this.#latest;
    const first = Math.floor(range.from / DAY_MS);
    const last = Math.ceil(range.to / DAY_MS) - 1;
    let latest = this.#floor;
    if (last - first < this.#days.size) {
      for (let day = first; day <= last; day++) latest = Math.max(latest, this.#days.get(day) ?? 0);
      return latest;
    }
    for (const [day, number] of this.#days)
      if (day >= first && day <= last) latest = Math.max(latest, number);
    return latest;
  }
}
