/** Rows of groups of events, in the plainest way. */
import type { EventRecord, TextColumn } from '../../../../services/shared/model/event-record.ts';
import { type Events, groupBy, mostFirst, type Row } from './measures.ts';

export type Names = Readonly<Record<string, (event: EventRecord) => string>>;

export const named = (column: TextColumn) => (event: EventRecord) => event[column] || 'Unknown';

/** A row per group of events with the same names, ordered by its first measure. */
export function list(events: Events, names: Names, measures: (own: Events) => Row, by: string): Row[] {
  const namesOf = (event: EventRecord): Record<string, string> =>
    Object.fromEntries(Object.entries(names).map(([name, read]) => [name, read(event)]));
  const rows = groupBy(events, (event) => JSON.stringify(namesOf(event))).flatMap((own) =>
    own.slice(0, 1).map((event) => ({ ...namesOf(event), ...measures(own) })),
  );
  return mostFirst(rows, by, ...Object.keys(names));
}
