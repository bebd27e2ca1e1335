/** What is wrong with a text or a list that a client compares events with. */

/** How many characters such a text may have. */
export const MAX_COMPARED_TEXT = 4_096;

/** What is wrong with a text, or null: stores hold only well-formed Unicode without NUL, so nothing else can match. */
export function faultOfText(text: string): string | null {
  if (text.length > MAX_COMPARED_TEXT)
    return `A text has at most ${MAX_COMPARED_TEXT} characters, not ${text.length}.`;
  return isWellFormed(text) ? null : ILL_FORMED;
}

/** Of a text that is no text: a half of what takes two, such as a cut emoji, stands for nothing. */
export const ILL_FORMED =
  'Holds half of a character (a lone surrogate) or NUL. Allowed: well-formed Unicode without NUL.';

export function isWellFormed(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** The fault of a list that is too long. */
export function tooLong(what: string, most: number, came: number): string {
  return `At most ${most.toLocaleString('en')} ${what}, not ${came.toLocaleString('en')}.`;
}
