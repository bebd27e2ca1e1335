/** What the websites of a key are called, and which of them are deleted. */

/** By identifier; null of one that is deleted. One that is absent is not known. */
export type Names = ReadonlyMap<string, string | null>;

interface Website {
  readonly id: string;
  readonly name: string;
}

/** `isKept`: the list is of an earlier screen, so what it lacks may have been made since, and is not called deleted. */
export function namesOf(
  ids: readonly string[],
  websites: readonly Website[] | undefined,
  isKept: boolean,
): Names {
  if (websites === undefined) return new Map();
  const known = new Map(websites.map(({ id, name }) => [id, name]));
  const shown = isKept ? ids.filter((id) => known.has(id)) : ids;
  return new Map(shown.map((id) => [id, known.get(id) ?? null]));
}
