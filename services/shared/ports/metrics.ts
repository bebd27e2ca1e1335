/** The port of measurements: cells are created once, at construction, so that measuring costs only an addition. */

/** Label names with every allowed value: no label can hold an id, a path or an address. */
export type LabelSet = Readonly<Record<string, readonly string[]>>;

/** One value per label. */
export type LabelsOf<Labels extends LabelSet> = { readonly [Name in keyof Labels]: Labels[Name][number] };

/** A number that only rises. */
export interface Count {
  /** Adds `amount`, 1 when absent; never below 0. */
  add(amount?: number): void;
}

/** A number that rises and falls. */
export interface Level {
  set(value: number): void;
}

/** Values sorted into buckets, such as durations in seconds. */
export interface Distribution {
  observe(value: number): void;
}

/** A cell that was read; `labels` is the same object at every reading. */
export interface CellReading {
  readonly labels: Readonly<Record<string, string>>;
}

/** What was measured so far, without a scrape. A name that nothing declared has no cells. */
export interface MetricReader {
  /** The cells of a counter. */
  counts(name: string): Iterable<CellReading & { readonly cell: { readonly value: number } }>;
  /** The cells of a histogram: observations per bucket, those beyond the last bound at the end. */
  distributions(name: string): Iterable<
    CellReading & {
      readonly cell: { readonly bounds: readonly number[]; readonly counts: readonly number[] };
    }
  >;
}

/** The cells of one metric. */
export interface Family<Labels extends LabelSet, Cell> {
  /**
   * The cell of these labels, exported from now on; keep a reference where it is used often. @throws TypeError for an
   * undeclared value
   */
  of(labels: LabelsOf<Labels>): Cell;
}

/**
 * Where measurements go. Names start with `tidegate_`, carry their unit, and those of counters end in `_total`.
 * Declaring a known name again returns the same cells and allows the values of both declarations; another kind or other
 * label names are a TypeError.
 */
export interface Metrics {
  counter<const Labels extends LabelSet>(name: string, help: string, labels: Labels): Family<Labels, Count>;
  gauge<const Labels extends LabelSet>(name: string, help: string, labels: Labels): Family<Labels, Level>;
  /**
   * A gauge that is read at each scrape; a later declaration of the name replaces `read`. Several workers show their `sum`,
   * or the `average` of what each has whole.
   */
  watch(name: string, help: string, read: () => number, among?: 'sum' | 'average'): void;
  /** `bounds` are the upper ends of the buckets, ascending; larger values are counted too. */
  histogram<const Labels extends LabelSet>(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Labels,
  ): Family<Labels, Distribution>;
}
