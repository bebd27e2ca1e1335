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

const TOO_DEEP = refusal(`JSON may be nested ${MAX_DEPTH} deep; this is nested deeper.`);
const TOO_MANY = refusal(
  `JSON may hold ${MAX_MARKS.toLocaleString('en')} elements and ${MAX_NAMES.toLocaleString('en')} names, ${MAX_NAMES_IN_OBJECT.toLocaleString('en')} in one object; this holds more.`,
);

/** Looks through JSON in UTF-8 in time linear to its length, some nanosecond for each byte, and stops at the first bound passed. */
export function scanJson(text: Uint8Array): JsonScan {
  const { length } = text;
  // A character can open one level, so what is shorter passes no bound.
  const namesAt = length > MAX_DEPTH ? new Uint16Array(MAX_DEPTH + 1) : null;
  let depth = 0;
  let marks = 0;
  let names = 0;
  let commasOfList = 0;
  let isList = false;
  let isFilled = false;
  for (let at = 0; at < length; at++) {
    const byte = text[at] as number;
    if (byte <= LAST_SPACE) continue;
    if (depth === 1 && byte !== CLOSE_LIST) isFilled = true;
    switch (byte) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (depth === 0) isList = byte === OPEN_LIST;
        if (++depth > MAX_DEPTH) return { refusal: TOO_DEEP, elements: 0 };
        if (namesAt !== null) namesAt[depth] = 0;
        if (++marks > MAX_MARKS) return { refusal: TOO_MANY, elements: 0 };
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        // What closes more than it opened is no JSON: the parser stops there, and here nothing goes below the ground.
        if (depth > 0) depth--;
        break;
      case COMMA:
        if (depth === 1) commasOfList++;
        if (++marks > MAX_MARKS) return { refusal: TOO_MANY, elements: 0 };
        break;
      case COLON:
        if (++marks > MAX_MARKS || ++names > MAX_NAMES) return { refusal: TOO_MANY, elements: 0 };
        if (namesAt !== null) {
          const own = (namesAt[depth] as number) + 1;
          if (own > MAX_NAMES_IN_OBJECT) return { refusal: TOO_MANY, elements: 0 };
          namesAt[depth] = own;
        }
        break;
      default:
    }
  }
  return { refusal: null, elements: isList && isFilled ? commasOfList + 1 : 0 };
}

/** The index of the quote that ends the string which begins at `start`; of the last byte when none does. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const byte = text[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function refusal(message: string): ApiError {
  return validationError([{ field: 'body', message }]);
}
