/**
 * Bounds on JSON, checked in one pass over its bytes before anybody parses it. Deep nesting or very many names make a
 * parser spend seconds on two megabytes, and block the process meanwhile.
 */
import type { ApiError } from '../errors/api-error.ts';
import { validationError } from '../errors/zod-details.ts';

/** Deepest nesting of lists and objects; event properties, the deepest input that is accepted, need 35. */
export const MAX_DEPTH = 64;
/** Commas, colons and openings; the largest ingest call, with every field of each event, has a tenth of it. */
export const MAX_MARKS = 200_000;
/** Names in the whole text; 100 events with every field and 50 properties have 10,000. */
export const MAX_NAMES = 50_000;
/** Names in one object; 32 KB of properties cannot hold as many. */
export const MAX_NAMES_IN_OBJECT = 8_000;

/** The result of one pass over a JSON text. */
export interface JsonScan {
  /** Why it must not be parsed; null when it may be. The parser decides whether it is JSON at all. */
  readonly refusal: ApiError | null;
  /** The number of elements when the text is a list; 0 otherwise. */
  readonly elements: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LAST_SPACE = 0x20;

/** 1 for the bytes at which the pass stops outside strings. */
const STOPS = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) STOPS[byte] = 1;
/** Shorter text cannot hold too many names in one object, since each takes five bytes. */
const SHORTEST_CROWD = 5 * MAX_NAMES_IN_OBJECT;

const NO_LIST: JsonScan = { refusal: null, elements: 0 };
const TOO_DEEP = refused(`JSON may be nested ${MAX_DEPTH} deep; this is nested deeper.`);
const TOO_MANY = refused(
  `JSON may hold ${MAX_MARKS.toLocaleString('en')} elements and ${MAX_NAMES.toLocaleString('en')} names, ${MAX_NAMES_IN_OBJECT.toLocaleString('en')} in one object; this holds more.`,
);

/** Scans JSON in UTF-8 once: 2 MB in a few milliseconds. It stops at the first bound that is exceeded. */
export function scanJson(text: Uint8Array): JsonScan {
  const { length } = text;
  const stops = STOPS;
  const namesAt = length < SHORTEST_CROWD ? null : new Uint16Array(MAX_DEPTH + 1);
  let depth = 0;
  let marks = 0;
  let names = 0;
  let listAt = -1;
  let listEndsAt = length;
  let elements = 0;
  for (let at = 0; at < length; at++) {
    const byte = text[at] as number;
    if (stops[byte] === 0) continue;
    if (byte === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (byte === COMMA) {
      if (depth === 1) elements++;
      marks++;
    } else if (byte === COLON) {
      marks++;
      names++;
      if (namesAt !== null) {
        const own = (namesAt[depth] as number) + 1;
        namesAt[depth] = own;
        if (own > MAX_NAMES_IN_OBJECT) return TOO_MANY;
      }
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (depth === 0 && byte === OPEN_LIST) listAt = at;
      marks++;
      depth++;
      if (depth > MAX_DEPTH) return TOO_DEEP;
      if (namesAt !== null) namesAt[depth] = 0;
    } else if (depth > 0) {
      // More closing than opening brackets is not JSON: the parser reports that, and here the depth never goes below
      // zero.
      depth--;
      if (depth === 0) listEndsAt = at;
    }
    if (marks > MAX_MARKS) return TOO_MANY;
  }
  if (names > MAX_NAMES) return TOO_MANY;
  if (listAt === -1) return NO_LIST;
  return { refusal: null, elements: isBlank(text, listAt + 1, listEndsAt) ? 0 : elements + 1 };
}

/** The index of the quote that ends the string whose text begins at `from`; the length when there is none. */
function endOfString(text: Uint8Array, from: number): number {
  const { length } = text;
  for (let at = from; at < length; at++) {
    const byte = text[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return length;
}

function isBlank(text: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if ((text[at] as number) > LAST_SPACE) return false;
  return true;
}

function refused(message: string): JsonScan {
  return { refusal: validationError([{ field: 'body', message }]), elements: 0 };
}
