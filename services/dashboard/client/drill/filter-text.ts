/** A filter in the reader's words: what, how, and the value by its name. */
import { type DimensionName, dimensionOf } from '../website/dimensions.ts';
import { nameOf } from '../website/formats.ts';
import { type Filter, isWithout, needsValue } from '../website/scene-filters.ts';
import { drillTexts } from './texts.ts';

export function dimensionText(name: DimensionName): string {
  const t = drillTexts.value;
  const words: Readonly<Record<string, string>> = t.dimensions;
  return words[name] ?? t.propertyOf(name.replace(/^properties\./, ''));
}

/** The value of a filter, as lists name it. */
export function valueText({ dimension, value }: Filter): string {
  const { kind } = dimensionOf(dimension);
  return nameOf(value, kind === 'country' ? value : '', kind);
}

export function filterText(filter: Filter): string {
  const t = drillTexts.value;
  const { dimension, operator, of } = filter;
  const parts = [dimensionText(dimension), t.operators[operator]];
  const text = [...parts, ...(needsValue(operator) ? [valueText(filter)] : [])].join(' ');
  return isWithout(of) ? t.without(text) : text;
}
