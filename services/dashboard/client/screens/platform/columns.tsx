/** Columns that several tables of operators have. */
import { formatNumber } from '../../texts/format.ts';

/** A number as it is. */
export function numberColumn<Key extends string>(key: Key, title: string) {
  return {
    key,
    title,
    isNumber: true,
    cell: (row: Readonly<Record<Key, number | null>>) => numberOf(row[key]),
  };
}

/** To one decimal; a dash where nothing was measured. */
export function numberOf(value: number | null): string {
  return value === null ? '–' : formatNumber(Math.round(value * 10) / 10);
}

/** A name of the configuration, or an id. */
export function codeColumn<Key extends string>(key: Key, title: string) {
  return {
    key,
    title,
    cell: (row: Readonly<Record<Key, string | null>>) => (row[key] === null ? '–' : <code>{row[key]}</code>),
  };
}
