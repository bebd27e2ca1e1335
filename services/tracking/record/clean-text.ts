/** Makes text that every store can hold and every engine can read: well-formed Unicode without NUL. */

const LONE_SURROGATES = /\p{Surrogate}/gu;
const REPLACEMENT = '\uFFFD';
/** NUL, and any half of a character, also one that has its other half: most texts hold neither and need no more. */
const DOUBTFUL = /[\0\uD800-\uDFFF]/;

/** `text` with halves of characters replaced and NUL removed. */
export function cleanText(text: string): string {
  return DOUBTFUL.test(text) ? text.replace(LONE_SURROGATES, REPLACEMENT).replaceAll('\0', '') : text;
}

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
