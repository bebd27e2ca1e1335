/** The cells that measurements write to: plain numbers, turned into text only when somebody scrapes. */
import type { Count, Distribution, Family, LabelSet, LabelsOf, Level } from '../ports/metrics.ts';

/** The cell of counters and gauges. */
export class NumberCell implements Count, Level {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }

  set(value: number): void {
    this.value = value;
  }
}

/** The cell of histograms. */
export class BucketCell implements Distribution {
  readonly bounds: readonly number[];
  /** Observations per bucket; those beyond the last bound are at the end. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index++;
    this.counts[index] = (this.counts[index] as number) + 1;
    this.sum += value;
  }
}

/** The cells of one metric by their label values; the declaration bounds their number. */
export class CellFamily<Cell> {
  readonly labelNames: readonly string[];
  readonly #make: () => Cell;
  readonly #cells = new Map<
    string,
    { readonly labels: Readonly<Record<string, string>>; readonly cell: Cell }
  >();

  constructor(labelNames: readonly string[], make: () => Cell) {
    this.labelNames = labelNames;
    this.#make = make;
  }

  /** Each cell in use, with its labels. */
  entries(): Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly cell: Cell }> {
    return this.#cells.values();
  }

  /** The family as seen by one of its declarations. */
  declared<Labels extends LabelSet>(metric: string, labels: Labels): Family<Labels, Cell> {
    const allowed = new Map(Object.entries(labels).map(([name, values]) => [name, new Set(values)] as const));
    return { of: (given) => this.#cell(metric, allowed, given) };
  }

  #cell<Labels extends LabelSet>(
    metric: string,
    allowed: ReadonlyMap<string, ReadonlySet<string>>,
    given: LabelsOf<Labels>,
  ): Cell {
    const labels: Record<string, string> = {};
    for (const name of this.labelNames) {
      const value = given[name];
      if (value === undefined || allowed.get(name)?.has(value) !== true) {
        throw new TypeError(`${metric}: the label ${name} may not be "${value}"`);
      }
      labels[name] = value;
    }
    const key = JSON.stringify(Object.values(labels));
    let entry = this.#cells.get(key);
    if (entry === undefined) {
      entry = { labels, cell: this.#make() };
      this.#cells.set(key, entry);
    }
    return entry.cell;
  }
}
