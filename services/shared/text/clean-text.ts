/** Makes text that every store can hold and every engine can read: well-formed Unicode without NUL. */

const LONE_SURROGATES = /\p{Surrogate}/gu;
const REPLACEMENT = '\uFFFD';
/** NUL, and any half of a character, also one that has its other half: most texts hold neither and need no more. */
const DOUBTFUL = /[\0\uD800-\uDFFF]/;

/** `text` with halves of characters replaced and NUL removed. */
export function cleanText(text: string): string {
  return DOUBTFUL.test(text) ? text.replace(LONE_SURROGATES, REPLACEMENT).replaceAll('\0', '') : text;
}
