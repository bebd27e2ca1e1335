/** Makes text that every store can hold and every engine can read: well-formed Unicode without NUL. */

const LONE_SURROGATES = /\p{Surrogate}/gu;
const REPLACEMENT = '\uFFFD';

/** `text` with halves of characters replaced and NUL removed. */
export function cleanText(text: string): string {
  return text.replace(LONE_SURROGATES, REPLACEMENT).replaceAll('\0', '');
}

/** Deepest nesting of a JSON value that is stored: engines that read deeper ones may give up on the whole query. */
export const DEEPEST_NESTING = 32;

/** A JSON value with every text and key clean; undefined when it is nested deeper than {@link DEEPEST_NESTING}. */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST_NESTING) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => cleanJson(item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => [cleanText(key), cleanJson(item, depth + 1)] as const,
  );
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries);
}
