/** A total of the scene: where the API tells it, and how it is written. */
import type { ColumnKind } from './listing.ts';

export interface Total {
  /** Dataset of one row, and its column. */
  readonly dataset: string;
  readonly key: string;
  readonly kind: ColumnKind;
  /** The column without which there is none, such as a rate of no sessions. */
  readonly needs?: string;
  /** The dataset of that column; absent: its own. */
  readonly needsOf?: string;
}
