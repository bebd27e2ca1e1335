/** Where the pages stand, and the text of an address within them. */

export const HOME = '/dashboard';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** The text of an address, for links. */
export function addressOf(path: string, parameters: Parameters = {}): string {
  const text = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
  return text === '' ? path : `${path}?${text}`;
}
