/** What is wrong with a text or a list that a client compares events with. */

/** How many characters such a text may have. */
export const MAX_COMPARED_TEXT = 4_096;

/** What is wrong with a text, or null: stores hold only well-formed Unicode without NUL, so nothing else can match. */
export function faultOfText(text: string): string | null {
  if (text.length > MAX_COMPARED_TEXT)
    return `A text has at most ${MAX_COMPARED_TEXT} characters, not ${text.length}.`;
  const isClean = !text.includes('\0') && !/\p{Surrogate}/u.test(text);
  return isClean ? null : 'Must be well-formed Unicode without NUL.';
}

/** The fault of a list that is too long. */
export function tooLong(what: string, most: number, came: number): string {
  return `At most ${most.toLocaleString('en')} ${what}, not ${came.toLocaleString('en')}.`;
}
