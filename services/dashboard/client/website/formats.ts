/** How values, ranges and names of a website's numbers are written. */
import type { AxisKind } from '../charts/axis.ts';
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
} from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import type { NameKind } from './dimensions.ts';
import { daysOf, type Range } from './range.ts';

const FULL: Readonly<Record<AxisKind, (value: number) => string>> = {
  count: formatNumber,
  percent: formatPercent,
  duration: formatDuration,
  decimal: formatNumber,
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
  if (days !== undefined) return formatDays(days.first, days.last);
  return 'preset' in range ? texts.value.overview.presets[range.preset] : '';
}

/**
 * A name of the data in the reader's language, as far as it is a word of ours and none of the visitor's. `country`: the ISO code of the
 * country that it is, or lies in; empty where there is none.
 */
export function nameOf(name: string, country: string, kind: NameKind = 'text'): string {
  if (kind === 'country') return country.length === 2 ? countryName(country) : named(name);
  if (kind === 'place') {
    const place = named(name);
    return country.length === 2 ? `${place}, ${countryName(country)}` : place;
  }
  if (kind === 'language') return name === 'Unknown' ? named(name) : languageName(name);
  if (kind === 'device') return wordOf(texts.value.overview.devices, name);
  if (kind === 'channel') return wordOf(texts.value.overview.channels, name);
  // As the API names where those came from who came from nowhere.
  return kind === 'source' && name === 'Direct' ? texts.value.overview.channels.direct : named(name);
}

/** A kind of event in the reader's language; an event of the website's own stays as it is. */
export function eventName(name: string): string {
  return wordOf(texts.value.now.events, name);
}

function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] as string) : named(name);
}
