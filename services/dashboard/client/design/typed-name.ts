/** What is typed to confirm what has no way back: the name of what ends, as far as people can see and type it. */

/** A website, an API key: its name, and what it is called where the name has nothing that can be seen. */
export type Named = { readonly name: string } & ({ readonly domain: string } | { readonly id: string });

/** Characters that nobody sees: controls, marks of direction, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu;

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').replace(UNSEEN, '').trim();
}

/** The text to type; the domain or identifier when the name has nothing that can be seen. */
export function nameToType(named: Named): string {
  return plain(named.name) || ('domain' in named ? named.domain : named.id);
}

/** Whether `typed` is that text. Spaces and unseen characters make no difference, capital letters do. */
export function isTyped(typed: string, named: Named): boolean {
  return plain(typed) === nameToType(named);
}
