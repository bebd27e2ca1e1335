/** The two cookies of a session: read from raw headers, and written with the attributes that keep them where they belong. */

import { isDevelopment } from '../../../services/shared/access/origin-rule.ts';
import { readCookieNamed } from '../../kit/cookie-header.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';

/** How long an access cookie serves, in seconds. */
export const ACCESS_SECONDS = 15 * 60;
/** How long a refresh cookie serves from its last rotation, in seconds. */
export const REFRESH_SECONDS = 30 * 24 * 60 * 60;

/** The two cookies: what proves a session, and what renews the proof. */
export type CookieKind = 'access' | 'refresh';

/**
 * A browser takes names with these prefixes over https only, so that nobody on a connection without TLS can put one of its
 * own in its place; one with `__Host-`, which demands the path `/`, from the host itself only. Another subdomain that has
 * TLS may set `__Secure-`: its pages are own ones, which could log in here just as well.
 */
const COOKIES = {
  access: { plain: 'tg_access', secure: '__Host-tg_access', path: '/' },
  refresh: { plain: 'tg_refresh', secure: '__Secure-tg_refresh', path: '/v1/auth' },
} as const satisfies Record<CookieKind, unknown>;
const KINDS = ['access', 'refresh'] as const;

/**
 * `none`: no such cookie came; `refused`: two different ones came, one of which another host may have set. `isPrefixed`: it came
 * by the new name.
 */
export type CookieReading = { readonly value: string; readonly isPrefixed: boolean } | 'none' | 'refused';

/** Cookies go over https only, and have the names that say so, save in development. */
export function usesSecureCookies({ ownDomains }: Pick<GatewayRuntime, 'ownDomains'>): boolean {
  return !isDevelopment(ownDomains);
}

/**
 * The cookie of this kind, from every Cookie line; an empty value is none. `secure`: the plain name, which earlier versions
 * set, is read for this version only, and only where neither new cookie came: a browser that has one of them holds nothing
 * of an earlier version, so a plain one beside it may be what another subdomain planted while the access cookie ran out.
 * A browser that holds neither may have a planted one all the same: both tokens themselves say under which name they were
 * issued, and one of this version counts under no other.
 */
export function readCookie(rawHeaders: readonly string[], kind: CookieKind, secure: boolean): CookieReading {
  const { plain, secure: prefixed } = COOKIES[kind];
  if (!secure) return readNamed(rawHeaders, plain);
  const reading = readNamed(rawHeaders, prefixed);
  const isNew = KINDS.some((each) => readNamed(rawHeaders, COOKIES[each].secure) !== 'none');
  return isNew ? reading : readNamed(rawHeaders, plain);
}

function readNamed(rawHeaders: readonly string[], name: string): CookieReading {
  const value = readCookieNamed(rawHeaders, name);
  return typeof value === 'string' ? value : { value: value.value, isPrefixed: name.startsWith('__') };
}

/** The name that the access cookie is set by. */
export function accessCookieName(secure: boolean): string {
  return secure ? COOKIES.access.secure : COOKIES.access.plain;
}

/** A `Set-Cookie` line: of this host only, unseen by scripts, not sent from other sites save by following a link. */
export function cookieLine(kind: CookieKind, value: string, maxAgeSeconds: number, secure: boolean): string {
  const cookie = COOKIES[kind];
  return lineOf(secure ? cookie.secure : cookie.plain, kind, value, maxAgeSeconds, secure);
}

/** The lines that make a browser forget both cookies, those of an earlier version too that came with the request. */
export function forgetLines(rawHeaders: readonly string[], secure: boolean): string[] {
  return [...KINDS.map((kind) => cookieLine(kind, '', 0, secure)), ...forgetPlainLines(rawHeaders, secure)];
}

/** The lines that make a browser forget what an earlier version set and came with the request. */
export function forgetPlainLines(rawHeaders: readonly string[], secure: boolean): string[] {
  if (!secure) return [];
  const came = KINDS.filter((kind) => readNamed(rawHeaders, COOKIES[kind].plain) !== 'none');
  return came.map((kind) => lineOf(COOKIES[kind].plain, kind, '', 0, secure));
}

function lineOf(
  name: string,
  kind: CookieKind,
  value: string,
  maxAgeSeconds: number,
  secure: boolean,
): string {
  const line = `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${COOKIES[kind].path}; HttpOnly; SameSite=Lax`;
  return secure ? `${line}; Secure` : line;
}
