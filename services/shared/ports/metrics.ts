/** The port of measurements: cells made once, at construction, so that measuring costs the hot path an addition. */

/** Label names with every value that each may take: no label can hold an id, a path or an address. */
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

/** The cells of one metric. */
export interface Family<Labels extends LabelSet, Cell> {
  /**
   * The cell of these labels, shown from now on; keep it where it is used often. @throws TypeError for a value that was
   * not declared
   */
  of(labels: LabelsOf<Labels>): Cell;
}

/**
 * Where measurements go. Names start with `tidegate_`, carry their unit, and those of counters end in `_total`. Asking
 * for a known name again gives the same cells, with the values of both declarations allowed; another kind or other
 * label names are a TypeError.
 */
export interface Metrics {
  counter<const Labels extends LabelSet>(name: string, help: string, labels: Labels): Family<Labels, Count>;
  gauge<const Labels extends LabelSet>(name: string, help: string, labels: Labels): Family<Labels, Level>;
  /** A level that is read whenever somebody looks; a later declaration of the name replaces `read`. */
  watch(name: string, help: string, read: () => number): void;
  /** `bounds` are the upper ends of the buckets, ascending; values beyond the last are counted too. */
  histogram<const Labels extends LabelSet>(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Labels,
  ): Family<Labels, Distribution>;
}
