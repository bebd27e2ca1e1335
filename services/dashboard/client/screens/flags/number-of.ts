/** Numbers as people type them: with a point or a comma before their decimals. */
const DECIMAL = /^-?\d+([.,]\d+)?$/;

/** What is no number stays the text that it is, so that the API says what is allowed. */
export function numberOf(text: string): number | string {
  const typed = text.trim();
  return DECIMAL.test(typed) ? Number(typed.replace(',', '.')) : text;
}
