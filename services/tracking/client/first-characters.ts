/** Cuts headers to the part that is read, as a copy: a substring would otherwise keep the whole header in memory. */

/** A copy of the first `most` characters of `text`. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}
