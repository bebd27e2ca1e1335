/** Builds the filter for a value that a list shows, from what GET /v1/query/types says of its column. */

/** What the route says of a column. */
export interface ShownFilter {
  readonly field: string;
  readonly operators: readonly string[];
  readonly of?: string;
  readonly also?: string;
  readonly missing?: string | null;
  readonly valueFrom?: string;
  readonly value?: string;
}

type Row = Readonly<Record<string, unknown>>;

/** The filter that keeps the row: its value or, where the row shows what stands for a missing one, also no value. */
export function filterOfRow(filter: ShownFilter, column: string, row: Row): object {
  const field = filter.field.replace(/<(.*)>/, (_, name: string) => String(row[name]));
  const of = filter.of === undefined ? {} : { of: filter.of };
  if (filter.value !== undefined) return { field, op: filter.operators[0], value: filter.value, ...of };
  const value = row[filter.valueFrom ?? column];
  if (filter.also !== undefined) return ofSessionsAndEvents(filter, field, value);
  const none = { not: { field, op: 'present', ...of } };
  if (value === null) return none;
  const same = { field, op: 'eq', value, ...of };
  return value === filter.missing ? { any: [same, none] } : same;
}

/** Each event counts for itself: one without a value in a session that has others too. */
function ofSessionsAndEvents({ of, also, missing }: ShownFilter, field: string, value: unknown): object {
  const tests = [{ field, op: 'eq', value }, ...(value === missing ? [{ field, op: 'missing' }] : [])];
  return {
    any: tests.flatMap((test) => [
      { ...test, of },
      { ...test, of: also },
    ]),
  };
}
