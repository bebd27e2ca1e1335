/** Makes JSON values that every store can hold and every engine can read: shallow, and of clean text. */
import { cleanText } from '../../shared/text/clean-text.ts';

/** Deepest nesting of a JSON value that is stored: engines that read deeper ones may give up on the whole query. */
export const DEEPEST_NESTING = 32;

/** How JSON text shows NUL and lone halves of characters; a text that holds one of these six characters matches too. */
const DOUBTFUL_JSON = /\\u(?:0000|d[89a-f])/i;

/** A JSON value as JSON text in which every text and key is clean; undefined when it is nested too deep. */
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
