/** JSON that somebody types. */

/** Its value; undefined when the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isJsonOrEmpty = (text: string): boolean => text.trim() === '' || jsonOf(text) !== undefined;
