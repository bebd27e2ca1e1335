/** How values, ranges, buckets and names of the overview are written. */
import type { AxisKind } from '../../charts/axis.ts';
import {
  countryName,
  formatCompact,
  formatDays,
  formatDuration,
  formatNumber,
  formatPercent,
  formatPercentTick,
  formatSpan,
  languageName,
  named,
} from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { ListRow } from './model.ts';
import type { NameKind } from './panels.ts';
import { daysOf, type Range } from './range.ts';

const FULL: Readonly<Record<AxisKind, (value: number) => string>> = {
  count: formatNumber,
  percent: formatPercent,
  duration: formatDuration,
};

const AXIS: typeof FULL = { ...FULL, count: formatCompact, percent: formatPercentTick };

export function formatValue(kind: AxisKind, value: number): string {
  return FULL[kind](value);
}

export function formatAxisValue(kind: AxisKind, value: number): string {
  return AXIS[kind](value);
}

/** The dates that a range is about. */
export function formatRange(range: Range, today: string): string {
  if ('from' in range) return formatSpan(range.from, range.to);
  const days = daysOf(range, today);
  return days ? formatDays(days.first, days.last) : '';
}

/** The name of a row in the reader's language, as far as it is a word of ours and none of the visitor's. */
export function nameOf({ name, country }: ListRow, kind: NameKind): string {
  if (kind === 'country') return country.length === 2 ? countryName(country) : named(name);
  if (kind === 'place') {
    const place = named(name);
    return country.length === 2 ? `${place}, ${countryName(country)}` : place;
  }
  if (kind === 'language') return name === 'Unknown' ? named(name) : languageName(name);
  if (kind === 'device') {
    const devices: Readonly<Record<string, string>> = texts.value.overview.devices;
    return Object.hasOwn(devices, name) ? (devices[name] as string) : named(name);
  }
  return named(name);
}
