/** Makes text that every store can hold and every engine can read: well-formed Unicode without NUL. */

const LONE_SURROGATES = /\p{Surrogate}/gu;
const REPLACEMENT = '\uFFFD';
/** NUL, and any surrogate, paired or not: most texts have neither and need no further work. */
const DOUBTFUL = /[\0\uD800-\uDFFF]/;

/** `text` with lone surrogates replaced and NUL removed. */
export function cleanText(text: string): string {
  return DOUBTFUL.test(text) ? text.replace(LONE_SURROGATES, REPLACEMENT).replaceAll('\0', '') : text;
}

/**
 * A JSON value whose texts and names have no lone surrogates. MongoDB cannot store them, and SQLite makes bytes of them
 * that are no UTF-8, which ends the process of whoever reads them.
 */
export function wellFormed<V>(value: V): V {
  return wellFormedValue(value) as V;
}

function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [wellFormedText(name), wellFormedValue(inner)]),
  );
}

function wellFormedText(text: string): string {
  return DOUBTFUL.test(text) ? text.replace(LONE_SURROGATES, REPLACEMENT) : text;
}
