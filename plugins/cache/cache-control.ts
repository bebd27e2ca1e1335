/** What Cache-Control and the headers beside it say of a request and of an answer (RFC 9111). */
import type { IncomingHttpHeaders } from 'node:http';
import type { BackendHeaders } from '../kit/kept-answer.ts';

/** The directives of a Cache-Control by name, in lower case; without a value: an empty text. */
export function readDirectives(text: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (text === undefined) return found;
  for (const [, name = '', quoted, plain] of text.matchAll(
    /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;]+)))?/g,
  )) {
    // Of a directive that comes twice with two values the shorter time counts (RFC 9111, 4.2.1).
    const value = quoted ?? plain ?? '';
    const known = found.get(name.toLowerCase());
    const isStricter = known === undefined || (secondsIn(value) ?? 0) < (secondsIn(known) ?? 0);
    if (isStricter) found.set(name.toLowerCase(), value);
  }
  return found;
}

/** Whole seconds; null for what is none. */
export function secondsIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null;
}

/** Headers that ask for a part of an answer, or for one that depends on what the client holds. */
const ASKS_OTHERWISE = ['range', 'if-range', 'if-match', 'if-unmodified-since'];

/** How a request may be answered. `pass`: by the backend, and its answer is not kept; `renew`: by the backend; `kept`: by a kept answer too. */
export interface RequestWish {
  readonly way: 'pass' | 'renew' | 'kept';
  /** The oldest answer that it takes, in seconds. */
  readonly maxAge: number;
  readonly onlyKept: boolean;
}

const ANY: RequestWish = { way: 'kept', maxAge: Number.POSITIVE_INFINITY, onlyKept: false };
const PASS: RequestWish = { ...ANY, way: 'pass' };

export function wishOf(method: string, headers: IncomingHttpHeaders): RequestWish {
  if (method !== 'GET' || hasBody(headers)) return PASS;
  if (ASKS_OTHERWISE.some((name) => headers[name] !== undefined)) return PASS;
  // Beside If-None-Match it does not count (RFC 9110, 13.1.3).
  if (headers['if-modified-since'] !== undefined && headers['if-none-match'] === undefined) return PASS;
  const written = headers['cache-control'];
  if (written === undefined) return headers.pragma?.includes('no-cache') ? { ...ANY, way: 'renew' } : ANY;
  const directives = readDirectives(written);
  if (directives.has('no-store')) return PASS;
  const maxAge = secondsIn(directives.get('max-age')) ?? Number.POSITIVE_INFINITY;
  return {
    way: directives.has('no-cache') || maxAge === 0 ? 'renew' : 'kept',
    maxAge,
    onlyKept: directives.has('only-if-cached'),
  };
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** How long an answer may be used, in seconds; null: it must not be kept. */
export interface Lifetime {
  readonly freshSeconds: number;
  /** How long after that it may be sent once more, while it is asked for anew. */
  readonly staleSeconds: number;
  /** How old it was when it came. */
  readonly ageSeconds: number;
  /** The request headers that it depends on, in lower case. */
  readonly varies: readonly string[];
}

export interface Defaults {
  readonly seconds: number;
  readonly staleSeconds: number;
}

const NEVER = ['no-store', 'private', 'no-cache'];
/** Answers that are kept; others say what is so at this moment. */
const KEPT_STATUS = 200;
/** It has no end that anybody could wait for. */
const STREAM = /^text\/event-stream/i;

/** What an answer allows. Null: it must not be kept. */
export function lifetimeOf(
  status: number,
  headers: BackendHeaders,
  { seconds, staleSeconds }: Defaults,
): Lifetime | null {
  if (status !== KEPT_STATUS) return null;
  const all = new Map(
    Object.entries(headers).map(([name, value = '']) => [name.toLowerCase(), String(value)]),
  );
  if (STREAM.test(all.get('content-type') ?? '')) return null;
  const varies = (all.get('vary') ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || []);
  const directives = readDirectives(all.get('cache-control'));
  const isForOne =
    all.has('set-cookie') || varies.includes('*') || NEVER.some((name) => directives.has(name));
  if (isForOne || all.has('content-range') || all.has('trailer')) return null;
  // An encoded answer suits only who asked for it.
  if (all.has('content-encoding') && !varies.includes('accept-encoding')) return null;
  const fresh =
    firstSeconds(directives, ['s-maxage', 'max-age']) ??
    untilExpires(all.get('expires'), all.get('date')) ??
    seconds;
  const mayBeStale = !['must-revalidate', 'proxy-revalidate', 's-maxage'].some((name) =>
    directives.has(name),
  );
  const stale = firstSeconds(directives, ['stale-while-revalidate']) ?? staleSeconds;
  return {
    freshSeconds: fresh,
    staleSeconds: mayBeStale ? stale : 0,
    ageSeconds: secondsIn(all.get('age')) ?? 0,
    varies,
  };
}

function firstSeconds(directives: ReadonlyMap<string, string>, names: readonly string[]): number | null {
  const name = names.find((each) => directives.has(each));
  // One that cannot be read is over at once.
  return name === undefined ? null : (secondsIn(directives.get(name)) ?? 0);
}

/** Seconds from Date to Expires; what cannot be read is over. */
function untilExpires(expires: string | undefined, date: string | undefined): number | null {
  if (expires === undefined) return null;
  const seconds = (Date.parse(expires) - Date.parse(date ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
}
