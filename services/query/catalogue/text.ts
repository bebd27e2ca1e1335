/** Texts that datasets show and group by: where they are in an event, and what replaces a missing one. */
import type { TextColumn } from '../../shared/model/event-record.ts';

/** Where a text comes from. A property is missing when it is null; a value that is not text is read as its JSON. */
export type TextSource =
  | { readonly column: TextColumn }
  /** The host of an absolute URL; of any other text ''. */
  | { readonly hostOf: TextColumn }
  | { readonly property: string }
  /** For the unit `properties`: key or value of the counted property. */
  | { readonly pair: 'key' | 'value' }
  /** The first of these texts that is there. */
  | { readonly firstOf: readonly Text[] }
  /** That of the first rule that the event meets. */
  | { readonly rules: readonly TextRule[] };

/** A text for the events that pass all tests. */
export interface TextRule {
  readonly text: string;
  readonly when: readonly TextTest[];
}

/** A test of a column, whose letters count in lower case except for `matches`. Listed texts have no comma. */
export type TextTest = { readonly column: TextColumn } & (
  | { readonly is: readonly string[] }
  /** Its first word, which may follow `www.` and ends at a dot, a dash, an underscore or a space. */
  | { readonly named: readonly string[] }
  | { readonly startsWith: string }
  /** A pattern of RE2. */
  | { readonly matches: string }
);

export interface Text {
  readonly source: TextSource;
  /** What replaces a missing or empty text; null: nothing. */
  readonly missing: string | null;
  /** Events whose text counts as missing, whatever it is. */
  readonly missingWhen?: { readonly column: TextColumn; readonly is: string };
  /** What is shown for the texts listed here, without line breaks; rows are ordered by what is shown. */
  readonly shown?: Readonly<Record<string, string>>;
}
