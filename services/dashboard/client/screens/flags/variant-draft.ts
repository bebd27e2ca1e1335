/** A variant as the form holds it, and as the API takes it; and what their weights still lack to 100. */
import type { FlagVariant } from '../../api/wire.ts';
import { jsonOf } from './json-of.ts';
import { numberOf } from './number-of.ts';

export const VARIANT_TYPES = ['string', 'number', 'json'] as const satisfies readonly FlagVariant['type'][];
/** As many as a flag may have. */
export const MOST_VARIANTS = 50;

export interface VariantDraft {
  /** Tells it apart from the others while they are moved. */
  readonly row: number;
  readonly key: string;
  readonly type: FlagVariant['type'];
  readonly value: string;
  /** In percent; empty: none. */
  readonly weight: string;
}

export const NEW_VARIANT: Omit<VariantDraft, 'row'> = { key: '', type: 'string', value: '', weight: '' };

export const variantDraftsOf = (variants: readonly FlagVariant[]): VariantDraft[] =>
  variants.map(({ key, type, value, weight }, row) => ({
    row,
    key,
    type,
    value: type === 'json' ? JSON.stringify(value, null, 2) : String(value),
    weight: weight === undefined ? '' : String(weight),
  }));

export function variantOf({ key, type, value, weight }: VariantDraft): Record<string, unknown> {
  return {
    ...{ key, type, value: typedValue(type, value) },
    ...(weight.trim() !== '' && { weight: numberOf(weight) }),
  };
}

/** A value that is not of its type goes as it was typed: the API says so. */
function typedValue(type: FlagVariant['type'], text: string): unknown {
  if (type === 'string') return text;
  const value = jsonOf(text);
  return type === 'json' || typeof value === 'number' ? value : text;
}

/** Whether what was typed is the JSON that its type asks for; what is no JSON cannot be sent. */
export const isSendable = ({ type, value }: VariantDraft): boolean =>
  type !== 'json' || jsonOf(value) !== undefined;

export interface Weights {
  /** Variants without a weight, where others have one. */
  readonly missing: number;
  /** What the weights lack to 100; below 0 they are too much. Null where none has a weight: the shares are equal. */
  readonly left: number | null;
}

export function weightsOf(variants: readonly Pick<VariantDraft, 'weight'>[]): Weights {
  if (variants.every(({ weight }) => weight.trim() === '')) return { missing: 0, left: null };
  const numbers = variants.map(({ weight }) => numberOf(weight)).filter((each) => typeof each === 'number');
  const sum = numbers.reduce((total, each) => total + each, 0);
  // Fractions of binary numbers are no fractions of people.
  return { missing: variants.length - numbers.length, left: Math.round((100 - sum) * 1e6) / 1e6 };
}
