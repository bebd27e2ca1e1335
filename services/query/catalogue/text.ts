/** Texts that datasets show and group by: where they stand in an event, and what stands for a missing one. */
import type { TextColumn } from '../../shared/model/event-record.ts';

/** Where a text comes from. A property is missing when it is null; one that is no text stands as its JSON. */
export type TextSource =
  | { readonly column: TextColumn }
  /** The host of an absolute URL, see `services/shared/text/host-of.ts`. */
  | { readonly hostOf: TextColumn }
  | { readonly property: string }
  /** Of the unit `properties`: key or value of the property that is counted. */
  | { readonly pair: 'key' | 'value' };

export interface Text {
  readonly source: TextSource;
  /** What stands for a missing or empty text; null: nothing does. */
  readonly missing: string | null;
  /** Events whose text counts as missing, whatever it is. */
  readonly missingWhen?: { readonly column: TextColumn; readonly is: string };
  /** What is shown in place of a text, for those that stand here, without line breaks; rows are ordered by what is shown. */
  readonly shown?: Readonly<Record<string, string>>;
}
