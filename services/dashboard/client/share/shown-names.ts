/** How values and names of a share's lists are written. */

import type { DatasetAnswer } from '../api/wire.ts';
import {
  countryName,
  formatCompact,
  formatDuration,
  formatNumber,
  formatPercent,
  formatPercentTick,
  languageName,
  named,
} from '../texts/format.ts';
import type { NameKind } from '../website/dimensions.ts';
import { shareTexts } from './share-texts.ts';

export type Row = DatasetAnswer['data'][number];

export const numberIn = (row: Row | undefined, column: string): number => {
  const value = row?.[column];
  return typeof value === 'number' ? value : 0;
};
export const textIn = (row: Row, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : '';
};

type Kind = 'count' | 'percent' | 'duration' | 'decimal';
const FULL = {
  count: formatNumber,
  percent: formatPercent,
  duration: formatDuration,
  decimal: formatNumber,
};
const AXIS = { ...FULL, count: formatCompact, percent: formatPercentTick };

export const formatValue = (kind: Kind, value: number): string => FULL[kind](value);
export const formatAxisValue = (kind: Kind, value: number): string => AXIS[kind](value);

/** The name of a row in the reader's language, as far as it is a word of ours and none of the visitor's. */
export function nameOf(row: Row, kind: NameKind): string {
  const name = textIn(row, 'name');
  const country = textIn(row, 'country_code');
  if (kind === 'country') return country.length === 2 ? countryName(country) : named(name);
  if (kind === 'place') {
    const place = named(name);
    return country.length === 2 ? `${place}, ${countryName(country)}` : place;
  }
  if (kind === 'language') return name === 'Unknown' ? named(name) : languageName(name);
  const { devices, channels } = shareTexts.value;
  const words: Readonly<Record<string, string>> = {
    device: devices,
    channel: channels,
    source: { Direct: channels.direct },
    text: {},
  }[kind];
  return Object.hasOwn(words, name) ? (words[name] as string) : named(name);
}
