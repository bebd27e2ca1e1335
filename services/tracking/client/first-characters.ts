/** Cuts headers to what is read of them, in memory of their own: a part that is kept would otherwise keep the whole header. */

/** The first `most` characters of `text`, which hold nothing of the rest. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}
