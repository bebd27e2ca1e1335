/** Columns that several tables of operators have. */
import { formatNumber } from '../../texts/format.ts';
import { isInProcess, LEAST, shownNumber } from './shown-number.ts';
import { platformTexts } from './texts.ts';

/** A number as it is. */
export function numberColumn<Key extends string>(key: Key, title: string) {
  return {
    key,
    title,
    isNumber: true,
    cell: (row: Readonly<Record<Key, number | null>>) => numberOf(row[key]),
  };
}

/** A dash where nothing was measured. */
export function numberOf(value: number | null): string {
  const shown = shownNumber(value);
  if (shown === null) return '–';
  return shown === 'little' ? `< ${formatNumber(LEAST)}` : formatNumber(shown);
}

/** A name of the configuration, or an id. */
export function codeColumn<Key extends string>(key: Key, title: string) {
  return {
    key,
    title,
    cell: (row: Readonly<Record<Key, string | null>>) => (row[key] === null ? '–' : <code>{row[key]}</code>),
  };
}

/** A code of the API in words. */
export function wordColumn<Key extends string>(key: Key, title: string, say: (code: string) => string) {
  return { key, title, cell: (row: Readonly<Record<Key, string>>) => say(row[key]) };
}

/** Where a backend is asked. */
export function Backend({ address }: { address: string }) {
  if (isInProcess(address)) return <span class="soft">{platformTexts.value.inProcess}</span>;
  return <code class="soft">{address}</code>;
}
