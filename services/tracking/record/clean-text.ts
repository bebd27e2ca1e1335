/** Makes JSON values that every store can hold and every engine can read: shallow, and with clean text. */
import { cleanText } from '../../shared/text/clean-text.ts';

/** Deepest nesting of a stored JSON value: engines may fail the whole query on deeper ones. */
export const DEEPEST_NESTING = 32;

/** How JSON text escapes NUL and lone surrogates; a text that holds such an escape literally matches too. */
const DOUBTFUL_JSON = /\\u(?:0000|d[89a-f])/i;

/** A JSON value as JSON text with clean texts and keys; undefined if it is nested too deeply. */
export function toCleanJson(value: unknown): string | undefined {
  if (!isShallow(value, 0)) return undefined;
  const json = JSON.stringify(value);
  return DOUBTFUL_JSON.test(json) ? JSON.stringify(cleaned(value)) : json;
}

/** Whether a value is nested at most {@link DEEPEST_NESTING} levels deep. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEEPEST_NESTING) return false;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (!isShallow(item, depth + 1)) return false;
  }
  return true;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleaned(item)]));
}
