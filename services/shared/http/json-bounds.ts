/**
 * What JSON may be made of, found in one pass over its bytes before anybody parses it: deep nesting and very many names
 * make two megabytes cost a parser seconds, in which a process answers nobody.
 */
import type { ApiError } from '../errors/api-error.ts';
import { validationError } from '../errors/zod-details.ts';

/** Deepest nesting of lists and objects; properties of events, the deepest of all that is taken, need 35. */
export const MAX_DEPTH = 64;
/** Commas, colons and openings; the largest call of events, each with every field, has a tenth of it. */
export const MAX_MARKS = 200_000;
/** Names in the whole text; 100 events with every field and 50 properties have 10,000. */
export const MAX_NAMES = 50_000;
/** Names in one object, which a parser finds places for: 32 KB of properties cannot hold as many. */
export const MAX_NAMES_IN_OBJECT = 8_000;

/** What one pass over a JSON text tells. */
export interface JsonScan {
  /** Why it must not be parsed; null when it may be. Whether it is JSON at all, the parser says. */
  readonly refusal: ApiError | null;
  /** Elements of the list that the text is; 0 for what is no list or an empty one. */
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

/** 1 for the bytes that the pass stops at outside of strings. */
const STOPS = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) STOPS[byte] = 1;
/** What is shorter cannot hold too many names in one object, of which each takes five bytes. */
const SHORTEST_CROWD = 5 * MAX_NAMES_IN_OBJECT;

const NO_LIST: JsonScan = { refusal: null, elements: 0 };
const TOO_DEEP = refused(`JSON may be nested ${MAX_DEPTH} deep; this is nested deeper.`);
const TOO_MANY = refused(
  `JSON may hold ${MAX_MARKS.toLocaleString('en')} elements and ${MAX_NAMES.toLocaleString('en')} names, ${MAX_NAMES_IN_OBJECT.toLocaleString('en')} in one object; this holds more.`,
);

/** Looks through JSON in UTF-8, once: 2 MB in some milliseconds. It ends at the first bound that is passed. */
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
      // What closes more than it opened is no JSON: the parser says so, and here nothing goes below the ground.
      depth--;
      if (depth === 0) listEndsAt = at;
    }
    if (marks > MAX_MARKS) return TOO_MANY;
  }
  if (names > MAX_NAMES) return TOO_MANY;
  if (listAt === -1) return NO_LIST;
  return { refusal: null, elements: isBlank(text, listAt + 1, listEndsAt) ? 0 : elements + 1 };
}

/** The index of the quote that ends the string whose text begins at `from`; the length when none does. */
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
