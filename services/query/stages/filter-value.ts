/** The value of a filter on the wire: checked by hand, because a schema would report every faulty element of a long list. */
import { z } from 'zod';
import { faultOfText, MAX_COMPARED_TEXT, tooLong } from '../../shared/text/faulty-text.ts';
import { shown } from './shown.ts';

/** How many values the list of a filter may have. */
export const MAX_FILTER_VALUES = 1_000;

export type FilterScalar = string | number | boolean;

function faultOfScalar(value: unknown, allowed: string): string | null {
  if (typeof value === 'string') return faultOfText(value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return null;
  return `${shown(value)} is not allowed; allowed: ${allowed}.`;
}

const SCALARS = [
  { type: 'string', maxLength: MAX_COMPARED_TEXT },
  { type: 'number' },
  { type: 'boolean' },
] as const;

/** A text, number or boolean, or a list of them; for a faulty list the first fault is reported. */
export const filterValueSchema = z
  .unknown()
  .meta({
    anyOf: [
      ...SCALARS,
      {
        type: 'array',
        maxItems: MAX_FILTER_VALUES,
        items: { anyOf: [...SCALARS] },
        description: `A list has at most ${MAX_FILTER_VALUES.toLocaleString('en')} values.`,
      },
    ],
    description: 'A text, number or boolean; for in and not_in also a list of them.',
  })
  .transform((value, { issues }): FilterScalar | FilterScalar[] => {
    const fault = (message: string, path: number[] = []) => {
      issues.push({ code: 'custom', message, path, input: undefined });
      return z.NEVER;
    };
    if (value === undefined) return fault('Required: a text, number, boolean, or a list of them.');
    if (!Array.isArray(value)) {
      const found = faultOfScalar(value, 'a text, number, boolean, or a list of them');
      return found === null ? (value as FilterScalar) : fault(found);
    }
    if (value.length > MAX_FILTER_VALUES) return fault(tooLong('values', MAX_FILTER_VALUES, value.length));
    for (const [index, item] of value.entries()) {
      const found = faultOfScalar(item, 'a text, number or boolean');
      if (found !== null) return fault(found, [index]);
    }
    return value;
  });
