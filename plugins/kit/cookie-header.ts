/** One cookie of a request, read from its raw headers. */

/** `none`: no such cookie came; `refused`: two different ones came, one of which another host may have set. */
export type NamedCookie = { readonly value: string } | 'none' | 'refused';

/** The cookie of this name, from every Cookie line of `rawHeaders` (name, value, name, value); an empty value is none. */
export function readCookieNamed(rawHeaders: readonly string[], name: string): NamedCookie {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length !== 6 || header.toLowerCase() !== 'cookie') continue;
    for (const pair of (rawHeaders[index + 1] as string).split(';')) {
      const equals = pair.indexOf('=');
      if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
      const value = pair.slice(equals + 1).trim();
      if (value === '') continue;
      if (found !== undefined && found !== value) return 'refused';
      found = value;
    }
  }
  return found === undefined ? 'none' : { value: found };
}
