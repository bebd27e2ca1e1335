/** How a value of a list is written, by the kind of its column. */
import { formatDuration, formatInstant, formatNumber, formatPercent } from '../texts/format.ts';
import type { DatasetRow } from '../website/batch.ts';
import { textOf } from '../website/batch.ts';
import { nameOf } from '../website/formats.ts';
import type { ColumnKind, ListingColumn } from './listing.ts';
import { formatMoney } from './money.ts';

/** The text of a cell; empty where the API knows no value. */
export function cellText(row: DatasetRow, column: ListingColumn): string {
  const value = row[column.key];
  if (typeof value === 'number') return numberText(value, column.kind);
  if (column.kind === 'instant') return typeof value === 'string' ? formatInstant(value) : '';
  if (column.kind !== 'text') return '';
  const country = column.codeFrom === undefined ? '' : textOf(row, column.codeFrom);
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : nameOf(String(value), country, column.names);
}

/** A number by the kind of what it measures. */
export function numberText(value: number, kind: ColumnKind): string {
  switch (kind) {
    case 'percent':
      return formatPercent(value);
    case 'duration':
      return formatDuration(value);
    case 'milliseconds':
      return `${formatNumber(Math.round(value))} ms`;
    default:
      return kind.startsWith('money ') ? formatMoney(value, kind.slice(6)) : formatNumber(value);
  }
}
