/** Makes text that every store can hold and every engine can read: well-formed Unicode without NUL. */

const LONE_SURROGATES = /\p{Surrogate}/gu;
const REPLACEMENT = '\uFFFD';
/** NUL, and any surrogate, paired or not: most texts have neither and need no further work. */
const DOUBTFUL = /[\0\uD800-\uDFFF]/;

/** `text` with lone surrogates replaced and NUL removed. */
export function cleanText(text: string): string {
  return DOUBTFUL.test(text) ? text.replace(LONE_SURROGATES, REPLACEMENT).replaceAll('\0', '') : text;
}
