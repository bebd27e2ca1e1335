/** The two cookies of a session: read from raw headers, and written with the attributes that keep them where they belong. */

export const ACCESS_COOKIE = 'tg_access';
export const REFRESH_COOKIE = 'tg_refresh';

/** How long an access cookie serves, in seconds. */
export const ACCESS_SECONDS = 15 * 60;
/** How long a refresh cookie serves from its last rotation, in seconds. */
export const REFRESH_SECONDS = 30 * 24 * 60 * 60;

const PATHS = { [ACCESS_COOKIE]: '/', [REFRESH_COOKIE]: '/v1/auth' } as const;
type CookieName = keyof typeof PATHS;

/** `none`: no such cookie came; `refused`: two different ones came, one of which another host may have set. */
export type CookieReading = { readonly value: string } | 'none' | 'refused';

/** The cookie of this name, from every Cookie line; an empty value is none. */
export function readCookie(rawHeaders: readonly string[], name: CookieName): CookieReading {
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

/** A `Set-Cookie` line: of this host only, unseen by scripts, not sent from other sites save by following a link. */
export function cookieLine(name: CookieName, value: string, maxAgeSeconds: number, secure: boolean): string {
  const line = `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${PATHS[name]}; HttpOnly; SameSite=Lax`;
  return secure ? `${line}; Secure` : line;
}

/** The lines that make a browser forget both cookies. */
export function forgetLines(secure: boolean): string[] {
  return [ACCESS_COOKIE, REFRESH_COOKIE].map((name) => cookieLine(name as CookieName, '', 0, secure));
}
