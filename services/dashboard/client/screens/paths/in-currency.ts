/** Columns of numbers whose revenue is of one currency. */
import type { ColumnKind } from '../../drill/listing.ts';

/** These columns, of which those of revenue are amounts in `currency`; empty, or null: it is not known. */
export function inCurrency<Column extends { readonly key: string; readonly kind: ColumnKind }>(
  columns: readonly Column[],
  currency: string | null,
): readonly Column[] {
  return currency
    ? columns.map((column) => (column.key === 'revenue' ? { ...column, kind: `money ${currency}` } : column))
    : columns;
}
